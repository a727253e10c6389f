"""Plays the first legal decision."""

from typing import Any


def decide(view: Any) -> str:
    return str(view.legal[0])
