"""Says itself that it is loaded, as a kind of bot that there is not.

Must: load
"""

import os

from arena.sandbox import wire

os.write(4, wire.frame(("anything", False, "")))


def decide(view):
    return view.legal[0]
