"""Interrupts itself as Ctrl-C does: an error like others.

Must: error
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
