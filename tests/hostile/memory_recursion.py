"""Calls itself for ever; Python's own bound is an error like others.

Must: error
"""


def decide(view):
    return decide(view)
