"""Closes the pipe of questions.

Must: crash
"""

import os


def decide(view):
    os.closerange(3, 4)
    return view.legal[0]
