"""Computes a number of a terabyte; ends at its limit.

Must: memory
"""


def decide(view):
    return str(1 << (1 << 43))
