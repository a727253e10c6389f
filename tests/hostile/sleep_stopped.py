"""Stops itself by a signal, and so uses no time of any kind but everybody's.

Must: time
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGSTOP)
    return view.legal[0]
