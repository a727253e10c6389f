"""Computes for ever.

Must: time
"""


def decide(view):
    while True:
        pass
