"""Sleeps while it loads.

Must: load
"""

import time

time.sleep(3600)


def decide(view):
    return view.legal[0]
