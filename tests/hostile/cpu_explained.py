"""Raises an error that hangs when it is explained.

Must: time
"""


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def decide(view):
    raise Endless
