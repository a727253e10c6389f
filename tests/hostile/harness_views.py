"""Changes the views that it was given, and what type they are: its own trouble.

Must: play on
"""


def decide(view):
    try:
        view.chips = 99
    except AttributeError:
        pass
    type(view).chips = 99
    type(view).taken = property(lambda self: "nothing")
    return view.legal[0]
