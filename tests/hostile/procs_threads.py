"""Starts threads, to think on while others play.

Must: play on
"""

import ctypes
import threading
from concurrent.futures import ThreadPoolExecutor

libc = ctypes.CDLL(None)
number = ctypes.c_ulong()


def decide(view):
    for attempt in (
        lambda: threading.Thread(target=int).start(),
        lambda: ThreadPoolExecutor().submit(int),
        lambda: threading.Timer(9, int).start(),
    ):
        try:
            return f"GOT {attempt()}"
        except RuntimeError:
            pass
    failed = libc.pthread_create(ctypes.byref(number), None, libc.getpid, None)
    return view.legal[0] if failed else "GOT a thread"
