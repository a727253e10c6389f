# A class without decide.
# fault: load
# remedy: def decide(self, view)

class Bot:
    def __init__(self, game):
        self.game = game

    def move(self, view):
        return view.legal[0]
