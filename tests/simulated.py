"""Leagues of bots whose skill is known: a world in which intervals can be held to account.

A bot's performance in a game is its skill and its own luck, with what a `World` adds to it. Best
performance first; those that round to one number tie.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from arena.model import Outcome, Pool, Sharing
from arena.rating.comparisons import compare_bots
from arena.rating.gaussian import Array
from arena.rating.outcomes import (
    GameColumns,
    MergedGames,
    Weights,
    make_columns,
    merge_games,
    select_counted,
)
from arena.rating.rate import Ratings, find_rating_bounds, rate_bots

LUCK = 25 / 6  # the model's own


class World(NamedTuple):
    """How a league is played, and by what laws."""

    skills: tuple[float, ...]
    seats: int = 3
    deals: int = 2  # of each line-up; and of each seating, where decks are not shared
    shared: bool = True  # all seatings of a line-up play each deck
    hands: float = 0.0  # sd of what a deck gives a seat
    suits: float = 0.0  # sd of what a deck gives a bot
    feuds: tuple[tuple[int, int, float], ...] = ()  # a bot plays better by so much beside another
    step: float = 1.0  # performances tie that round to the same multiple
    winner_only: bool = False  # all but the best tie
    learns: float = 0.0  # what the first bot gains from the first game to the last
    talent: float = 0.0  # sd of the same, drawn anew for each league's process
    by_seat: tuple[float, ...] = ()  # what each seat is worth


def league(world: World, rng: np.random.Generator) -> GameColumns:
    """Return a league's games, played deal by deal."""
    bots = len(world.skills)
    line_ups = [*combinations(range(bots), world.seats)]
    orders = np.array([[*permutations(line_up)] for line_up in line_ups])
    ways = orders.shape[1]
    seated = np.tile(orders.reshape(-1, world.seats), (world.deals, 1))
    games = np.arange(len(seated))
    deck = games // ways if world.shared else games
    performance = np.array(world.skills)[seated] + LUCK * rng.standard_normal(seated.shape)
    hand = rng.standard_normal((deck[-1] + 1, world.seats))
    suit = rng.standard_normal((deck[-1] + 1, bots))
    performance += world.hands * hand[deck]
    performance += world.suits * suit[deck[:, None], seated]
    gained = world.learns + world.talent * rng.standard_normal()
    performance += (seated == 0) * (gained * games / len(games))[:, None]
    if world.by_seat:
        performance += np.array(world.by_seat)
    for bot, other, gain in world.feuds:
        performance += gain * (seated == bot) * (seated == other).any(axis=1, keepdims=True)
    points = np.round(performance / world.step)
    ranks = 1 + (points[:, :, None] < points[:, None]).sum(axis=2)
    if world.winner_only:
        ranks = np.minimum(ranks, 2)
    names = tuple(f"bot{number}" for number in range(bots))
    pool = Pool("no_thanks", world.seats, "{}", "")
    deals = games // (len(line_ups) * ways)
    return GameColumns(pool, names, seated, ranks, points.astype(np.int64), deals, Counter())


def merge(table: GameColumns, shared: Sharing = True, drawn: Weights | None = None) -> MergedGames:
    return merge_games(table, select_counted(table), shared, drawn)


def merge_league(world: World, rng: np.random.Generator) -> MergedGames:
    """Return a league's games as ratings take them."""
    return merge(league(world, rng), world.shared)


def rate(table: GameColumns, shared: Sharing = True, drawn: Weights | None = None) -> Ratings:
    return rate_bots(table.names, merge(table, shared, drawn))


def play(
    pool: Pool, names: Iterable[str], *games: tuple[Iterable[str], Sequence[int], int]
) -> GameColumns:
    """Return games given as the bots and ranks by seat, and the deal."""
    played = [
        (Outcome("", tuple(bots), tuple(ranks), (0,) * len(ranks), ("",) * len(ranks)), deal)
        for bots, ranks, deal in games
    ]
    return make_columns(pool, names, played)


def make_ratings(
    mu: Mapping[str, float], sd: float | Sequence[float] = 0.0, freedom: int | Sequence[int] = 40
) -> Ratings:
    """Return ratings of independent bots, each with a deck more than it has degrees of freedom."""
    sds, degrees = np.full(len(mu), sd), np.full(len(mu), freedom)
    covariance, none = np.diag(sds**2), 0 * degrees
    numbers = np.array([*mu.values()], dtype=np.float64)
    return Ratings(
        tuple(mu), numbers, sds, covariance, degrees, degrees + 1, 0.1, none, none, 0.0 * sds, none,
        0 * covariance,
    )  # fmt: skip


def joined(parts: list[GameColumns]) -> GameColumns:
    """Return the games of several leagues as if they were one, each with deals of its own."""
    first = parts[0]
    deals = np.concatenate([part.deals + 1000 * number for number, part in enumerate(parts)])
    bots, ranks, scores = (np.concatenate([part[at] for part in parts]) for at in (2, 3, 4))
    return GameColumns(first.pool, first.names, bots, ranks, scores, deals, Counter())


def limit(world: World, rng: np.random.Generator, leagues: int = 1000) -> Array:
    """Return the mu that ratings tend to with ever more leagues: (bots,)."""
    table = joined([league(world, rng) for _ in range(leagues)])
    return rate(table, world.shared).mu


def held(ratings: Ratings, truth: Array) -> list[bool]:
    """Return by bot whether its interval, as published, holds the true mu; every bot has one."""
    bounds = find_rating_bounds(ratings, ratings.mu.tolist())
    return [
        (ends[0] is None or ends[0] <= true) and (ends[1] is None or true <= ends[1])
        for ends, true in zip(bounds, truth.tolist(), strict=True)
        if ends
    ]


def ranges(ratings: Ratings) -> list[tuple[int, int] | None]:
    """Return by bot the first and last place that it may have, as published."""
    order = np.argsort(-ratings.mu, kind="stable")
    said = compare_bots(
        [round(float(mu), 3) for mu in ratings.mu[order]],
        ratings.covariance[np.ix_(order, order)],
        ratings.errors[np.ix_(order, order)],
        ratings.freedom[order],
        ratings.above[order],
        ratings.below[order],
    ).places
    places = dict(zip(order.tolist(), said, strict=True))
    return [places[bot] for bot in range(len(places))]


def gauntlet(rivals: dict[str, str], deals: int, rng: np.random.Generator) -> GameColumns:
    """Return a gauntlet of `thrifty` at tables of two: each deck in both seatings.

    By name, what its `rivals` are to it: with a `twin` the seat wins a deck, or in half of them
    neither does; with a `peer` half of the games are drawn; the `champion` wins 8 of 10.
    """
    names = tuple(sorted(("thrifty", *rivals)))
    own = names.index("thrifty")
    bots, ranks, numbers = [], [], []
    for rival, kind in rivals.items():
        other = names.index(rival)
        for deal in range(deals):
            by_seat = rng.choice([0, 0, 1, -1])  # who wins if play is alike: neither, seat 0 or 1
            for seats in ((own, other), (other, own)):
                won = by_seat  # by seat 0
                if kind == "peer":
                    won = rng.choice([0, 0, 1, -1])
                if kind == "champion":
                    won = (1 if rng.random() < 0.8 else -1) * (1 if seats[0] == other else -1)
                bots.append(seats)
                ranks.append((1 + (won < 0), 1 + (won > 0)))
                numbers.append(deal)
    table = np.array(ranks)
    pool = Pool("sixteen", 2, "{}", "")
    return GameColumns(pool, names, np.array(bots), table, table, np.array(numbers), Counter())
