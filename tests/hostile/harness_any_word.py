"""Has the arena's code in its process send numbers where decisions are words.

Must: protocol
"""

from arena.sandbox import wire


def decide(view):
    wire.Answer = lambda number, decisions, failures: (number, [4711] * len(decisions), [])
    return view.legal[0]
