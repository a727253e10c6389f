"""Replaces the functions of `random` with its own, seeds and empties them.

Must: play on
"""

import random

random.seed(1)
random.random = random.choice = None
random.Random.random = lambda self: 0.5


def decide(view):
    return view.legal[0]
