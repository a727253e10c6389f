"""Sends harmless signals to its parent, its group and all processes.

Must: play on
"""

import ctypes
import os
import signal

libc = ctypes.CDLL(None)


def decide(view):
    for target in (os.getppid(), -os.getppid(), 0, -1, 1):
        try:
            os.kill(target, 0)
            return f"GOT {target}"
        except PermissionError:
            pass
    if libc.sigqueue(os.getppid(), 0, None) == 0:
        return "GOT a queued signal"
    try:
        return f"GOT {signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)}"
    except PermissionError:
        return view.legal[0]
