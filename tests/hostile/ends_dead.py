"""Exits, or raises, when a game ends: no record is touched.

Must: play on
"""

import os


class Bot:
    def __init__(self, game):
        self.even = game.seat % 2 == 0

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        if self.even:
            os._exit(1)
        raise MemoryError
