"""Does what a stand-in would do: the first legal decision."""

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return the first legal decision."""
    return view.legal[0]
