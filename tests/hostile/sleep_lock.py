"""Waits for a lock that it holds itself.

Must: time
"""

import threading

lock = threading.Lock()


def decide(view):
    with lock, lock:
        return view.legal[0]
