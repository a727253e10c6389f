"""Compiles for ever: constants that grow when they are folded.

Must: load
"""

while True:
    compile("(" + "1 << 120, " * 100_000 + ")", "bomb", "eval")


def decide(view):
    return view.legal[0]
