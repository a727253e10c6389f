"""Says that it is loaded in bytes that are no text.

Must: load
"""

import os
import time

os.write(4, b"\5\0\0\0\x93\xa1\xff\xc2\xa0")
time.sleep(9)


def decide(view):
    return view.legal[0]
