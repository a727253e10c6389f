"""Progress of long work, reported to whatever shows it; showing it is the command line's matter
(`arena.cli.progress`).

Work that takes seconds is reported step by step, and play, between its steps, game by game.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")


class Alike(NamedTuple):
    """Games of the same bots in the same seats that ended alike."""

    bots: tuple[str, ...]  # names, by seat
    ranks: tuple[int, ...]  # by seat
    games: int


class Look(NamedTuple):
    """The result of a look at a pool that is to be settled."""

    pool: str  # title
    games: int  # so far
    look: int  # 1 is the first
    planned_looks: int
    difference: float  # in mu, of the first two bots without a verdict
    interval: tuple[float | None, float | None] | None
    verdict: str  # of the first of the two
    words: str  # how far they have come; "" where the pool is settled


class OutOfTime(Exception):
    """Time or room given for some work is used up."""


class Progress:
    """Receives reports of work. This one shows nothing."""

    def begin(self, what: str, of: int = 0) -> None:
        """Begin a step, which ends the one before: `judging games`, of so many parts; 0 where the
        number is unknown.
        """

    def done(self, parts: int = 1) -> None:
        """Count parts of the step that are done."""

    def at(self, names: Sequence[str]) -> None:
        """Say which parts of the step are at hand: everything else waits for these."""

    def before(self, games: Iterable[Alike]) -> None:
        """Take the games that are stored already; a display without results need not read them."""

    def start(self, games: int, workers: int, more: bool) -> None:
        """Say how many games are to be played, when called again how many besides; and whether
        their results may ask for `more`.
        """

    def played(self, count: int, games: Iterable[Alike]) -> None:
        """Take so many finished games; a display without results need not read them."""

    def looked(self, look: Look) -> None:
        """Say what a look found."""

    def say(self, *lines: str) -> None:
        """Print words for people, apart from the display."""

    def say_unread(self, *lines: str) -> None:
        """Say what could not be read, and is left out: then the command fails in the end."""

    def stop(self) -> None:
        """Play has ended, or was stopped."""


SILENT = Progress()


def count_items(items: Iterable[Item], steps: Progress) -> Iterator[Item]:
    """Count items as parts of the step, each done when the next is asked for; yields them."""
    for item in items:
        yield item
        steps.done()


def take_until(end_s: float, items: Iterable[Item]) -> Iterator[Item]:
    """Yield items until `end_s` of the monotonic clock, at least one: none is asked for later."""
    for item in items:
        yield item
        if time.monotonic() > end_s:
            return


def check_time(end_s: float) -> None:
    """Raise OutOfTime from `end_s` of the monotonic clock on."""
    if time.monotonic() > end_s:
        raise OutOfTime
