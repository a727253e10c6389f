"""Stops itself by a signal, to use only other people's time.

Must: error
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGSTOP)
    return view.legal[0]
