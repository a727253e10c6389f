"""Raises an error whenever it is asked in a window, in a third of its games."""

from typing import Any


def decide(view: Any) -> str:
    if view.phase == "window" and view.table % 3 == 0:
        raise ValueError
    return str(view.legal[0])
