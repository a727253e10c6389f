"""Matches an expression that takes longer than the universe has: one call, deaf to signals.

Must: time
"""

import re

HARD = re.compile(r"(a|aa)+$")


def decide(view):
    return view.legal[0] if HARD.match("a" * 100 + "b") else view.legal[-1]
