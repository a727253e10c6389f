"""Plays any legal decision, drawn from the system: it does not repeat itself."""

import os
from typing import Any


def decide(view: Any) -> str:
    return str(view.legal[os.urandom(1)[0] % len(view.legal)])
