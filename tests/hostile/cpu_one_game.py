"""Hangs in some games of a batch only: those are over their time, the others go on.

Must: time
"""


def decide(view):
    while view.table % 3 == 0:
        pass
    return view.legal[0]
