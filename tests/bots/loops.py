"""Computes without end."""

from typing import Any


def decide(view: Any) -> str:
    while True:
        pass
