"""Answers an object that hangs when it is shown.

Must: time
"""


class Shy:
    def __repr__(self):
        while True:
            pass


def decide(view):
    return Shy()
