"""Answers what looks like a legal decision: capitals, spaces, zeros, a Cyrillic letter.

Must: illegal
"""

NEARLY = ("PASS", " pass", "pass\0", "pass\n", "p\u0430ss", "", "take it", "pass,take")


def decide(view):
    return NEARLY[view.table % len(NEARLY)]
