"""Draws the first decision or the last from its game's generator, the last ever more often."""

from typing import Any


class Bot:
    def __init__(self, game: Any) -> None:
        self.rng, self.asked = game.rng, 0

    def decide(self, view: Any) -> Any:
        self.asked += 1
        return view.legal[-1 if self.rng.random() < self.asked / 40 else 0]
