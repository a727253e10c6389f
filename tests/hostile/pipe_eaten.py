"""Reads the pipe of questions itself, and waits for more.

Must: time
"""

import os


def decide(view):
    return os.read(3, 1 << 20)
