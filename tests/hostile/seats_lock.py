"""Tells its partner by locks on the file that both have.

Must: play on
"""

import fcntl

kept = open(__file__)


def decide(view):
    for attempt in (
        lambda: fcntl.flock(kept, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.lockf(kept, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.fcntl(kept, fcntl.F_GETLK, bytes(32)),
        lambda: fcntl.fcntl(kept, fcntl.F_SETLEASE, fcntl.F_RDLCK),
        lambda: fcntl.fcntl(kept, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
        lambda: fcntl.fcntl(kept, fcntl.F_SETOWN, 1),
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
