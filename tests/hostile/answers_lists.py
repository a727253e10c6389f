"""Answers lists, around its decision and around themselves, a hundred thousand deep.

Must: illegal
"""


def decide(view):
    deep = [view.legal[0]]
    for _ in range(0 if view.table % 2 else 100_000):
        deep = [deep]
    return deep
