"""Kills itself as the kernel does when memory runs out: is taken for that.

Must: memory
"""

import os
import signal


def decide(view):
    os.kill(os.getpid(), signal.SIGKILL)
