"""`python -m tests.benchmarks.drawn [--leagues R] [--only WORD ...]`.

Do numbers hold where schedules are not complete, and where decks rarely tell?

Plays R leagues of each kind (200) as a tournament does: the line-ups that its schedule draws, in
its seatings, up to the looks that are planned; outcomes are drawn for bots of known skill. The
truth is what ratings of all line-ups tend to with ever more deals. By kind:

- `table`: games bought of drawn line-ups; decks that rarely tell. Prints in how many leagues all
  likely places hold, how many 95 % intervals do, how many bots have them, and how wide intervals
  are. A bot on too few line-ups has neither and is not counted; `-` where no bot has likely places.
- `confidence`, `match`: any false claim at any look, a false "equal" (of bots that are more than
  the band apart), a wrong best, and the games: mean, and median with quartiles. `field`: the two
  never meet, and the second loses what the first wins in so many of its decks.

`*` marks a line that misses its level by more than two of its errors. `inter s`: each ordered pair
of bots has its own gain, +x for one and -x for the other, x from N(0, s). A league takes 0.01 s
(2 bots) to 0.3 s (30 bots), of settling up to 1.5 s, of tables of 3 with `inter` 1 s.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array, normal_cdf
from arena.rating.rate import Ratings, find_rating_bounds
from tests.benchmarks.scheduled import (
    BEST,
    NEIGHBOURS,
    Kind,
    draw_league,
    enter,
    find_truth,
    play,
    rate,
    settle,
)
from tests.simulated import LUCK, held, ranges

SEED = 1


class Held(NamedTuple):
    """What a league's table got right."""

    intervals: float  # share of those it has; nan without any
    shown: float  # share of bots that have one
    places: float  # whether all of those it has hold at once; nan without any
    placed: float  # share of bots that have them
    width: float  # of intervals with two ends, on average


def judge_table(ratings: Ratings, truth: Array) -> Held:
    """Judge a table by the truth of its bots, in the order of names."""
    truth = truth - truth.mean() + 25
    right = held(ratings, truth)
    ends = filter(None, find_rating_bounds(ratings, ratings.mu.tolist()))
    width = [high - low for low, high in ends if low is not None and high is not None]
    apart = np.round(truth[:, None] - truth, 6)
    best, worst = 1 + (apart < 0).sum(axis=1), len(truth) - (apart > 0).sum(axis=1)
    said = zip(ranges(ratings), best.tolist(), worst.tolist(), strict=True)
    fits = [each[0] <= first and last <= each[1] for each, first, last in said if each]
    places = all(fits) if fits else nan
    shown, placed = len(right) / len(truth), len(fits) / len(truth)
    return Held(_mean(right), shown, places, placed, _mean(width))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else nan


def in_share(values: Sequence[float] | Array, least: float, most: float = 2.0) -> str:
    """A mean with its error, leagues being independent; `*` if it is out of bounds; `-` of none."""
    known = np.array([each for each in values if not np.isnan(each)])
    if not len(known):
        return "-"
    mean, error = known.mean(), known.std() / len(known) ** 0.5
    if known.dtype == bool:  # one more either way, so that no error is 0
        chance = (known.sum() + 1) / (len(known) + 2)
        error = (chance * (1 - chance) / len(known)) ** 0.5
    missed = "*" if mean + 2 * error < least or mean - 2 * error > most else " "
    return f"{mean:.3f}±{error:.3f}{missed}"


def tables(kind: Kind, leagues: int) -> str:
    """What tables say of leagues that have been played."""
    rng, entry = np.random.default_rng(SEED), enter(kind)
    found: list[Held] = []
    games = 0
    for _ in range(leagues):
        league = draw_league(kind, rng)
        columns = play(kind, league, entry, 0, rng)
        games = len(columns.deals)
        found.append(judge_table(rate(entry, columns)[0], find_truth(kind, league, rng)))
    intervals, shown, places, placed, width = zip(*found, strict=True)
    line = f"{games:>6,} games; places {in_share(places, 0.95)} of {np.mean(placed):4.0%} of bots"
    if any(shown):
        line += f", intervals {in_share(intervals, 0.94)} of {np.mean(shown):4.0%} of bots"
        line += f", width {np.nanmean(width):.2f}" if not np.isnan(width).all() else ""
    return line


