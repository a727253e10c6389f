"""Draws decisions, many at once."""

from typing import Any


def decide_many(views: Any, rngs: Any) -> list[Any]:
    return [rng.choice(view.legal) for view, rng in zip(views, rngs, strict=True)]
