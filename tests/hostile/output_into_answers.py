"""Turns its prints into its answers' pipe.

Must: protocol
"""

import os


def decide(view):
    os.dup2(4, 1)
    print("take, please")
    return view.legal[0]
