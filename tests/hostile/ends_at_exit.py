"""Has work to do when its process ends, which is not waited for.

Must: play on
"""

import atexit
import time


def linger():
    while True:
        time.sleep(1)


atexit.register(linger)


class Lingering:
    def __del__(self):
        linger()


kept = Lingering()


def decide(view):
    return view.legal[0]
