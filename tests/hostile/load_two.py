"""Defines two kinds of bot.

Must: load
"""


def decide(view):
    return view.legal[0]


def decide_many(views, rngs):
    return [view.legal[0] for view in views]
