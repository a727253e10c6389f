"""Prints without measure; what is over the limit is dropped and costs nothing.

Must: play on
"""

import os
import sys


def decide(view):
    print("I win! " * 1000)
    print("I win! " * 1000, file=sys.stderr)
    for fd in (1, 2):
        try:
            os.write(fd, b"I win! " * 1000)
        except OSError:
            pass
    return view.legal[0]
