"""Arena's code and Python's modules in the bot's process, changed."""

def decide(view):
    return view.legal[0]

#: harness_another_game (illegal) Replaces the rules in its process, so that all seems legal there.
from games import no_thanks

no_thanks.View.legal = ("win", "pass")

#: harness_builtins (crash) Breaks a function that everybody uses, Arena's code too.
import builtins

def decide(view):
    builtins.len = lambda things: 1 / 0
    builtins.BaseException = ZeroDivisionError
    return view.legal[0]

#: harness_games (play on) Takes the game out of the list of modules, after its decoder was made.
import sys

for name in [name for name in sys.modules if name.startswith("games")]:
    del sys.modules[name]
sys.path.clear()

#: harness_views (play on) Changes the views that it was given, and their type: its own trouble.
def decide(view):
    try:
        view.chips = 99
    except AttributeError:
        pass
    type(view).chips = 99
    type(view).taken = property(lambda self: "nothing")
    return view.legal[0]

#: modules_callable (play on) Is an object that can be called, without truth, length and name.
class Decider:
    def __call__(self, view):
        return view.legal[0]

    def fail(self, *_):
        raise ValueError("ask me not")

    __bool__ = __len__ = __eq__ = __repr__ = __str__ = __getattr__ = __iter__ = __hash__ = fail

decide = Decider()

#: modules_descriptor (error) Has a `decide` that is computed each time, and does its worst then.
del decide

class Bot:
    def __init__(self, game):
        pass

    @property
    def decide(self):
        raise SystemExit("not now")

#: modules_forgets (play on) Empties Python's list of modules once it plays.
import sys

def decide(view):
    sys.modules.clear()
    return view.legal[0]

#: modules_random (play on) Replaces the functions of `random` with its own, seeds and empties them.
import random

random.seed(1)
random.random = random.choice = None
random.Random.random = lambda self: 0.5

#: modules_shadow (play on) Brings modules with the names of Arena's and Python's, not used.
import json
import random

import msgspec

from arena.sandbox import wire

own = [module for module in (json, random, msgspec, wire) if hasattr(module, "OWN")]

def decide(view):
    return "GOT its own modules in" if own else view.legal[0]
#> arena.py
OWN = True
#> json.py
OWN = True
#> msgspec.py
OWN = True
#> random.py
OWN = True
