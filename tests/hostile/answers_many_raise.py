"""Fails in a batch and alone.

Must: error
"""


def decide_many(views, rngs):
    raise rngs[0].choice([ValueError, KeyError, SystemExit])
