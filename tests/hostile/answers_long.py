"""Answers a word of ten million letters, and half characters.

Must: illegal
"""


def decide(view):
    return "pass" * 2_500_000 if view.table % 2 else "\udcff\ud800"
