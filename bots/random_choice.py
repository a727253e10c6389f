"""Takes any legal decision."""

import random

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return any of the legal decisions, each as likely as the other."""
    return random.choice(view.legal)
