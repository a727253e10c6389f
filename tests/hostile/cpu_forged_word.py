"""Computes for ever, and says all the while that it is at another decision already.

The word that says so is found through the frames of the arena's code. Over the whole batch's
time there is no lying.

Must: time
"""

import sys


def decide(view):
    word = sys._getframe(1).f_locals["word"]
    while True:
        word[0] = (word[0] + 1) % 64
