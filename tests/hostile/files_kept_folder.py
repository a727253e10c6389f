"""Keeps its folder open from loading, and opens and looks through it once it plays.

Must: play on
"""

import os

folder = os.open(os.path.dirname(__file__), os.O_RDONLY | os.O_DIRECTORY)


def decide(view):
    for attempt in (
        lambda: os.open("bot.py", os.O_RDONLY, dir_fd=folder),
        lambda: os.listdir(folder),
        lambda: os.stat("bot.py", dir_fd=folder),
        lambda: os.fstatvfs(folder),
        lambda: os.fchdir(folder) or "there",
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
