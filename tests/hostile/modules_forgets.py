"""Empties Python's list of modules once it plays.

Must: play on
"""

import sys


def decide(view):
    sys.modules.clear()
    return view.legal[0]
