"""Calls or passes in windows at random, drawn from the system; else plays the first decision."""

import os
from typing import Any


def decide(view: Any) -> str:
    if view.phase == "window":
        return str(view.legal[os.urandom(1)[0] % 2])
    return str(view.legal[0])
