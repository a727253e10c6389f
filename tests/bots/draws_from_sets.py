"""Iterates a set of strings and draws from `random`: the plain code that must repeat itself."""

from random import choice
from typing import Any

WORDS = {"pass", "take", "a", "b", "c"}


def decide(view: Any) -> str:
    return str(choice([word for word in WORDS if word in view.legal] or list(view.legal)))
