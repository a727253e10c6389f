"""Answers nothing at all.

Must: illegal
"""


def decide(view):
    pass
