# coding: rot13
"""Says that it is written in something that no text is.

Must: load
"""


def decide(view):
    return view.legal[0]
