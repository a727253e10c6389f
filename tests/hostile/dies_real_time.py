"""Dies of a signal that has no name.

Must: crash
"""

import os


def decide(view):
    os.kill(os.getpid(), 40)
    return view.legal[0]