def settled(kind: Kind, leagues: int) -> str:
    """How leagues ended that were played from look to look."""
    rng = np.random.default_rng(SEED)
    found = [settle(kind, rng) for _ in range(leagues)]
    games, reached, false, equal, wrong = zip(*found, strict=True)
    low, half, high = np.quantile(games, (0.25, 0.5, 0.75))
    best = f", wrong best {in_share(wrong, 0, 0.05)}" if kind.aim == BEST else ""
    return (
        f"false {in_share(false, 0, 0.05)}, equal {in_share(equal, 0, 0.025)}{best}, "
        f"reached {np.mean(reached):4.0%}; games {np.mean(games):,.0f}"
        f"±{np.std(games) / leagues**0.5:,.0f} (median {half:,.0f}, {low:,.0f} to {high:,.0f})"
    )


def ahead(lead: float, bots: int = 2) -> tuple[float, ...]:
    """Skills of a bot so far ahead of equals."""
    return (25.0 + lead, *(25.0,) * (bots - 1))


def often(chance: float) -> tuple[float, ...]:
    """Skills of two bots, where the first wins so often."""
    gaps = np.linspace(0, 40, 400_001)
    return ahead(float(gaps[np.searchsorted(normal_cdf(gaps / (LUCK * 2**0.5)), chance)]))


CLONES = Kind(2, deals=3000, shared=True, telling=1 / 9)
"""Near-clones: the first bot wins both games of one deck in nine, the others end level."""
MATCH = Kind(2, deals=2500, match=True, aim=NEIGHBOURS)
DRAWN = {
    2: Kind(20, 2, games=48_000, deals=400, aim=BEST),
    3: Kind(20, 3, games=6_480, deals=18, aim=BEST),
}
"""By seats: where `deals` came before line-ups, both played 60 line-ups again and again."""

KINDS: dict[str, tuple[Callable[[Kind, int], str], Kind]] = {
    **{
        f"table: 30 bots 2p, {games} games, inter {inter}": (
            tables, Kind(30, games=games, deals=games // 300, inter=inter)
        )
        for games in (300, 600, 1_200, 3_000, 6_000)
        for inter in (0, 1, 2)
    },
    **{
        f"table: 14 bots 3p, 672 games, inter {inter}": (
            tables, Kind(14, 3, games=672, deals=2, inter=inter)
        )
        for inter in (0, 1, 2)
    },
    "table: 2 near-clones, 30 decks": (tables, CLONES._replace(deals=30, telling=1 / 20)),
    "table: 3 near-clones, 40 decks": (tables, CLONES._replace(bots=3, deals=20, telling=1 / 20)),
    **{
        f"table: {bots} bots, ties of {ties:.0%}": (tables, Kind(bots, deals=deals, ties=ties))
        for bots, deals, ties in ((2, 10, 0.95), (2, 30, 0.98), (4, 10, 0.9), (4, 10, 0.95),
                                  (4, 10, 0.98))
    },
    **{
        f"confidence: best of 20 {seats}p, inter {inter}": (settled, kind._replace(inter=inter))
        for seats, kind in DRAWN.items()
        for inter in (0, 1, 2)
    },
    **{
        f"confidence: {bots} near-clones": (
            settled, CLONES._replace(bots=bots, deals=most, aim=NEIGHBOURS)
        )
        for bots, most in ((2, 3000), (3, 1500), (4, 1000))
    },
    **{
        f"confidence: 2p, ties of {ties:.0%}": (
            settled, Kind(2, deals=3000, ties=ties, aim=NEIGHBOURS)
        )
        for ties in (0.95, 0.98)
    },
    **{
        f"match: wins {chance:.0%}": (settled, MATCH._replace(skills=often(chance)))
        for chance in (0.6, 0.7, 0.9)
    },
    **{
        f"match: field, wins {wins:.0%}, errs in {errs:.1%}": (
            settled, MATCH._replace(bots=5, deals=417, wins=wins, errs=errs)
        )
        for wins, errs in ((0.95, 0.01), (0.99, 0.01), (0.99, 0.004))
    },
}  # fmt: skip


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="drawn", description="Do numbers on samples hold?")
    parser.add_argument("--leagues", type=int, default=200, metavar="R", help="of each kind (200)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="only such kinds")
    given = parser.parse_args(words)
    print(f"seed {SEED}; {given.leagues} leagues a line", flush=True)
    for name, (judge, kind) in KINDS.items():
        if any(word in name for word in given.only):
            print(f"{name:<46}{judge(kind, given.leagues)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
