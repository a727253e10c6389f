"""Takes back Python's patience with full files, and fills its output.

Must: crash
"""

import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def decide(view):
    while True:
        os.write(1, b"x" * 4096)
