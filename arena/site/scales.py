"""A scale of numbers as wide as its cell: where a value lies on it, in percent. Pure.

An interval in a table's cell is drawn in percent of the cell, not in pixels: so it is as wide as
the page lets it be, and its strokes keep their width.
"""

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

MARGIN = 6.0  # percent left free at either end, for the outermost tick's number
TICKS = 4  # at most


class Scale(NamedTuple):
    """A linear scale from the least to the greatest of its values."""

    least: float
    most: float
    ticks: tuple[float, ...]  # round numbers on it, ascending
    middle: float | None = None  # the value that others are compared with, if it is on the scale

    def at(self, value: float | None, open_end: float = 0.0) -> float:
        """Return where a value lies, in percent from the left; `open_end` for none."""
        if value is None:
            return open_end
        within = (value - self.least) / (self.most - self.least)
        return round(MARGIN + (100 - 2 * MARGIN) * within, 1)

    def label(self, tick: float) -> str:
        """Return a tick's number, with as many decimals as its ticks need."""
        step = self.ticks[1] - self.ticks[0] if len(self.ticks) > 1 else 1.0
        return f"{round(tick, 9) + 0.0:.{max(0, -floor(log10(step) + 1e-9))}f}"


def scale_of(values: Iterable[float | None], middle: float | None = None) -> Scale:
    """Return the scale of these values, of which some are None; from 0 to 1 without any."""
    known = [value for value in values if value is not None]
    least, most = min(known, default=0.0), max(known, default=1.0)
    if most - least < 1e-6:
        least, most = least - 0.5, most + 0.5
    on_it = middle if middle is not None and least <= middle <= most else None
    return Scale(least, most, _ticks(least, most), on_it)


def _ticks(least: float, most: float) -> tuple[float, ...]:
    """Return at most `TICKS` multiples of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10((most - least) / TICKS))
    for factor in (1, 2, 5, 10, 20, 50):
        step = factor * power
        numbers = range(ceil(least / step - 1e-9), floor(most / step + 1e-9) + 1)
        if len(numbers) <= TICKS:
            break
    return tuple(number * step for number in numbers)
