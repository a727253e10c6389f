"""Prints what takes terminals over, half characters and zeros; harmless.

Must: play on
"""

import os


def decide(view):
    print("\x1b[2J\x1b]0;owned\x07\x1b[?1049h\r\x08\x9b31m\u202e\u2066", end="")
    print("\0\udcff<script>alert(1)</script>")
    try:
        os.write(1, b"\xff\xfe\xc3(\xf0\x9f")
    except OSError:
        pass
    return view.legal[0]
