"""Hangs when a game ends: that is noted for its author and touches no record.

Must: play on
"""


class Bot:
    def __init__(self, game):
        pass

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        while True:
            pass
