"""Puts a pipe of its own in the place of the arena's while it loads, and asks itself.

Must: protocol
"""

import os

from arena.sandbox import wire

read, write = os.pipe()
os.dup2(read, 3)
os.write(write, wire.frame(wire.Hello("no_thanks", {}, 4)) + wire.frame((4711, [], [], [])))


def decide(view):
    return view.legal[0]
