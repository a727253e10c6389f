"""Score distributions as pages draw them: steps of one path, on bins that all bots share. Pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from arena.rating.outcomes import Ints
from arena.words import amount

BINS = 24  # of scores, at most, the two open ones beside them
TAIL = 0.005  # of the pool's scores that lie beyond each end
HEIGHT = 40  # of a drawing, in its own units
TICKS = 6  # numbers on the axis, at most


class Histogram(NamedTuple):
    """A bot's scores as a drawing, beside those of all bots on the same scale."""

    games: int
    path: str  # of the bot's share in each bin; "" without games
    everybody: str
    at: float  # where the median lies, in bins from the left
    words: str  # the drawing in words, for screen readers
    middle: str  # the median; "-" without games
    half: str  # from the lower to the upper quartile


NO_GAMES = Histogram(
    games=0, path="", everybody="", at=0.0, words="no game without a forfeit", middle="-", half="-"
)


class Histograms(NamedTuple):
    """The drawings of a pool's bots, and the axis below them; without games, all empty."""

    bins: int  # which are one wide, in the drawings' own units
    ticks: tuple[tuple[float, int], ...]  # percent from the left, score
    bots: tuple[Histogram, ...]  # by bot, in the order of names


class _Bins(NamedTuple):
    """Bins in which scores are counted: of a width, and open ones where some score lies beyond."""

    first: int  # where the first begins
    width: int  # of each, in points
    number: int
    below: bool  # whether there is an open one at this end
    above: bool

    @property
    def columns(self) -> int:
        """The number of bins, the open ones among them."""
        return self.below + self.number + self.above

    def shares(self, scores: Ints) -> list[float]:
        """The share of the scores in each bin."""
        place = np.clip((scores - self.first) // self.width + self.below, 0, self.columns - 1)
        shares: list[float] = (np.bincount(place, minlength=self.columns) / len(scores)).tolist()
        return shares

    def ticks(self) -> Iterable[tuple[float, int]]:
        """Percent from the left, and score: where bins begin, or in their middle if they have one
        score each.
        """
        middle = 0.5 if self.width == 1 else 0
        places = range(self.number + (self.width > 1))
        for at in places[:: -(-len(places) // TICKS)]:
            percent = 100 * (self.below + at + middle) / self.columns
            yield round(percent, 1), self.first + self.width * at


def draw_histograms(everybody: Ints, by_bot: Iterable[Ints]) -> Histograms:
    """Draw each bot's scores, by bot and in any order, beside those of all bots: of a drawing's two
    paths the areas are equal.
    """
    if not len(everybody):
        return Histograms(0, (), tuple(NO_GAMES for _ in by_bot))
    bins = _choose_bins(np.sort(everybody))
    of_all = bins.shares(everybody)
    bots = tuple(_draw(bins, of_all, np.sort(scores)) for scores in by_bot)
    return Histograms(bins.columns, tuple(bins.ticks()), bots)


def _draw(bins: _Bins, of_all: list[float], ordered: Ints) -> Histogram:
    if not len(ordered):
        return NO_GAMES
    of_bot = bins.shares(ordered)
    top = max(*of_bot, *of_all)
    quantiles = (_quantile(ordered, share) for share in (0, 0.25, 0.5, 0.75, 1))
    low, quarter, median, three_quarters, high = quantiles
    middle = (median + 0.5 - bins.first) / bins.width + bins.below  # of its point
    return Histogram(
        games=len(ordered),
        path=_steps(of_bot, top),
        everybody=_steps(of_all, top),
        at=round(min(max(middle, 0.5), bins.columns - 0.5), 2),
        words=f"median {median:g}, half of the games from {quarter:g} to {three_quarters:g}, all "
        f"from {low:g} to {high:g}; {amount(len(ordered), 'game')}",
        middle=f"{median:g}",
        half=f"{quarter:g} to {three_quarters:g}",
    )


def _choose_bins(ordered: Ints) -> _Bins:
    """Bins for scores in ascending order, but for the few farthest."""
    low, high = int(_quantile(ordered, TAIL)), int(_quantile(ordered, 1 - TAIL))
    width = next(
        width
        for power in range(20)
        for width in (10**power, 2 * 10**power, 5 * 10**power)
        if high // width - low // width < BINS
    )
    first, last = low // width, high // width
    below, above = int(ordered[0]) // width < first, int(ordered[-1]) // width > last
    return _Bins(first * width, width, last - first + 1, below, above)


def _quantile(ordered: Ints, share: float) -> float:
    """A quantile of ascending numbers, interpolated between two neighbours."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (at - low) * (ordered[high] - ordered[low]))


def _steps(shares: Sequence[float], top: float) -> str:
    """The outline of bars side by side, from the first to the last, as an SVG path."""
    heights = [HEIGHT - round((HEIGHT - 2) * share / top) for share in shares]
    while heights[-1] == HEIGHT:
        heights.pop()
    bars = [(height, len([*run])) for height, run in groupby(heights)]
    start = bars.pop(0)[1] if bars[0][0] == HEIGHT else 0
    steps = "".join(f"V{height}h{run}" for height, run in bars)
    return f"M{start} {HEIGHT}{steps}V{HEIGHT}z"
