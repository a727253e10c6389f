"""Adds up a range without end: one call in C, deaf to signals.

Must: time
"""


def decide(view):
    return sum(range(10**14))
