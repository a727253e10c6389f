"""Computes for ever while it loads.

Must: load
"""

while True:
    pass


def decide(view):
    return view.legal[0]
