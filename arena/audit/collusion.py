"""Evidence of bots that help each other: how much better they do with each other at the table.

A bot's gain with another is how many percentage points more often it finishes ahead of the others
when that one is at the table; a pair's lean is both its gains together. README.md beside this file
says when a pair is named, and what that costs. Pure; numpy takes its time to load, so import this
where it is used.
"""

from array import array
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations, permutations
from math import sqrt
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import asdict

from arena.model import Outcome, Pool
from arena.rating.p_values import adjust_by_holm, t_above, t_critical
from arena.typed_json import means

WAYS = 3
"""Directions in which a pair may help: both each other, the one the other, the other the one."""
LEAST_DEALS = 8
"""No figure on fewer deals, with the other at the table or without: too few to tell their luck."""
LEVEL = 0.05
"""The share of audits of bots that do not help each other that may name a pair."""
POWER = 0.8
"""The share of audits that find the least lean: as is usual in planning (Cohen 1988, 2.4)."""
MOST_LEAN = 200.0  # both always ahead with each other, and never without

Array = npt.NDArray[np.float64]


class Lean(Struct, frozen=True):
    """The gains of two bots with each other, by bot, in points of 100."""

    bots: Annotated[tuple[str, str], means("By name.")]
    games: Annotated[int, means("Rated games with both bots.")]
    effect: Annotated[float, means("The sum of both boosts.")]
    effect_se: Annotated[
        float, means("Its standard error by luck, as for pairs without an effect.")
    ]
    effect_freedom: Annotated[int, means("Degrees of freedom of `effect_se`.")]
    field_se: Annotated[
        float, means("Its standard error from how other bots' boosts with the two vary.")
    ]
    field_freedom: Annotated[int, means("0 if no other bots' boosts are known.")]
    boosts: tuple[float, float]
    boosts_se: Annotated[tuple[float, float], means("Their standard errors.")]
    p_value: Annotated[
        float, means("Probability of an effect or boost this large by luck or style alone.")
    ]


class Judged(Lean, frozen=True):
    """A pair's lean, judged beside all others of the audit."""

    pool: Annotated[str, means("Its title.")]
    p_value_adjusted: Annotated[
        float, means("The same, corrected by Holm for all pairs of the audit.")
    ]
    significant: Annotated[bool, means(f"Whether `p_value_adjusted` is {LEVEL} or less.")]
    detectable_effect: Annotated[
        float | None,
        means(
            f"The least effect that {POWER:.0%} of such audits would find; null if "
            f"none could be found."
        ),
    ]


class _LineUp(NamedTuple):
    """The games of one line-up, added up by deal."""

    bots: npt.NDArray[np.intp]  # numbers, ascending
    games: Array  # (deals,)
    ahead: Array  # (deals, bots, bots): games in which the second finished ahead of the third


class _Gains(NamedTuple):
    """Gains as shares of games, each by bot and other; and the deals they rest on."""

    gain: Array
    variance: Array
    covariance: Array  # of a pair's two gains
    open: Array  # how undecided the games are of a bot with an other: 1 if even, 0 if decided
    games: Array  # with both
    deals: Array  # with both, or with the one and not the other: the fewest of the three
    known: npt.NDArray[np.bool_]


class Noise(NamedTuple):
    """The error of a gain or a lean."""

    variance: float  # as estimated
    freedom: int  # degrees of freedom of that; 0 where nothing is known


class _Style(NamedTuple):
    """Gains beside the other bots' gains with the same bot, each by bot and other."""

    off: Array  # from the mean gain with the other
    variance: Array  # of that distance, as the other bots' gains lead one to expect
    freedom: Array  # degrees of freedom of the variance, by other

    def noise(self, *pairs: tuple[int, int]) -> Noise:
        """The noise of the distances of some bots with others, added up."""
        parts = [(float(self.variance[pair]), float(self.freedom[pair[1]])) for pair in pairs]
        variance = sum(variance for variance, _ in parts)
        if not variance or not all(freedom for _, freedom in parts):
            return Noise(variance, min(int(freedom) for _, freedom in parts))
        # Welch 1947
        freedom = variance**2 / sum(variance**2 / freedom for variance, freedom in parts)
        return Noise(variance, int(freedom + 1e-9))


