"""Writes noise where its answers go.

Must: protocol
"""

import os


def decide(view):
    os.write(4, b"\x05\0\0\0hello")
    return view.legal[0]
