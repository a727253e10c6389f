"""Brings modules by the names of those that the arena uses; Python's and the arena's are used.

Must: play on
"""

import json
import random

import msgspec

from arena.sandbox import wire

own = [module for module in (json, random, msgspec, wire) if hasattr(module, "OWN")]


def decide(view):
    return "GOT its own modules in" if own else view.legal[0]
