"""Turns pipes about and takes new descriptors while it plays.

Must: play on
"""

import fcntl
import os


def decide(view):
    for attempt in (
        lambda: os.dup(3),
        lambda: os.dup2(4, 1),
        lambda: os.dup2(4, 20, inheritable=False),  # dup3
        lambda: fcntl.fcntl(3, fcntl.F_DUPFD, 20),
        lambda: fcntl.fcntl(3, fcntl.F_DUPFD_CLOEXEC, 20),
        lambda: fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK),
        lambda: os.set_blocking(3, False),
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
