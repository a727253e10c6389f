"""What a look at a pool's table says of bots that are to be told apart, by the test as planned.

The looks are planned by `arena.schedule.stages`, the limits come from `arena.rating.sequential`.
Pure.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Struct

from arena.model import Entry
from arena.rating import BAND_MU, Answer, Design, Evidence, Verdict, find_least_error, judge_pair
from arena.schedule import find_look, list_stages
from arena.tables.document import Pair, SettleTest, Standings
from arena.tables.values import DIGITS, OpenInterval, interval_if_any, rounded, rounded_if_any
from arena.typed_json import means

if TYPE_CHECKING:
    from arena.rating import Ratings


class Comparison(NamedTuple):
    """What a look says of two bots."""

    bot: str
    other: str
    evidence: Evidence  # of the first's mu from the second's
    verdict: Verdict


def find_design(entry: Entry) -> Design:
    """The test as it was planned, of an entry that is to be settled."""
    assert entry.settle, "an entry that is played straight through has no looks"
    return Design(list_stages(entry), 1 - entry.settle.level)


def compare_neighbours(entry: Entry, ratings: "Ratings") -> list[Comparison]:
    """Judge by the look that the entry has come to which bots are told apart, best bots first.

    In a gauntlet only its bot is compared, with its neighbours; in a match the two, in the order
    they have in `entry.always`.
    """
    mu = dict(zip(ratings.names, ratings.mu.tolist(), strict=True))
    order = sorted(mu, key=lambda bot: (-round(mu[bot], DIGITS), bot))
    design, look = find_design(entry), find_look(entry)
    if len(entry.always) == 2:
        pairs = [(entry.always[0], entry.always[1])]
    else:
        pairs = [pair for pair in pairwise(order) if not entry.always or entry.always[0] in pair]
    errors = ratings.errors
    comparisons = []
    for pair in pairs:
        bot, other = pair
        at = [ratings.names.index(bot) for bot in pair]
        evidence = Evidence(
            mu[bot] - mu[other],
            float(errors[*at]),
            int(ratings.clusters[at].min()),
            int(ratings.freedom[at].min()),
        )
        verdict = judge_pair(design, look, evidence, count_pairs(entry))
        comparisons.append(Comparison(bot, other, evidence, verdict))
    return comparisons


def count_pairs(entry: Entry) -> int:
    """How many pairs share the planned error: all that may ever be neighbours at a look."""
    neighbours = len(entry.bots) - 1
    return (neighbours, min(2, neighbours), 1)[len(entry.always)]


def is_settled(comparisons: Sequence[Comparison]) -> bool:
    """Whether all pairs are told apart, or equal within the band."""
    return all(each.verdict.answer != "open" for each in comparisons)


def look_in_words(entry: Entry, comparisons: Sequence[Comparison]) -> str:
    """How far the pair that is furthest from an answer has come, and at which look; empty if all
    pairs are decided.
    """
    undecided = [each for each in comparisons if each.verdict.answer == "open"]
    if not undecided:
        return ""
    at = min(undecided, key=lambda each: max(each.verdict.apart, each.verdict.equal))
    looked = f"interim check {find_look(entry) + 1} of {len(list_stages(entry))}"
    way = way_in_words(None, at.verdict.apart, at.verdict.equal)
    return f"{looked}: {at.bot} and {at.other} {way}"


def make_test(entry: Entry, ratings: "Ratings") -> SettleTest | None:
    """How an entry's test stands, as published; None if the entry is played straight through."""
    if entry.settle is None:
        return None
    comparisons = compare_neighbours(entry, ratings)
    return SettleTest(
        level=entry.settle.level,
        band=BAND_MU,
        deals=entry.settle.deals,
        looks=entry.settle.looks,
        version=entry.settle.version,
        look=find_look(entry) + 1,
        settled=is_settled(comparisons),
        pairs=tuple(_pair(entry, ratings, comparison) for comparison in comparisons),
    )


def _pair(entry: Entry, ratings: "Ratings", comparison: Comparison) -> Pair:
    bot, other, evidence, verdict = comparison
    ends = _ends(ratings, comparison)
    error = find_least_error(find_design(entry), find_look(entry), evidence, count_pairs(entry))
    return Pair(
        bot=bot,
        other=other,
        verdict=verdict.answer,
        difference=rounded(evidence.difference),
        interval=interval_if_any(ends),
        error=round(error, 6),
        effect=rounded_if_any(evidence.effect) if ends else None,
        apart=rounded(verdict.apart),
        equal=rounded(verdict.equal),
    )


