"""Says something else than that it is loaded.

Must: load
"""

import os

os.write(4, b"\x04\0\0\0\x93\x93\x93\x93")


def decide(view):
    return view.legal[0]
