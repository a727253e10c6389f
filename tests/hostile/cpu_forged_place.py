"""Says that it is at decision four thousand million, and dies.

Must: crash
"""

import os
import sys


def decide(view):
    sys._getframe(1).f_locals["word"][0] = 0xFFFFFFFF
    os._exit(1)
