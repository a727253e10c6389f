"""Answers with an empty message.

Must: protocol
"""

import os


def decide(view):
    os.write(4, bytes(4))
    return view.legal[0]
