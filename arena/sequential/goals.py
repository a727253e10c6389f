"""Goals: which pairs of bots a pool's test must decide before play stops, and how far it has come.

With the goal "all" and nothing `within` these are the neighbours in the table, who share the
planned error. Any other goal picks its pairs by the results, so all pairs of bots share it. Pure.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from math import comb, isfinite
from typing import NamedTuple

from arena.model import Entry, Goal, Settle
from arena.rating import BAND_MU
from arena.sequential.verdicts import MOST_TIMES, Evidence, Verdict
from arena.words import amount


class Comparison(NamedTuple):
    """What a look says of two bots."""

    bot: str
    other: str
    evidence: Evidence  # of the first's mu from the second's
    verdict: Verdict

    @property
    def is_open(self) -> bool:
        """Whether more games are needed for a verdict."""
        return self.verdict.answer == "open"


def is_of_neighbours(settle: Settle) -> bool:
    """Whether only neighbours in the table are compared."""
    return settle.goal == "all" and not settle.within


def pick_pairs(entry: Entry, order: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs that a look compares, the better bot first; `order` has the bots, the best first.

    In a gauntlet its bot with its neighbours; in a match the two, in the order of `entry.always`.
    """
    assert entry.settle, "an entry that is played straight through has no goal"
    goal = entry.settle.goal
    if len(entry.always) == 2:
        return [(entry.always[0], entry.always[1])]
    if is_of_neighbours(entry.settle):
        return [pair for pair in pairwise(order) if not entry.always or entry.always[0] in pair]
    if goal == "all":
        return [*combinations(order, 2)]
    first = set(order[: 1 if goal == "best" else int(goal)])
    return [pair for pair in combinations(order, 2) if pair[0] in first]


def count_pairs(entry: Entry) -> int:
    """How many pairs share the planned error: all that may ever be compared at a look."""
    if entry.settle and not is_of_neighbours(entry.settle):
        return comb(len(entry.bots), 2)
    neighbours = len(entry.bots) - 1
    return (neighbours, min(2, neighbours), 1)[len(entry.always)]


def judge_for_goal(settle: Settle, verdict: Verdict) -> Verdict:
    """The verdict as the goal needs it: the best bot may be level with others, or a little behind,
    as long as it surely is no more than the band behind.
    """
    if settle.goal == "best" and verdict.answer == "open" and verdict.low >= -BAND_MU:
        return verdict._replace(answer="not worse")
    return verdict


def find_unplaced(settle: Settle, comparisons: Collection[Comparison]) -> set[str]:
    """The bots that keep the goal open: those of pairs without a verdict; with places `within` so
    many, those whose place may still be one of more.
    """
    of_bot = Counter(bot for each in comparisons if each.is_open for bot in each[:2])
    return {bot for bot, pairs in of_bot.items() if pairs > 2 * settle.within}


def find_times(settle: Settle, comparisons: Collection[Comparison]) -> float | None:
    """How many times the games so far would reach the goal, if differences and limits stayed as
    they are; None: more than `MOST_TIMES`, or nothing is known.
    """
    of_bot: dict[str, list[float]] = {}
    for each in comparisons:
        if each.is_open:
            way = _find_way(settle, each)
            for bot in each[:2]:
                of_bot.setdefault(bot, []).append(1 / way if way else MOST_TIMES + 1)
    allowed = 2 * settle.within
    needed = [sorted(times)[-1 - allowed] for times in of_bot.values() if len(times) > allowed]
    times = max(needed, default=1.0)
    return times if times <= MOST_TIMES else None


def _find_way(settle: Settle, comparison: Comparison) -> float:
    """The share of the games that a pair's verdict takes which lies behind, 0 to 1."""
    evidence, verdict = comparison.evidence, comparison.verdict
    if settle.goal != "best" or not isfinite(verdict.low):
        return max(verdict.apart, verdict.equal)
    return max((evidence.difference + BAND_MU) / (evidence.difference - verdict.low), 0.0) ** 2


def describe_open(goal: Goal, within: int, best: str, unplaced: Sequence[str]) -> str:
    """What keeps a goal open, by the bots that do, the best first."""
    if goal == "best":
        return f"{best} leads, but may be behind {_name_some([*unplaced][1:])}"
    names = _name_some(unplaced)
    if goal == "all":
        return f"not known to within {amount(within, 'place')}: {names}"
    return f"the first {goal} are not in order yet; undecided: {names}"


def describe_reached(goal: Goal, within: int, best: str) -> str:
    """What is known once a goal is reached."""
    if goal == "best":
        return f"the best is {best} (no rating is more than {BAND_MU} higher)"
    if goal == "all":
        return f"every place is known to within {amount(within, 'place')}"
    return f"the first {goal} are in order"


def describe_needs(games: int | None) -> str:
    """About how many more games reach a goal, to two digits, to end a sentence with; "" if that is
    not known.
    """
    if games is None:
        return ""
    return f"; some {round(games, min(2 - len(str(games)), 0)):,} more games would settle it"


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more:,} more" if more > 0 else "")
