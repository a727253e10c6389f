"""Sets timers that would interrupt later.

Must: play on
"""

import ctypes
import signal

libc = ctypes.CDLL(None)


def decide(view):
    signal.alarm(100)
    if 0 < signal.alarm(0) <= 100:  # refused, it returns 4294967295
        return "GOT an alarm"
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        try:
            return f"GOT {signal.setitimer(which, 100)}"
        except OSError:
            pass
    if libc.timer_create(0, None, ctypes.byref(ctypes.c_void_p())) == 0:
        return "GOT a timer"
    return view.legal[0]
