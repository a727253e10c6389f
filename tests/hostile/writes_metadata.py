"""Changes modes, times, owners and attributes of its own source.

Must: play on
"""

import os

got = ""
kept = os.open(__file__, os.O_RDONLY)
for name, attempt in {
    "chmod": lambda: os.chmod(__file__, 0o777),
    "fchmod": lambda: os.fchmod(kept, 0o777),
    "utime": lambda: os.utime(__file__, (1, 1)),
    "futime": lambda: os.utime(kept, (1, 1)),
    "chown": lambda: os.chown(__file__, -1, -1),
    "setxattr": lambda: os.setxattr(__file__, "user.note", b"hello"),
    "getxattr": lambda: os.getxattr(__file__, "user.note"),
    "truncate": lambda: os.truncate(__file__, 0),
    "ftruncate": lambda: os.ftruncate(1, 0),
}.items():
    try:
        attempt()
        got = name
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
