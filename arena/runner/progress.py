"""What is told of play as it goes on; how that is shown is the command line's matter."""

from collections.abc import Iterable
from typing import Protocol

from arena.model import Outcome
from arena.steps import Steps
from arena.store.chunk import Chunk


class Progress(Steps, Protocol):
    """What is told of play as it goes on: steps before and after, and games in between."""

    def before(self, outcomes: Iterable[Outcome]) -> None:
        """Take the games that are stored already; who shows no results need not read them."""

    def start(self, games: int, workers: int) -> None:
        """Say how many games are to be played; when called again, how many more."""

    def played(self, games: Chunk) -> None:
        """Take finished games."""

    def looked(self, pool: str, found: str) -> None:
        """Say what a look at a pool found that goes on; "" where it is settled."""

    def say(self, *lines: str) -> None:
        """Print words for people, beside what is shown."""

    def stop(self) -> None:
        """Leave the terminal as it was."""
