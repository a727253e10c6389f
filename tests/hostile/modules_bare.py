"""Is nothing but a class that makes no object of its own.

Must: error
"""


class Bot:
    def __new__(cls, game):
        return None

    def decide(self, view):
        return view.legal[0]
