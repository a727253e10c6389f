"""Replaces the rules of the game in its process, so that all seems legal there.

Must: illegal
"""

from games import no_thanks

no_thanks.View.legal = ("win", "pass")


def decide(view):
    return view.legal[0]
