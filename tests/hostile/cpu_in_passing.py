"""Hangs after its decision, when the arena's own code calls the next function.

Must: time
"""

import sys


def hang(frame, event, argument):
    if frame.f_code.co_name in ("_send", "is_word"):
        while True:
            pass


def decide(view):
    sys.setprofile(hang)
    return view.legal[0]
