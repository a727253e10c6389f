"""Can an audit see five copies that play for a friend? The figures of arena/audit/README.md.

`python -m tests.benchmarks.gifts [BOTS GAMES SEASONS]`
"""

import sys
from math import sqrt

import numpy as np

from arena.audit.collusion import _beside_others, _gains, _LineUp
from arena.rating.gaussian import Array
from arena.rating.p_values import t_above

SEATS, COPIES, MOST, STYLE, TIMES = 4, 5, 8, 1.5, 100
SEASONS = (
    *((shape, 0.0) for shape in ("skills", "styles", "one style", "schools", "copies")),
    ("skills", 2.0), ("skills", 4.0), ("styles", 2.0), ("styles", 4.0),
)  # fmt: skip


def play(rng: np.random.Generator, bots: int, games: int, shape: str, gift: float) -> list[_LineUp]:
    """Return a season's line-ups; bots 1 to 5 are copies that give the first bot so much."""
    skill = rng.normal(0, 4, bots)
    each = STYLE * rng.standard_normal((bots, bots))
    one, other = STYLE * rng.standard_normal(bots), rng.standard_normal(bots)
    school = rng.choice([-1.0, 1.0], bots)
    effects = {"styles": each, "one style": np.outer(one, other),
               "schools": -STYLE * np.outer(school, school)}  # fmt: skip
    effect = effects.get(shape, np.zeros((bots, bots)))  # on the first beside the second
    if shape == "copies":
        effect[:, 1 : COPIES + 1] = each[:, [1]]
    if gift or shape == "copies":
        skill[1 : COPIES + 1] = skill[1]
    effect[0, 1 : COPIES + 1] += gift
    np.fill_diagonal(effect, 0)
    drawn = np.sort([rng.choice(bots, SEATS, replace=False) for _ in range(games)], axis=1)
    played = skill[drawn] + rng.normal(0, 8, drawn.shape)
    played += effect[drawn[:, :, None], drawn[:, None]].sum(axis=2)
    ahead = (played[:, :, None] > played[:, None]).astype(float)
    line_ups: dict[tuple[int, ...], list[Array]] = {}
    for line_up, won in zip(map(tuple, drawn.tolist()), ahead, strict=True):
        line_ups.setdefault(line_up, []).append(won)
    return [_LineUp(np.array(line_up), np.ones(len(won)), np.array(won))
            for line_up, won in sorted(line_ups.items())]  # fmt: skip


def sums(gains: Array) -> Array:
    """Return for each bot the most that some others give it together, in standard errors."""
    best = -np.sort(-gains, axis=1)[:, :MOST]
    most: Array = (best.cumsum(axis=1) / np.sqrt(np.arange(1, best.shape[1] + 1))).max(axis=1)
    return most


def find_p_values(gains: Array, rng: np.random.Generator) -> tuple[float, float]:
    """Return the p of the search repeated with permuted gains, and of the first beside others."""
    bots, found = len(gains), sums(gains)
    others = [np.delete(np.arange(bots), bot) for bot in range(bots)]
    more = 0
    for _ in range(TIMES):
        permuted = np.zeros_like(gains)
        for bot, rest in enumerate(others):
            permuted[rest, bot] = rng.permutation(gains[rest, bot])
        more += sums(permuted).max() >= found.max()
    rest = np.delete(found, found.argmax())
    off = (found.max() - rest.mean()) / sqrt(rest.var(ddof=1) * (1 + 1 / len(rest)))
    return (1 + more) / (1 + TIMES), bots * t_above(off, len(rest) - 1)


if __name__ == "__main__":
    bots, games, seasons = map(int, sys.argv[1:] or ("12", "4000", "100"))
    for number, (shape, gift) in enumerate(SEASONS):
        named = np.zeros(2)
        for season in range(seasons):
            rng = np.random.default_rng([number, season])
            gains = _gains(bots, play(rng, bots, games, shape, gift))
            error = np.sqrt(np.maximum(gains.variance, 1e-12))
            excess = np.where(gains.known, _beside_others(gains).off / error, 0.0)
            named += np.array(find_p_values(excess, rng)) <= 0.05
        permuted, beside = named / seasons
        print(f"{shape}, a gift of {gift} mu: {permuted:.2f} permuted, {beside:.2f} beside others")
