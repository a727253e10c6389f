"""Sleeps a little under its limit in its first decisions: that is its right.

Must: play on
"""

import time

left = 10


def decide(view):
    global left
    if left:
        left -= 1
        time.sleep(0.12)  # the limit is 0.2
    return view.legal[0]
