"""Takes the game out of Python's list of modules, after its decoder was made.

Must: play on
"""

import sys

for name in [name for name in sys.modules if name.startswith("games")]:
    del sys.modules[name]
sys.path.clear()


def decide(view):
    return view.legal[0]
