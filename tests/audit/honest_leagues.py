"""Simulated leagues of luck, skill and styles that suit each other more and less, in which two bots
help each other, or none does: whom an audit names, and finds.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

import numpy as np

from arena.audit.collusion import Lean, find_leans, judge_leans
from arena.model import Outcome, Pool
from tests.simulated import LUCK


class Shape(NamedTuple):
    """How many games a pool has."""

    seats: int
    deals: int  # of each line-up
    games: int  # of each deal


SHAPE = Shape(3, 6, 6)
BOTS = 10
SKILL, SUITS = 4.0, 1.0  # sd in mu: between bots; of what a deal gives a bot in all its games


def pool_of(shape: Shape) -> Pool:
    return Pool("no_thanks", shape.seats, "{}", "")


def pairs_of(
    shape: Shape,
    rng: np.random.Generator,
    styles: float,
    helps: float = 0.0,
    bots: int = BOTS,
) -> list[Lean]:
    """The leans of a pool of bots of random skill and styles. The bots of the middle, by
    name, help each other.
    """
    skills = SKILL * rng.standard_normal(bots)
    suited = styles * rng.standard_normal((bots, bots)) * (1 - np.eye(bots))
    a, b = helpers(bots)
    suited[a, b] += helps
    suited[b, a] += helps
    line_ups = np.array([*combinations(range(bots), shape.seats)])
    strength = skills[line_ups] + suited[line_ups[:, :, None], line_ups[:, None]].sum(axis=2)
    per_deal = (len(line_ups), shape.deals, 1, shape.seats)
    per_game = (len(line_ups), shape.deals, shape.games, shape.seats)
    performance = strength[:, None, None] + SUITS * rng.standard_normal(per_deal)
    points = np.round(performance + LUCK * rng.standard_normal(per_game))
    ranks = 1 + (points[..., None, :] > points[..., :, None]).sum(axis=-1)
    return find_leans(pool_of(shape), _games(line_ups, ranks))


def helpers(bots: int) -> tuple[int, int]:
    """The numbers of the two that help each other."""
    return bots // 2 - 1, bots // 2


def _games(
    line_ups: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    ranks: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
) -> Iterator[tuple[Outcome, tuple[int, int]]]:
    nothing = (0,) * line_ups.shape[1]
    faultless = ("",) * line_ups.shape[1]
    for number, line_up in enumerate(line_ups.tolist()):
        names = tuple([f"bot{bot:02}" for bot in line_up])
        for deal, games in enumerate(ranks[number].tolist()):
            for of_game in games:
                yield Outcome("", names, tuple(of_game), nothing, faultless), (number, deal)


def named(pools: Sequence[tuple[Pool, Sequence[Lean]]]) -> bool:
    """Whether an audit of the pools names anybody."""
    return any(pair.significant for pair in judge_leans(pools))


def found(helps: float, leagues: int) -> tuple[float, float, float]:
    """Return of two that help each other the mean lean, the median of the least that the audit
    could have found, and the share of leagues that name them.
    """
    a, b = helpers(BOTS)
    who, lean, least, hits = (f"bot{a:02}", f"bot{b:02}"), [], [], 0
    for seed in range(leagues):
        rng = np.random.default_rng(seed)
        pool = pool_of(SHAPE), pairs_of(SHAPE, rng, 0.0, helps)
        pairs = judge_leans([pool])
        (own,) = (pair for pair in pairs if pair.bots == who)
        lean.append(own.effect)
        least.append(own.detectable_effect or float("inf"))
        hits += own.significant
    return fmean(lean), float(np.median(least)), hits / leagues
