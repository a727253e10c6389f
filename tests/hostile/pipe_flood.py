"""Writes into its answers' pipe as fast as it can.

Must: protocol
"""

import os


def decide(view):
    while True:
        os.write(4, b"\0" * 65536)
