"""Draws a decision."""

from random import choice
from typing import Any


def decide(view: Any) -> Any:
    return choice(view.legal)
