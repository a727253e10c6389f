"""Reads where there is no memory.

Must: crash
"""

import ctypes


def decide(view):
    return ctypes.string_at(0)
