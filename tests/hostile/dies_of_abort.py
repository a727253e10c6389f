"""Aborts.

Must: crash
"""

import os


def decide(view):
    os.abort()
