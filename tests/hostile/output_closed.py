"""Closes its output in every way, and prints; nothing more is kept.

Must: play on
"""

import os
import sys

os.close(1)
os.close(2)
print("nobody hears this")
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None


def decide(view):
    print("nor this")
    return view.legal[0]
