"""Puts a pipe of its own in the place of the arena's, and asks itself.

Must: protocol
"""

import os
import sys

from arena.sandbox import wire

read, write = os.pipe()


def decide(view):
    os.dup2(read, 3)
    views = sys._getframe(2).f_locals["views"]
    os.write(write, wire.frame((4711, [], [], views)))
    return view.legal[0]
