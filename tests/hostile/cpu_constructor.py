"""Hangs while it is made for a game.

Must: time
"""


class Bot:
    def __init__(self, game):
        while True:
            pass

    def decide(self, view):
        return view.legal[0]
