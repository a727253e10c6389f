"""Answers an object that hangs when it is thrown away.

Must: time
"""


class Sticky:
    def __del__(self):
        while True:
            pass


def decide(view):
    return Sticky()
