"""What is told of play as it goes on; how that is shown is the command line's matter."""

from typing import Protocol

from arena.store.chunk import Chunk


class Progress(Protocol):
    """What is told of play as it goes on."""

    def start(self, games: int, workers: int) -> None:
        """Say how many games are to be played; when called again, how many more."""

    def played(self, games: Chunk) -> None:
        """Take finished games."""

    def stop(self) -> None:
        """Leave the terminal as it was."""
