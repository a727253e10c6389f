"""Closes both its pipes and stays.

Must: protocol
"""

import os
import time


def decide(view):
    os.close(3)
    os.close(4)
    while True:
        time.sleep(1)
