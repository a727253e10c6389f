"""Empties the list of questions, so that no answers are as many as there are questions.

Must: error
"""


def decide_many(views, rngs):
    views.clear()
    return []
