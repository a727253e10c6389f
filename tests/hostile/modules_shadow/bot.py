"""Brings modules with the names of Arena's and Python's, which are not used.

Must: play on
"""

import json
import random

import msgspec

from arena.sandbox import wire

own = [module for module in (json, random, msgspec, wire) if hasattr(module, "OWN")]


def decide(view):
    return "GOT its own modules in" if own else view.legal[0]
