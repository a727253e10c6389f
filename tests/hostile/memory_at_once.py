"""Takes a terabyte at once, by a list of one number; ends at its limit.

Must: memory
"""


def decide(view):
    return [0] * (1 << 37)
