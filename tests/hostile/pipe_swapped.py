"""Swaps its two pipes while it loads.

Must: load
"""

import os

os.dup2(3, 20)
os.dup2(4, 3)
os.dup2(20, 4)


def decide(view):
    return view.legal[0]
