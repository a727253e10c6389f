"""Takes the game out of Python's list of modules, so that it is not there when it begins;
but what reads a game's questions was made before the bot was loaded.

Must: play on
"""

import sys

for name in [name for name in sys.modules if name.startswith("games")]:
    del sys.modules[name]
sys.path.clear()


def decide(view):
    return view.legal[0]
