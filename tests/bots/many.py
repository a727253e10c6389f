"""Plays any legal decision in all its games at once, each from the game's generator."""

from typing import Any


def decide_many(views: list[Any], rngs: list[Any]) -> list[str]:
    return [rng.choice(view.legal) for view, rng in zip(views, rngs, strict=True)]
