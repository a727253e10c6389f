"""Sends the first half of an answer and leaves.

Must: crash
"""

import os


def decide(view):
    os.write(4, b"\x10\0\0\0\x93\x05")
    os._exit(0)
