"""Makes pipes while it loads, whose pages are counted by user; one is all it gets.

Must: play on
"""

import os

made = []
try:
    while len(made) < 9:
        made.append(os.pipe())
except OSError:
    pass


def decide(view):
    return f"GOT {len(made)} pipes" if len(made) > 1 else view.legal[0]