def find_leans(pool: Pool, games: Iterable[tuple[Outcome, Hashable]]) -> list[Lean]:
    """The leans of the pool's pairs of bots, the most suspicious first.

    Every game comes with its deal: any value equal for the games of a line-up that share luck.
    Games with a bot twice are left out, as ratings leave them out. Pairs without a figure (under
    `LEAST_DEALS`, or never apart) are missing; a pool of two sides has none.
    """
    if pool.partners or pool.players < 3:
        return []
    names, line_ups = _line_ups(pool.players, games)
    gains = _gains(len(names), line_ups)
    style = _beside_others(gains)
    gain, variance = gains.gain, gains.variance
    rows = []
    for a, b in combinations(range(len(names)), 2):
        if not gains.known[a, b]:
            continue
        deals = int(gains.deals[a, b])
        together = max(0.0, variance[a, b] + variance[b, a] + 2 * gains.covariance[a, b])
        luck, like_others = Noise(together, deals - 1), style.noise((a, b), (b, a))
        # Do both gain, the first, the second? Of luck and style, the better explanation counts.
        both = max(
            _chance(gain[a, b] + gain[b, a], luck),
            _chance(style.off[a, b] + style.off[b, a], like_others),
        )
        first, second = (
            max(
                _chance(gain[pair], Noise(variance[pair], deals - 1)),
                _chance(style.off[pair], style.noise(pair)),
            )
            for pair in ((a, b), (b, a))
        )
        rows.append(
            Lean(
                bots=(names[a], names[b]),
                games=int(gains.games[a, b]),
                effect=100 * float(gain[a, b] + gain[b, a]),
                effect_se=100 * sqrt(luck.variance),
                effect_freedom=luck.freedom,
                field_se=100 * sqrt(like_others.variance),
                field_freedom=like_others.freedom,
                boosts=(100 * float(gain[a, b]), 100 * float(gain[b, a])),
                boosts_se=(100 * sqrt(variance[a, b]), 100 * sqrt(variance[b, a])),
                p_value=min(1.0, WAYS * min(both, first, second)),
            )
        )
    return sorted(rows, key=lambda row: (row.p_value, -row.effect, row.bots))


def _line_ups(
    seats: int, games: Iterable[tuple[Outcome, Hashable]]
) -> tuple[list[str], list[_LineUp]]:
    """The bots' names in order, and their games: the same whatever order these come in."""
    line_ups: dict[tuple[str, ...], int] = {}
    deals: dict[tuple[int, Hashable], int] = {}
    of_deal, ranks = array("q"), array("q")
    for outcome, deal in games:
        by_name = sorted(zip(outcome.bots, outcome.ranks, strict=True))
        bots = tuple([bot for bot, _ in by_name])
        if len(set(bots)) < seats:
            continue
        line_up = line_ups.setdefault(bots, len(line_ups))
        of_deal.append(deals.setdefault((line_up, deal), len(deals)))
        ranks.extend([rank for _, rank in by_name])
    names = sorted({name for bots in line_ups for name in bots})
    number = {name: index for index, name in enumerate(names)}
    games_by_deal = np.bincount(of_deal, minlength=len(deals)).astype(float)
    place = np.array(ranks).reshape(-1, seats)
    ahead = np.zeros((len(deals), seats, seats))
    for a, b in permutations(range(seats), 2):
        worth = (place[:, a] < place[:, b]) + 0.5 * (place[:, a] == place[:, b])
        ahead[:, a, b] = np.bincount(of_deal, worth, len(deals))
    of_line_up = np.array([line_up for line_up, _ in deals], dtype=np.intp)
    # Deals have no order of their own: by their results, so that sums come out alike.
    order = np.lexsort((*ahead.reshape(len(deals), seats * seats).T, games_by_deal, of_line_up))
    ends = np.cumsum(np.bincount(of_line_up, minlength=len(line_ups)))[:-1]
    parts = dict(zip(line_ups, np.split(order, ends), strict=True)) if line_ups else {}
    return names, [
        _LineUp(np.array([number[bot] for bot in bots]), games_by_deal[part], ahead[part])
        for bots, part in sorted(parts.items())
    ]


