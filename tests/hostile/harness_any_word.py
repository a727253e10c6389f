"""Has the arena's code in its process believe that everything is a decision.

Must: protocol
"""

from arena import harness


def decide(view):
    harness.is_word = lambda value: True
    return 4711
