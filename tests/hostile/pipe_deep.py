"""Sends an answer nested sixty thousand deep, to overflow its reader.

Must: protocol
"""

import os


def decide(view):
    os.write(4, (60000).to_bytes(4, "little") + b"\x91" * 60000)
    return view.legal[0]
