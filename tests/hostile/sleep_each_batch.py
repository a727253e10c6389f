"""Spends far less than its limit in each decision, computing: that is its right.

Must: play on
"""

import time

left = 10


def decide(view):
    global left
    until = time.process_time() + 0.05  # the limit is 0.2
    while left and time.process_time() < until:
        pass
    left -= bool(left)
    return view.legal[0]
