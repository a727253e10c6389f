"""Opens and closes descriptors, whose number anyone who loads can ask /proc for.

Must: play on
"""

import fcntl
import os

kept = [os.open(__file__, os.O_RDONLY) for _ in range(3)]


def decide(view):
    for attempt in (
        lambda: os.dup(0),
        lambda: os.dup2(0, 20),
        lambda: os.dup2(0, 20, inheritable=False),
        lambda: fcntl.fcntl(0, fcntl.F_DUPFD, 20),
        lambda: fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 20),
        lambda: os.close(kept[0]),
        lambda: os.close(0),
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
