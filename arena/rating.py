"""Ratings: TrueSkill over the finishing orders of a pool.

Pure: the same outcomes give the same numbers, whatever order they come in. A pool is rated alone;
a game's rating is the mean of its pools', the overall one the mean of the games'.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import fsum, sqrt
from typing import Any, NamedTuple

import games
from arena.model import Outcome, Pool

MU = 25.0
SIGMA = MU / 3
DRAWS = (0.001, 0.99)
"""The bounds of a pool's draw probability: the update needs both a margin and room beside it."""


class Rating(NamedTuple):
    """What is believed of a bot's strength, and on how many rated games."""

    mu: float
    sigma: float
    games: int


class Side(NamedTuple):
    """Who wins and loses together in one game."""

    bots: tuple[str, ...]  # names, each once, by seat
    seats: tuple[int, ...]
    rank: int


def in_order(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return the outcomes by id: an order that looks random and depends on nothing."""
    return sorted(outcomes, key=lambda outcome: outcome.id)


def sides_of(pool: Pool) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side, sides by their first seat."""
    if not pool.partners:
        return tuple((seat,) for seat in range(pool.players))
    side = games.load(pool.game).side
    found: dict[int, list[int]] = {}
    for seat in range(pool.players):
        found.setdefault(side(seat), []).append(seat)
    return tuple(tuple(seats) for seats in found.values())


def rated_games(pool: Pool, outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, list[Side]]]:
    """Yield each game that counts, with its sides by their first seat.

    A team that is one bot twice is one competitor. A game with the same bot on two sides, or with
    sides of different strength, says nothing and is left out.
    """
    seats_of_sides = sides_of(pool)
    for outcome in outcomes:
        sides = [
            Side(
                tuple(dict.fromkeys(outcome.bots[s] for s in seats)), seats, outcome.ranks[seats[0]]
            )
            for seats in seats_of_sides
        ]
        names = [name for side in sides for name in side.bots]
        if len(set(names)) == len(names) and len({len(side.bots) for side in sides}) == 1:
            yield outcome, sides


def draw_probability(results: Iterable[Sequence[Side]]) -> float:
    """Return the share of ties among neighbours in the finishing orders, kept within `DRAWS`."""
    ties = pairs = 0
    for sides in results:
        ranks = sorted(side.rank for side in sides)
        pairs += len(ranks) - 1
        ties += sum(a == b for a, b in pairwise(ranks))
    low, high = DRAWS
    return min(max(ties / pairs if pairs else 0.0, low), high)


def rate(pool: Pool, outcomes: Iterable[Outcome], names: Iterable[str]) -> dict[str, Rating]:
    """Return the rating of each of `names`, who must be all that play in `outcomes`.

    One update a game, from the package's prior, without forgetting (tau 0). Then all are moved
    alike, so that the mean of those that played is 25; who did not play stays there.
    """
    from arena.trueskill_flat import Update, environment

    results = [sides for _, sides in rated_games(pool, in_order(outcomes))]
    env = environment(draw_probability(results))
    update = Update(env)
    prior = (SIGMA**-2, MU * SIGMA**-2)
    belief = dict.fromkeys(sorted(names), prior)
    played = dict.fromkeys(belief, 0)
    for sides in results:
        if len(sides[0].bots) > 1:
            _teams(env, belief, sides)
        else:
            bots = [side.bots[0] for side in sides]
            new = update([belief[bot] for bot in bots], [side.rank for side in sides])
            belief.update(zip(bots, new, strict=True))
        for side in sides:
            for bot in side.bots:
                played[bot] += 1
    mu = {bot: shift / precision for bot, (precision, shift) in belief.items() if played[bot]}
    drift = fsum(mu.values()) / len(mu) - MU if mu else 0.0
    return {
        bot: Rating(mu.get(bot, MU + drift) - drift, precision**-0.5, played[bot])
        for bot, (precision, _) in belief.items()
    }


def _teams(env: Any, belief: dict[str, tuple[float, float]], sides: Sequence[Side]) -> None:
    """Update `belief` by a game of teams of several bots, with the package's own function."""
    groups = [
        {bot: env.create_rating(belief[bot][1] / belief[bot][0], belief[bot][0] ** -0.5)
         for bot in side.bots}
        for side in sides
    ]  # fmt: skip
    for group in env.rate(groups, ranks=[side.rank for side in sides]):
        belief.update({bot: (new.pi, new.tau) for bot, new in group.items()})


def combine(ratings: Sequence[Mapping[str, Rating]]) -> dict[str, Rating]:
    """Return the equal-weight means of independent ratings, of the bots that are in all."""
    if not ratings:
        return {}
    everywhere = reduce(lambda a, b: a & b, (set(each) for each in ratings))
    return {bot: _mean([each[bot] for each in ratings]) for bot in sorted(everywhere)}


def _mean(ratings: Sequence[Rating]) -> Rating:
    count = len(ratings)
    return Rating(
        fsum(r.mu for r in ratings) / count,
        sqrt(fsum(r.sigma**2 for r in ratings)) / count,
        sum(r.games for r in ratings),
    )
