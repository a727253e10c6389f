"""Measures while it loads what others leave: free memory, free room on disks; refused.

Must: play on
"""

import ctypes
import os

libc = ctypes.CDLL(None)
got = ""
if libc.sysinfo(ctypes.create_string_buffer(256)) == 0:
    got = "free memory"
for path in ("/", os.path.dirname(__file__), 1):
    try:
        os.statvfs(path)
        got = f"free room of {path}"
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
