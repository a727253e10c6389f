"""Answers decisions that are not legal now: passes without a chip, plays cards of other games.

Must: illegal
"""


def decide(view):
    return ("take and pass", "claim", "7c", "-1")[view.table % 4]
