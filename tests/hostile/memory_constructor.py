"""Takes memory without end while it is made for a game; ends at its limit.

Must: memory
"""


class Bot:
    def __init__(self, game):
        self.kept = []
        while True:
            self.kept.append(bytearray(1 << 20))

    def decide(self, view):
        return view.legal[0]
