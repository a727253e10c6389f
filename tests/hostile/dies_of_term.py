"""Sends itself SIGTERM, as an operator might.

Must: crash
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGTERM)
