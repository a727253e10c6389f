"""Goals: which pairs of bots a pool's test must decide before play stops, and what is left to play.

With the goal "all" and no `within_places` these are the neighbours in the table, who share the
planned error. Any other goal picks its pairs by the results, so all pairs of bots share it. Pure.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from math import ceil, comb, isfinite
from typing import NamedTuple

from arena.model import Entry, SequentialTest
from arena.rating.p_values import BAND_MU
from arena.sequential.verdicts import MOST_TIMES, Evidence, Verdict


class Comparison(NamedTuple):
    """The result of a look for two bots."""

    bot: str
    other: str
    evidence: Evidence  # of the first's mu from the second's
    verdict: Verdict

    @property
    def is_open(self) -> bool:
        """True if more games are needed for a verdict."""
        return self.verdict.answer == "open"


def is_of_neighbours(test: SequentialTest) -> bool:
    """True if only neighbours in the table are compared."""
    return test.goal == "all" and not test.within_places


def pick_pairs(entry: Entry, order: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs that a look compares, the better bot first; `order` has the bots, the best first.

    In a gauntlet its bot with its neighbours; in a match the two, in the order of `fixed_bots`.
    """
    assert entry.test, "an entry that is played straight through has no goal"
    goal, fixed = entry.test.goal, entry.fixed_bots
    if len(fixed) == 2:
        return [(fixed[0], fixed[1])]
    if is_of_neighbours(entry.test):
        return [pair for pair in pairwise(order) if not fixed or fixed[0] in pair]
    if goal == "all":
        return [*combinations(order, 2)]
    first = set(order[: 1 if goal == "best" else int(goal)])
    return [pair for pair in combinations(order, 2) if pair[0] in first]


def count_pairs(entry: Entry) -> int:
    """Count the pairs that share the planned error: all that may ever be compared at a look."""
    if entry.test and not is_of_neighbours(entry.test):
        return comb(len(entry.bots), 2)
    neighbours = len(entry.bots) - 1
    return (neighbours, min(2, neighbours), 1)[len(entry.fixed_bots)]


def judge_for_goal(test: SequentialTest, verdict: Verdict) -> Verdict:
    """The verdict as the goal needs it: the best bot may be level with others, or a little behind,
    as long as it surely is no more than the band behind.
    """
    if test.goal == "best" and verdict.answer == "open" and verdict.low >= -BAND_MU:
        return verdict._replace(answer="not worse")
    return verdict


def find_unplaced(test: SequentialTest, comparisons: Collection[Comparison]) -> tuple[str, ...]:
    """The bots that keep the goal open, the best first: those of pairs without a verdict; with
    `within_places`, those whose place may still be one of more than that many.
    """
    undecided = Counter(bot for pair in comparisons if pair.is_open for bot in pair[:2])
    bots = dict.fromkeys(bot for pair in comparisons for bot in pair[:2])
    return tuple(bot for bot in bots if undecided[bot] > 2 * test.within_places)


def estimate_games_left(
    test: SequentialTest, comparisons: Collection[Comparison], games: int
) -> int | None:
    """Games beyond these that would reach the goal, if differences and limits stayed as they
    are; None: more than `MOST_TIMES` as many, or nothing is known.
    """
    of_bot: dict[str, list[float]] = {}
    for pair in comparisons:
        if pair.is_open:
            way = _find_way(test, pair)
            for bot in pair[:2]:
                of_bot.setdefault(bot, []).append(1 / way if way else MOST_TIMES + 1)
    allowed = 2 * test.within_places
    needed = [sorted(times)[-1 - allowed] for times in of_bot.values() if len(times) > allowed]
    times = max(needed, default=1.0)
    return ceil((times - 1) * games) if times <= MOST_TIMES else None


def _find_way(test: SequentialTest, comparison: Comparison) -> float:
    """The share of the games that a pair's verdict takes which lies behind, 0 to 1."""
    evidence, verdict = comparison.evidence, comparison.verdict
    if test.goal != "best" or not isfinite(verdict.low):
        return max(verdict.progress_different, verdict.progress_equal)
    return max((evidence.difference + BAND_MU) / (evidence.difference - verdict.low), 0.0) ** 2
