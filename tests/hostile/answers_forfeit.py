"""Answers the word with which records say that a seat has forfeited.

Must: illegal
"""


def decide(view):
    return "forfeit"
