"""Gets itself more of the machine, or its parent less.

Must: play on
"""

import os

got = ""
for name, attempt in {
    "nice": lambda: os.nice(-5),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    "affinity": lambda: os.sched_setaffinity(0, {0}),
    "scheduler": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "group": lambda: os.setpgid(0, 0),
    "session": lambda: os.setsid(),
}.items():
    try:
        attempt()
        got = name
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
