"""Takes any legal decision: deciding costs next to nothing, so a loop's own cost shows."""

import random
from typing import Any


def decide(view: Any) -> Any:
    """Return any of the legal decisions, each as likely as the other."""
    return random.choice(view.legal)
