"""Answers a batch with things that are no words.

Must: illegal
"""


def decide_many(views, rngs):
    return [object() for _ in views]
