"""Leaves, saying that all is well.

Must: crash
"""

import os


def decide(view):
    os._exit(0)
