"""What went wrong in a bot's `end`, as its author is told: each text once, with how often.

It costs no game, so it is no fault; it is kept among a session's notes, which are texts.
"""

import re
from typing import NamedTuple

from arena.sandbox import wire
from arena.session.kept import Kept

TEXTS = 8  # different ones of a session; further ones are counted to the last
NOTE = re.compile(r"in end(?:, (\d{1,12}) times)?: ")


class FailedEnds(NamedTuple):
    """Failures of `end` that are told alike."""

    times: int
    text: str  # a traceback, or why the process was lost


class EndsOfSession:
    """Counts the failures of a bot's `end`."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._times: dict[str, int] = {}  # by text

    def add(self, text: str, times: int) -> None:
        """Count so many failures."""
        text = wire.end_of(text, wire.TEXT_BYTES).rstrip()
        if text not in self._times and (len(self._times) == TEXTS or not self._kept.takes("end")):
            text = next(reversed(self._times))
        elif text not in self._times:
            text = self._kept.text("end", text)
        self._times[text] = self._times.get(text, 0) + times

    def notes(self) -> list[str]:
        """Return a note for each text, in the order they came."""
        return [
            f"in end: {text}" if times == 1 else f"in end, {times} times: {text}"
            for text, times in self._times.items()
        ]


def failed_ends(note: str) -> FailedEnds | None:
    """Return what a note says of `end`; None if it says something else."""
    found = NOTE.match(note)
    return FailedEnds(int(found[1] or 1), note[found.end() :]) if found else None