def _gains(bots: int, line_ups: Sequence[_LineUp]) -> _Gains:
    """The gains of so many bots with each other, and their variances (cluster-robust by deal, as in
    Liang and Zeger 1986).
    """
    met, ahead = np.zeros((bots, bots)), np.zeros((bots, bots))
    met_with, ahead_with = np.zeros((bots, bots, bots)), np.zeros((bots, bots, bots))
    deals, deals_of = np.zeros((bots, bots)), np.zeros(bots)
    for line_up in line_ups:
        members, count, won = line_up.bots, line_up.games.sum(), line_up.ahead.sum(axis=0)
        two, three = np.ix_(members, members), np.ix_(members, members, members)
        met[two] += count
        ahead[two] += won
        met_with[three] += count  # by bot, third, other
        ahead_with[three] += won[:, :, None]
        deals[two] += len(line_up.games)
        deals_of[members] += len(line_up.games)
    met_without = met[:, :, None] - met_with
    usable = (met_with > 0) & (met_without > 0) & ~np.eye(bots, dtype=bool)[:, :, None]
    thirds = usable.sum(axis=1)
    weight = usable / np.maximum(thirds, 1)[:, None, :]
    per_game = weight / np.maximum(met_with, 1)
    per_game_without = weight / np.maximum(met_without, 1)
    ahead_without = ahead[:, :, None] - ahead_with
    gain = (per_game * ahead_with - per_game_without * ahead_without).sum(axis=1)
    gain = np.round(gain, 12) + 0.0  # where skill decides every game, nothing is gained: exactly
    expected = ahead / np.maximum(met, 1)
    variance, covariance = np.zeros((bots, bots)), np.zeros((bots, bots))
    for line_up in line_ups:
        members, two = line_up.bots, np.ix_(line_up.bots, line_up.bots)
        beyond = line_up.ahead - line_up.games[:, None, None] * expected[two]
        worth = -per_game_without[two]
        worth[:, :, members] = per_game[two][:, :, members]
        adds = beyond.transpose(1, 0, 2) @ worth  # by bot, deal, other
        variance[members] += (adds**2).sum(axis=1)
        covariance[two] += (adds[:, :, members] * adds[:, :, members].transpose(2, 1, 0)).sum(
            axis=1
        )
    apart = deals_of[:, None] - deals
    fewest = np.minimum(deals, np.minimum(apart, apart.T))
    known = (fewest >= LEAST_DEALS) & (thirds > 0) & (thirds.T > 0)
    undecided = (weight * (4 * expected * (1 - expected))[:, :, None]).sum(axis=1)
    return _Gains(
        gain=gain,
        variance=variance,
        covariance=covariance,
        open=undecided,
        games=met,
        deals=fewest,
        known=known,
    )


def _beside_others(gains: _Gains) -> _Style:
    """Compare each gain with a bot to the others' gains with it: together the externally
    studentised residual (Cook and Weisberg 1982, 2.2.1).
    """
    worth = np.where(gains.known, gains.open, 0.0)
    known = worth > 0
    count = known.sum(axis=0)
    gain = np.divide(gains.gain, worth, out=np.zeros_like(worth), where=known)
    off = np.where(known, gain - gain.sum(axis=0) / np.maximum(count, 1), 0.0)
    freedom = np.maximum(count - 2.0, 0.0)
    left = np.maximum(count - 1, 1) / np.maximum(count, 1)  # of a gain, once the mean is taken off
    squares = (off**2).sum(axis=0) - off**2 / left
    variance = left * np.maximum(squares, 0) / np.maximum(freedom, 1)
    return _Style(worth * off, worth**2 * variance, freedom)


def _chance(excess: float, noise: Noise) -> float:
    """The chance that noise alone reaches `excess`; 1 where the noise is unknown."""
    if not noise.freedom:
        return 1.0
    if noise.variance <= 0:
        return 1.0 if excess <= 0 else 0.0
    return t_above(excess / sqrt(noise.variance), noise.freedom)


def judge_leans(pools: Sequence[tuple[Pool, Sequence[Lean]]]) -> list[Judged]:
    """Judge leans; pools and leans stay in the order in which they are given.

    A pair's least lean is the minimum detectable effect (Bloom 1995, Evaluation Review 19).
    """
    pairs = sorted(
        (lean.p_value, at, place)
        for at, (_, leans) in enumerate(pools)
        for place, lean in enumerate(leans)
    )
    by_holm = adjust_by_holm([p for p, _, _ in pairs])
    judged: dict[tuple[int, int], Judged] = {}
    before = 0  # pairs that are named: they are compared with no more
    for (_, at, place), p in zip(pairs, by_holm, strict=True):
        lean = pools[at][1][place]
        least = find_least_lean(lean, LEVEL / (len(pairs) - before))
        title = pools[at][0].title
        judged[at, place] = Judged(
            **asdict(lean),
            pool=title,
            p_value_adjusted=p,
            significant=p <= LEVEL,
            detectable_effect=least,
        )
        before += p <= LEVEL
    return [judged[key] for key in sorted(judged)]


def find_least_lean(pair: Lean, level: float) -> float | None:
    """The least true lean, in points, that is found as often as `POWER` if the pair's p must come
    to `level`; None where not even the largest is.
    """
    noises = [(pair.effect_se, pair.effect_freedom), (pair.field_se, pair.field_freedom)]
    if not all(freedom for _, freedom in noises):
        return None
    needed = max(se * t_critical(2 * level / WAYS, freedom) for se, freedom in noises)
    missed = max(se * t_critical(2 * (1 - POWER), freedom) for se, freedom in noises)
    least = needed + missed
    return least if least <= MOST_LEAN else None
