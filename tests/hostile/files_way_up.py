"""Opens the folder above its own as a descriptor, and goes on from there.

Must: play on
"""

import os

got = []
here = os.open(os.path.dirname(__file__), os.O_RDONLY | os.O_DIRECTORY)
for way in ("..", "../..", "../../../../../../../../.."):
    try:
        got.append(os.open(way, os.O_RDONLY | os.O_DIRECTORY, dir_fd=here))
    except PermissionError:
        pass


def decide(view):
    return "GOT a folder" if got else view.legal[0]
