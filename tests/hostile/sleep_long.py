"""Sleeps, which costs no CPU time.

Must: time
"""

import time


def decide(view):
    time.sleep(60)
    return view.legal[0]
