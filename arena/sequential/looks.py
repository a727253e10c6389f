"""A look at a pool's table: judges the pairs that its goal needs, to report progress and for the
document. Pure.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, inf, isfinite, sqrt
from typing import TYPE_CHECKING

from msgspec import UNSET

from arena.model import Entry, Mirrored
from arena.progress import Look
from arena.rating.p_values import BAND_MU
from arena.rating.rate import find_uneven_mu
from arena.sequential.document import Pair, PoolTest
from arena.sequential.goals import (
    Comparison,
    count_pairs,
    estimate_games_left,
    find_unplaced,
    is_of_neighbours,
    judge_for_goal,
    pick_pairs,
)
from arena.sequential.stages import find_look, list_looks
from arena.sequential.verdicts import (
    SAME,
    Design,
    Evidence,
    estimate_likely,
    find_least_error,
    find_needed,
    judge_pair,
)
from arena.sequential.wording import describe_forecast, describe_needs, describe_open
from arena.values import DIGITS, OpenInterval, interval_if_any, rounded, rounded_if_any

if TYPE_CHECKING:
    from arena.rating.rate import Ratings

SAME_DECKS = 200
"""Two bots none of whose decisions differed on so many decks are equal: with 95 %, fewer than one
deck of 66 has one, and few of these change how a game ends."""


def find_design(entry: Entry) -> Design:
    """The test as it was planned, of an entry that is to be settled."""
    assert entry.test, "an entry that is played straight through has no looks"
    return Design(list_looks(entry), 1 - entry.test.confidence)


def compare_pairs(
    entry: Entry, ratings: "Ratings", differing: int | None = None, same: bool = False
) -> list[Comparison]:
    """Judge by the look that the entry has come to the pairs that its goal needs, the best bots
    first. In a match, the decks that are not even between the two are `differing`; the two are the
    `same` if no decision of theirs differed.
    """
    assert entry.test, "an entry that is played straight through has no looks"
    mu = dict(zip(ratings.names, ratings.mu.tolist(), strict=True))
    order = sorted(mu, key=lambda bot: (-round(mu[bot], DIGITS), bot))
    design, look, share = find_design(entry), find_look(entry), count_pairs(entry)
    number = {bot: at for at, bot in enumerate(ratings.names)}
    errors, files = ratings.errors, {bot.name: bot.hash for bot in entry.bots}
    uneven = inf
    if isinstance(entry.shared_decks, Mirrored):
        members = 2 if entry.pool.partners == "mixed" else 1
        meet = not entry.shared_decks.never_meet
        uneven = find_uneven_mu(ratings, entry.fixed_bots, members, meet)
    comparisons = []
    for bot, other in pick_pairs(entry, order):
        at = [number[bot], number[other]]
        evidence = Evidence(
            mu[bot] - mu[other],
            float(errors[*at]),
            int(ratings.clusters[at].min()),
            int(ratings.freedom[at].min()),
            differing,
            uneven,
        )
        verdict = judge_for_goal(entry.test, judge_pair(design, look, evidence, share))
        if files[bot] == files[other]:
            evidence, verdict = evidence._replace(difference=0.0, se=0.0), SAME
        elif same and evidence.clusters >= SAME_DECKS:
            verdict = SAME._replace(low=-BAND_MU, high=BAND_MU)
        comparisons.append(Comparison(bot, other, evidence, verdict))
    return comparisons


def make_look(
    entry: Entry, ratings: "Ratings", games: int, differing: int | None, same: bool
) -> Look:
    """The report of the look that an entry has come to, after so many games."""
    compared = compare_pairs(entry, ratings, differing, same)
    words = describe_progress(entry, compared, games)
    pair = next((pair for pair in compared if pair.is_open), compared[0])
    if words and differing is not None:
        forecast = _forecast(entry, pair, games)
        words = describe_forecast(pair.bot, pair.other, differing, *forecast)
    return Look(
        pool=entry.pool.title,
        games=games,
        look=find_look(entry) + 1,
        planned_looks=len(list_looks(entry)),
        difference=rounded(pair.evidence.difference),
        interval=interval_if_any(_ends(ratings, pair)),
        verdict=pair.verdict.answer,
        words=words,
    )


def describe_progress(entry: Entry, comparisons: Sequence[Comparison], games: int) -> str:
    """Describe the way to the goal after so many games, and the games left; "" if it is reached."""
    test = entry.test
    assert test, "an entry that is played straight through has no looks"
    unplaced = find_unplaced(test, comparisons)
    if not unplaced:
        return ""
    left = describe_needs(estimate_games_left(test, comparisons, games))
    if not is_of_neighbours(test):
        return describe_open(test.goal, test.within_places, comparisons[0].bot, unplaced) + left
    undecided = [pair for pair in comparisons if pair.is_open]
    pair = min(undecided, key=lambda pair: max(pair.verdict[-2:]))
    *_, different, equal = pair.verdict
    way = f"{different:.0%} of the way to told apart, {equal:.0%} of that to equal"
    return f"{pair.bot} and {pair.other} {way}{left}"


def make_test(
    entry: Entry, ratings: "Ratings", games: int = 0, differing: int | None = None,
    same: bool = False,
) -> PoolTest | None:  # fmt: skip
    """An entry's test after so many games, as published; None if the entry is played straight
    through.
    """
    test = entry.test
    if test is None:
        return None
    comparisons = compare_pairs(entry, ratings, differing, same)
    unplaced = find_unplaced(test, comparisons)
    shown = comparisons
    if test.within_places:  # those of all bots would be too many
        order = dict.fromkeys(bot for pair in comparisons for bot in pair[:2])
        of_two = {pair[:2]: pair for pair in comparisons}
        shown = [of_two[two] for two in pairwise(order)]
    return PoolTest(
        confidence=test.confidence,
        equivalence_margin=BAND_MU,
        goal=test.goal,
        within_places=test.within_places,
        max_deals=test.max_deals,
        planned_looks=test.look_count,
        version=test.version,
        look=find_look(entry) + 1,
        goal_reached=not unplaced,
        undecided_bots=unplaced,
        further_games_needed=estimate_games_left(test, comparisons, games) if unplaced else 0,
        pairs=tuple(_make_pair(entry, ratings, pair, games, same) for pair in shown),
    )


def _forecast(entry: Entry, comparison: Comparison, games: int) -> tuple[float | None, int | None]:
    """The chance that the first bot is better, and the further games that an open verdict needs."""
    evidence, likely = comparison.evidence, estimate_likely(comparison.evidence)
    unsure = comparison.verdict.answer == "open"
    times = find_needed(find_design(entry), find_look(entry), evidence) if unsure else None
    return (
        None if likely is None else min(max(rounded(likely), 0.001), 0.999),
        None if times is None else ceil((times - 1) * games),
    )


def _make_pair(
    entry: Entry, ratings: "Ratings", comparison: Comparison, games: int, same: bool
) -> Pair:
    bot, other, evidence, verdict = comparison
    ends = _ends(ratings, comparison)
    error = find_least_error(find_design(entry), find_look(entry), evidence, count_pairs(entry))
    differing = evidence.decisive
    likely, needs = _forecast(entry, comparison, games) if differing is not None else (UNSET, UNSET)
    return Pair(
        bot=bot,
        other=other,
        verdict=verdict.answer,
        difference=rounded(evidence.difference),
        interval=interval_if_any(ends),
        error_probability=round(error, 6),
        effect_size=rounded_if_any(evidence.effect) if ends else None,
        progress_different=rounded(verdict.progress_different),
        progress_equal=rounded(verdict.progress_equal),
        decisive_decks=UNSET if differing is None else differing,
        better_probability=likely,
        further_games_needed=needs,
        identical_decisions=same or UNSET,
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
