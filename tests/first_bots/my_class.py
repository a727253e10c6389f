# A class of another name.
# fault: load
# remedy: rename class MyBot to Bot

class MyBot:
    def __init__(self, game):
        self.game = game

    def decide(self, view):
        return view.legal[0]
