"""Measures the machine once it plays: load, memory, cores, names.

Must: play on
"""

import ctypes
import os
import resource

libc = ctypes.CDLL(None)


def decide(view):
    for attempt in (
        os.uname,
        os.getloadavg,
        lambda: os.sched_getaffinity(0),
        lambda: resource.getrusage(resource.RUSAGE_CHILDREN),
        lambda: resource.getrlimit(resource.RLIMIT_AS),
    ):
        try:
            return f"GOT {attempt()}"
        except OSError:
            pass
    return view.legal[0] if libc.sysinfo(ctypes.create_string_buffer(256)) else "GOT its memory"
