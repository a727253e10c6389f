"""Answers an object that would run a program where it is unpickled.

Must: illegal
"""

import os
import pickle


class Worm:
    def __reduce__(self):
        return os.system, ("true",)


def decide(view):
    return Worm() if view.table % 2 else pickle.dumps(Worm()).decode("latin-1")[:60]
