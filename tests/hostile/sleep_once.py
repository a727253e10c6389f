"""Sleeps a little under its limit, once: that is its right.

Must: play on
"""

import time

left = 1


def decide(view):
    global left
    if left:
        left -= 1
        time.sleep(0.15)  # the limit is 0.2
    return view.legal[0]
