"""Sleeps a little under its limit in every decision: the batch is over its time.

Must: time
"""

import time


def decide(view):
    time.sleep(0.18)  # the limit is 0.2
    return view.legal[0]
