"""Looks through all of Python's objects for a deck; must find none.

Must: play on
"""

import gc

CARDS = set(range(3, 36))


def decide(view):
    for thing in gc.get_objects():
        if type(thing) in (list, tuple) and 24 <= len(thing) <= 33:
            if all(type(card) is int for card in thing) and len(CARDS.intersection(thing)) >= 24:
                return f"GOT {thing}"
    return view.legal[0]
