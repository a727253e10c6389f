"""Answers what it was given: the view, all legal decisions, and a way to compute one.

Must: illegal
"""


def decide(view):
    return (view, view.legal, lambda: view.legal[0])[view.table % 3]
