"""Forks, to think on while others play.

Must: play on
"""

import os


def decide(view):
    for fork in (os.fork, os.forkpty):
        try:
            if fork() == 0:
                os._exit(0)
            return "GOT a child"
        except OSError:
            pass
    return view.legal[0]
