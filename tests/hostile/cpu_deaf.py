"""Ignores every signal that can be ignored, and computes for ever.

Must: time
"""

import signal

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def decide(view):
    while True:
        pass
