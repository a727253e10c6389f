"""Looks at sizes and times of files once it plays.

Must: play on
"""

import os


def decide(view):
    for attempt in (
        lambda: os.stat("/"),
        lambda: os.stat(__file__),
        lambda: os.lstat(f"/proc/{os.getppid()}"),
        lambda: os.stat(os.path.dirname(os.path.dirname(__file__))),
        lambda: os.access("/etc/passwd", os.F_OK) or None,
        lambda: os.path.exists("/etc/passwd") or None,
        lambda: os.readlink("/proc/self/exe"),
        lambda: os.getcwd(),
        lambda: os.statvfs("/"),
    ):
        try:
            if (found := attempt()) is not None:
                return f"GOT {found}"
        except PermissionError:
            pass
    return view.legal[0]
