"""Answers a batch with one decision less, or more, than there are questions.

Must: error
"""


def decide_many(views, rngs):
    return [view.legal[0] for view in views][1:] or ["pass", "pass"]