def _ends(ratings: "Ratings", comparison: Comparison) -> OpenInterval | None:
    """Both ends of a difference's interval that holds at all looks; None on too few games.

    Where a bot never lost or never won, that is wider than the test takes it for, and open at one
    end: that there is a difference is certain, how large it is unknown.
    """
    bot, other, evidence, (answer, low, high, *_) = comparison
    if not isfinite(low):
        return None
    if ratings.excess is not None and evidence.se:
        a, b = ratings.names.index(bot), ratings.names.index(other)
        spread = ratings.spread
        variance = float(spread[a, a] + spread[b, b] - 2 * spread[a, b])
        stretch = max(sqrt(max(variance, 0.0)) / evidence.se, 1.0)
        low, high = (
            evidence.difference + stretch * (end - evidence.difference) for end in (low, high)
        )
    return (
        None if bot in ratings.lost_all or other in ratings.won_all else
        max(low, 0.0) if answer == "better" else low,
        None if bot in ratings.won_all or other in ratings.lost_all else
        min(high, 0.0) if answer == "worse" else high,
    )  # fmt: skip


def way_in_words(effect: float | None, apart: float, equal: float) -> str:
    """How clear a difference is, and how much of the way to either answer lies behind."""
    plain = "" if effect is None else f"{effect + 0.0:+.2f} deviations a deck; "
    return f"{plain}{apart:.0%} of the way to told apart, {equal:.0%} of that to equal"


class MatchStanding(Struct, frozen=True, kw_only=True):
    """How a pool of a match stands."""

    pool: Annotated[str, means("Its title.")]
    verdict: Annotated[Answer, means("Of the first bot compared to the second.")]
    difference: Annotated[float, means("Of the first's mu from the second's.")]
    interval: Annotated[
        OpenInterval | None, means("That holds at all looks at once; null: too few games.")
    ]
    sure: Annotated[
        float | None, means("The highest level at which it would be so; of `equal` the match's.")
    ]
    games: int
    look: Annotated[int, means("1 is the first.")]
    looks: int
    effect: Annotated[float | None, means("The difference in standard deviations of a deck.")]
    apart: Annotated[float, means("Progress towards being told apart, 0 to 1.")]
    equal: Annotated[float, means("Progress towards being equal, 0 to 1.")]
    faults: Annotated[dict[str, int], means("Games forfeited, by bot, of the two.")]
    unloadable: Annotated[
        tuple[str, ...], means("Of the two; where there are any, the verdict stays open.")
    ]

    @property
    def way_in_words(self) -> str:
        """How clear the difference is, and how much of the way to either answer lies behind."""
        return way_in_words(self.effect, self.apart, self.equal)


class Match(Struct, frozen=True, kw_only=True):
    """What a match came to, as `arena match --json` prints it."""

    first: Annotated[str, means("Name of a bot.")]
    second: Annotated[str, means("Name of the other.")]
    level: Annotated[float, means("Confidence that a verdict needs.")]
    results: Annotated[str, means("Their folder.")]
    finished: Annotated[bool, means("False where play was interrupted.")] = True
    pools: Annotated[
        list[MatchStanding], means("None where the two are the same code: nothing is played.")
    ] = []


def match_standings(document: Standings) -> list[MatchStanding]:
    """How a match stands in each pool, from its standings."""
    standings = []
    for pool in document.pools:
        test = pool.settle
        assert test, "every pool of a match is to be settled"
        (pair,) = test.pairs
        faults = {row.bot: row.faults for row in pool.table if row.bot in (pair.bot, pair.other)}
        unloadable = tuple(bot for bot, kinds in faults.items() if kinds.get("load"))
        verdict = "open" if unloadable else pair.verdict
        standings.append(
            MatchStanding(
                pool=pool.title,
                verdict=verdict,
                difference=pair.difference,
                interval=pair.interval,
                sure={"open": None, "equal": test.level}.get(verdict, 1 - pair.error),
                games=pool.games,
                look=test.look,
                looks=test.looks,
                effect=pair.effect,
                apart=pair.apart,
                equal=pair.equal,
                faults={bot: sum(kinds.values()) for bot, kinds in faults.items()},
                unloadable=unloadable,
            )
        )
    return standings
