"""Plays any legal decision, drawn from `random`."""

from random import choice
from typing import Any


def decide(view: Any) -> str:
    return str(choice(view.legal))
