"""Is not written in UTF-8, and does not say in what.

Must: load
"""

CAFE = "caféÿ"


def decide(view):
    return view.legal[0]
