"""Stops itself by a signal, and so would use no time of any kind but everybody's: it may not.

Must: error
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGSTOP)
    return view.legal[0]
