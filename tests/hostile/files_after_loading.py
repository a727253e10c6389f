"""Opens and lists, once it plays, what it might read while it loaded.

Must: play on
"""

import os


def decide(view):
    for attempt in (
        lambda: open(__file__),
        lambda: open("/dev/null"),
        lambda: open("/dev/urandom", "rb"),
        lambda: os.listdir(os.path.dirname(__file__)),
        lambda: list(os.scandir(os.path.dirname(__file__))),
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
