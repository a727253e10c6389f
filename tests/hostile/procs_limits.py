"""Looks at its parent's limits, and raises its own.

Must: play on
"""

import os
import resource

got = ""
for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
    for attempt in (
        lambda: resource.prlimit(os.getppid(), which),
        lambda: resource.prlimit(os.getppid(), which, (1, 1)),
        lambda: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
    ):
        try:
            attempt()
            got = str(which)
        except (PermissionError, ValueError):
            pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
