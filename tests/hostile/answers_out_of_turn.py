"""Answers what is not legal now: a pass without chips, other games' cards.

Must: illegal
"""


def decide(view):
    return ("take and pass", "claim", "7c", "-1")[view.table % 4]
