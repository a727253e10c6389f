"""Answers numbers instead of words: whole, broken, true, none at all, and one of 60,000 digits.

Must: illegal
"""


def decide(view):
    return (0, 1.5, True, float("nan"), 10**60000, 1j, b"pass")[view.table % 7]
