"""Replaces the rules of the game in its process, so that it is told that all is legal.

Must: illegal
"""

from games import no_thanks

no_thanks.View.legal = ("win", "pass")


def decide(view):
    return view.legal[0]
