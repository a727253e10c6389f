"""Turns back Python's clocks for Arena's code in its process, and computes for ever.

Must: time
"""

import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)


def decide(view):
    while True:
        pass
