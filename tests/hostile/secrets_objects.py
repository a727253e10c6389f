"""Looks through all of Python's objects for what only Arena's processes have.

Must: play on
"""

import gc

OURS = {
    "Job", "Session", "Player", "LiveGame", "ZygoteClient", "BotProcess", "Fixture", "Setup", "State",
}  # fmt: skip


def decide(view):
    for thing in gc.get_objects():
        if type(thing).__name__ in OURS and type(thing) is not type:
            return f"GOT a {type(thing).__name__}"
    return view.legal[0]
