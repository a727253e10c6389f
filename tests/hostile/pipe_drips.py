"""Sends an answer a byte at a time, for ever, so that something always comes.

Must: time
"""

import os
import time


def decide(view):
    os.write(4, b"\0\xff\0\0")
    while True:
        os.write(4, b"\0")
        time.sleep(0.001)
