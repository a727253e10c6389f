"""Swaps its two pipes.

Must: crash
"""

import os


def decide(view):
    os.dup2(3, 20)
    os.dup2(4, 3)
    os.dup2(20, 4)
    return view.legal[0]
