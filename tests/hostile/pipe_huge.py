"""Announces an answer of two gigabytes.

Must: protocol
"""

import os


def decide(view):
    os.write(4, b"\xff\xff\xff\x7f")
    return view.legal[0]
