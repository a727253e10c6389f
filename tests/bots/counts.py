"""Remembers how often it was asked in each game, and draws from the game's generator."""

from typing import Any


class Bot:
    def __init__(self, game: Any) -> None:
        self.game, self.asked = game, 0

    def decide(self, view: Any) -> str:
        self.asked += 1
        if self.game.rng.random() < self.asked / 40:
            return str(view.legal[-1])
        return str(view.legal[0])
