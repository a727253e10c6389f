"""Raises a number to a huge power: one call in C, deaf to signals.

Must: time
"""


def decide(view):
    return str(pow(3, 10**7, 10 ** (10**6) + 1))
