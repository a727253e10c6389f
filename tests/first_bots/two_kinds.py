# A leftover function beside the class.
# fault: load
# remedy: keep one of them

class Bot:
    def __init__(self, game):
        self.game = game

    def decide(self, view):
        return view.legal[0]


def decide(view):
    return view.legal[0]
