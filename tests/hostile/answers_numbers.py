"""Answers numbers instead of words: integers, fractions, True, None, 60,000 digits.

Must: illegal
"""


def decide(view):
    return (0, 1.5, True, float("nan"), 10**60000, 1j, b"pass")[view.table % 7]
