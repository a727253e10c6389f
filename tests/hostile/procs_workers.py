"""Starts workers by multiprocessing; must be refused.

Must: play on
"""

import multiprocessing

got = ""
try:
    worker = multiprocessing.get_context("fork").Process(target=int)
    worker.start()
    got = "a worker"
except PermissionError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
