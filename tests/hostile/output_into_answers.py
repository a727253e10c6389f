"""Turns its prints into its answers' pipe while it loads.

Must: protocol
"""

import os

os.dup2(4, 1)


def decide(view):
    print("take, please")
    return view.legal[0]
