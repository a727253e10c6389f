"""Mixes tabs and spaces.

Must: load
"""


def decide(view):
        return view.legal[0]
	return view.legal[1]
