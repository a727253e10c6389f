"""Score distributions as pages draw them: steps of one path, on bins that all bots share. Pure."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from arena.site.stats_pool import Scores, Spread
from arena.words import amount

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


class Axis(NamedTuple):
    """The numbers below histograms; none without games."""

    bins: int  # which are one wide, in the drawing's own units
    ticks: tuple[tuple[float, int], ...]  # percent from the left, score


def axis_of(scores: Scores) -> Axis:
    """The axis of a pool's histograms: where bins begin; the scores, where bins are one wide."""
    if not scores.everybody.games:
        return Axis(0, ())
    drawn = _drawn(scores, scores.everybody.counts)
    first = scores.first - scores.width * (len(drawn.below) > 0)
    middle, last = 0.5 * (scores.width == 1), len(drawn.shares) - len(drawn.above)
    places = range(len(drawn.below), last + (scores.width > 1))
    step = -(-len(places) // TICKS)
    ticks = tuple(
        (round(100 * (at + middle) / len(drawn.shares), 1), first + scores.width * at)
        for at in places[::step]
    )
    return Axis(len(drawn.shares), ticks)


def histogram(scores: Scores, spread: Spread) -> Histogram:
    """The drawing of a bot's scores; its area and that of all bots' scores are equal."""
    if not spread.games:
        return Histogram(0, "", "", 0.0, "no game without a forfeit", "-", "-")
    of_bot, of_all = (_drawn(scores, each.counts).shares for each in (spread, scores.everybody))
    top = max(*of_bot, *of_all)
    low, quarter, median, three_quarters, high = spread.quartiles
    words = (
        f"median {median:g}, half of the games from {quarter:g} to {three_quarters:g}, all "
        f"from {low:g} to {high:g}; {amount(spread.games, 'game')}"
    )
    return Histogram(
        spread.games,
        _steps(of_bot, top),
        _steps(of_all, top),
        _place(scores, median),
        words,
        f"{median:g}",
        f"{quarter:g} to {three_quarters:g}",
    )


class _Drawn(NamedTuple):
    """Bins as they are drawn: the open ones only where some bot has a score in them."""

    below: list[float]
    shares: list[float]  # all of them
    above: list[float]


def _drawn(scores: Scores, counts: Sequence[int]) -> _Drawn:
    shares = [count / max(sum(counts), 1) for count in counts]
    everybody = scores.everybody.counts
    below = shares[:1] if everybody[0] else []
    above = shares[-1:] if everybody[-1] else []
    return _Drawn(below, [*below, *shares[1:-1], *above], above)


def _place(scores: Scores, value: float) -> float:
    """Where a score lies, in bins from the left: in the middle of its point."""
    drawn = _drawn(scores, scores.everybody.counts)
    within = (value + 0.5 - scores.first) / scores.width + len(drawn.below)
    return round(min(max(within, 0.5), len(drawn.shares) - 0.5), 2)


def _steps(shares: Sequence[float], top: float) -> str:
    """The outline of bars side by side, from the first to the last, as an SVG path."""
    heights = [HEIGHT - round((HEIGHT - 2) * share / top) for share in shares]
    while heights[-1] == HEIGHT:
        heights.pop()
    bars = [(height, len([*run])) for height, run in groupby(heights)]
    start = bars.pop(0)[1] if bars[0][0] == HEIGHT else 0
    return (
        f"M{start} {HEIGHT}" + "".join(f"V{height}h{run}" for height, run in bars) + f"V{HEIGHT}z"
    )
