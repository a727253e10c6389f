"""Catches everything that would stop it, SIGTERM and SIGXCPU too, and goes on.

Must: time
"""

import signal

for number in (signal.SIGTERM, signal.SIGXCPU, signal.SIGINT, signal.SIGALRM):
    signal.signal(number, lambda *_: None)


def decide(view):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
