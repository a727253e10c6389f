"""Hangs in the garbage collector, whenever that runs.

Must: time
"""

import gc


def hang(phase, info):
    while True:
        pass


def decide(view):
    gc.callbacks.append(hang)
    gc.collect()
    return view.legal[0]
