"""Takes Python's bound of recursion away and lets C code call itself, until the stack ends.

Must: crash
"""

import sys

sys.setrecursionlimit(10**8)


def decide(view):
    return max([1], key=lambda _: decide(view))
