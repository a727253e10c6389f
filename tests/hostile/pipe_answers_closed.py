"""Closes the pipe of answers.

Must: crash
"""

import os


def decide(view):
    os.closerange(4, 5)
    return view.legal[0]
