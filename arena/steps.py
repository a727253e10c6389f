"""How far a long piece of work has come, told to whoever shows it.

What takes seconds is told of here step by step. How that is shown is the command line's matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Steps(Protocol):
    """Is told of work, step by step."""

    def begin(self, what: str, of: int = 0) -> None:
        """Begin a step, which ends the one before: `judging games`, of so many parts. 0: nobody
        knows how many.
        """

    def done(self, parts: int = 1) -> None:
        """Count parts of the step that are done."""

    def at(self, names: Sequence[str]) -> None:
        """Say which parts of the step are at hand: for these all wait."""


class Untold:
    """Keeps it to itself."""

    def begin(self, what: str, of: int = 0) -> None:
        """Say nothing."""

    def done(self, parts: int = 1) -> None:
        """Say nothing."""

    def at(self, names: Sequence[str]) -> None:
        """Say nothing."""


UNTOLD = Untold()


def counted(items: Iterable[Item], steps: Steps) -> Iterator[Item]:
    """Yield the items; each is a part of the step, done when the next is asked for."""
    for item in items:
        yield item
        steps.done()
