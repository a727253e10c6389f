"""What a look at a pool's table says of bots that are to be told apart, by the test as planned.

The looks, the limits and the pairs to be decided come from `arena.sequential`. Pure.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import ceil, inf, isfinite, sqrt
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec import UNSET, Struct, UnsetType

from arena.model import Entry, Mirrored, Settle
from arena.progress import Look
from arena.rating import BAND_MU, find_uneven_mu
from arena.sequential import (
    LEAST_CLUSTERS,
    SAME,
    Answer,
    Comparison,
    Design,
    Evidence,
    count_pairs,
    describe_needs,
    describe_open,
    estimate_likely,
    find_least_error,
    find_look,
    find_needed,
    find_times,
    find_unplaced,
    is_of_neighbours,
    judge_for_goal,
    judge_pair,
    list_stages,
    pick_pairs,
)
from arena.tables.document import Crosstable, Pair, SettleTest, Standings
from arena.typed_json import means
from arena.values import DIGITS, OpenInterval, interval_if_any, rounded, rounded_if_any
from arena.words import amount

if TYPE_CHECKING:
    from arena.rating import Ratings


LIKELY = 0.75  # from here on a bot is said to be likely better
SAME_DECKS = 200
"""Two bots none of whose decisions differed on so many decks are equal: with 95 %, fewer than one
deck of 66 has one, and few of these change how a game ends."""
Known = TypeVar("Known")


def find_design(entry: Entry) -> Design:
    """The test as it was planned, of an entry that is to be settled."""
    assert entry.settle, "an entry that is played straight through has no looks"
    return Design(list_stages(entry), 1 - entry.settle.level)


def compare_pairs(
    entry: Entry, ratings: "Ratings", differing: int | None = None, same: bool = False
) -> list[Comparison]:
    """Judge by the look that the entry has come to the pairs that its goal needs, the best bots
    first. In a match, the decks that are not even between the two are `differing`; the two are the
    `same` if no decision of theirs differed.
    """
    assert entry.settle, "an entry that is played straight through has no looks"
    mu = dict(zip(ratings.names, ratings.mu.tolist(), strict=True))
    order = sorted(mu, key=lambda bot: (-round(mu[bot], DIGITS), bot))
    design, look, share = find_design(entry), find_look(entry), count_pairs(entry)
    number = {bot: at for at, bot in enumerate(ratings.names)}
    errors, files = ratings.errors, {bot.name: bot.hash for bot in entry.bots}
    uneven = inf
    if isinstance(entry.duplicate, Mirrored):
        members, meet = 2 if entry.pool.partners == "mixed" else 1, not entry.duplicate.apart
        uneven = find_uneven_mu(ratings, entry.always, members, meet)
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
        verdict = judge_for_goal(entry.settle, judge_pair(design, look, evidence, share))
        if files[bot] == files[other]:
            evidence, verdict = evidence._replace(difference=0.0, se=0.0), SAME
        elif same and evidence.clusters >= SAME_DECKS:
            verdict = SAME._replace(low=-BAND_MU, high=BAND_MU)
        comparisons.append(Comparison(bot, other, evidence, verdict))
    return comparisons


def make_look(
    entry: Entry, ratings: "Ratings", games: int, differing: int | None, same: bool
) -> Look:
    """What the look says that an entry has come to, after so many games."""
    compared = compare_pairs(entry, ratings, differing, same)
    words = look_in_words(entry, compared, games)
    at = next((each for each in compared if each.is_open), compared[0])
    if words and differing is not None:
        forecast = _forecast(entry, at, games)
        words = forecast_in_words(at.bot, at.other, differing, *forecast)
    return Look(
        entry.pool.title,
        games,
        find_look(entry) + 1,
        len(list_stages(entry)),
        rounded(at.evidence.difference),
        interval_if_any(_ends(ratings, at)),
        at.verdict.answer,
        words,
    )


def look_in_words(entry: Entry, comparisons: Sequence[Comparison], games: int) -> str:
    """How far the goal is after so many games, at which look, and how many are left; empty if it is
    reached.
    """
    settle = entry.settle
    assert settle, "an entry that is played straight through has no looks"
    open_bots = find_unplaced(settle, comparisons)
    if not open_bots:
        return ""
    left = describe_needs(_games_left(settle, comparisons, games))
    if is_of_neighbours(settle):
        undecided = [each for each in comparisons if each.is_open]
        at = min(undecided, key=lambda each: max(each.verdict.apart, each.verdict.equal))
        apart, equal = f"{at.verdict.apart:.0%}", f"{at.verdict.equal:.0%}"
        way = f"{apart} of the way to told apart, {equal} of that to equal"
        return f"{at.bot} and {at.other} {way}{left}"
    best, unplaced = comparisons[0].bot, _in_order(comparisons, open_bots)
    return f"{describe_open(settle.goal, settle.within, best, unplaced)}{left}"


def _in_order(comparisons: Sequence[Comparison], bots: Collection[str]) -> tuple[str, ...]:
    """Some bots of the pairs, the best first."""
    return tuple(dict.fromkeys(bot for each in comparisons for bot in each[:2] if bot in bots))


def _games_left(settle: Settle, comparisons: Sequence[Comparison], games: int) -> int | None:
    times = find_times(settle, comparisons)
    return None if times is None else ceil((times - 1) * games)


def make_test(
    entry: Entry, ratings: "Ratings", games: int = 0, differing: int | None = None,
    same: bool = False,
) -> SettleTest | None:  # fmt: skip
    """How an entry's test stands after so many games, as published; None if the entry is played
    straight through.
    """
    settle = entry.settle
    if settle is None:
        return None
    comparisons = compare_pairs(entry, ratings, differing, same)
    open_bots = find_unplaced(settle, comparisons)
    shown = comparisons
    if settle.within:  # those of all bots would be too many
        order = _in_order(comparisons, ratings.names)
        by_pair = {each[:2]: each for each in comparisons}
        shown = [by_pair[pair] for pair in pairwise(order)]
    return SettleTest(
        level=settle.level,
        band=BAND_MU,
        goal=settle.goal,
        within=settle.within,
        deals=settle.deals,
        looks=settle.looks,
        version=settle.version,
        look=find_look(entry) + 1,
        settled=not open_bots,
        unplaced=_in_order(comparisons, open_bots),
        needs=_games_left(settle, comparisons, games) if open_bots else 0,
        pairs=tuple(_pair(entry, ratings, each, games, same) for each in shown),
    )


def _forecast(entry: Entry, comparison: Comparison, games: int) -> tuple[float | None, int | None]:
    """How likely the first bot is better, and the further games that an open verdict needs."""
    evidence, likely = comparison.evidence, estimate_likely(comparison.evidence)
    unsure = comparison.verdict.answer == "open"
    times = find_needed(find_design(entry), find_look(entry), evidence) if unsure else None
    return (
        None if likely is None else min(max(rounded(likely), 0.001), 0.999),
        None if times is None else ceil((times - 1) * games),
    )


def _pair(entry: Entry, ratings: "Ratings", comparison: Comparison, games: int, same: bool) -> Pair:
    bot, other, evidence, verdict = comparison
    ends = _ends(ratings, comparison)
    error = find_least_error(find_design(entry), find_look(entry), evidence, count_pairs(entry))
    differing = evidence.differing
    likely, needs = _forecast(entry, comparison, games) if differing is not None else (UNSET, UNSET)
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
        differing=UNSET if differing is None else differing,
        likely=likely,
        needs=needs,
        same=same or UNSET,
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


def forecast_in_words(
    bot: str, other: str, differing: int, likely: float | None, needs: int | None
) -> str:
    """What is likely of two bots of an open verdict, and how many games would settle it."""
    said = []
    if differing < LEAST_CLUSTERS:
        few = amount(differing, "deck")
        said.append(f"they differ on {few} (telling them apart takes {LEAST_CLUSTERS})")
    if likely is not None:
        ahead, chance = (bot, likely) if likely >= 0.5 else (other, 1 - likely)
        sure = f"{min(chance, 0.99):.0%}"
        said.append(
            f"{ahead} is likely better ({sure})" if chance >= LIKELY else
            f"about level so far ({ahead} better: {sure})"
        )  # fmt: skip
    return "; ".join(said) + describe_needs(needs or None)


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
    likely: Annotated[
        float | None,
        means("How likely the first is better, 0 to 1; null: on fewer than two decks they differ."),
    ]
    needs: Annotated[
        int | None,
        means(
            "Of an open verdict: further games that would settle it if the difference stays as it "
            "is; null: 20 times the games so far, or more."
        ),
    ]
    differing: Annotated[
        int, means("Decks on which the two did not end level; telling them apart takes 20.")
    ]
    same: Annotated[bool, means("Whether no decision of the two differed on any deck.")]
    look: Annotated[int, means("1 is the first.")]
    looks: int
    effect: Annotated[float | None, means("The difference in standard deviations of a deck.")]
    ahead: Annotated[
        tuple[float | None, float | None],
        means(
            "How often the first and the second finished ahead, a tie half: of each other, with "
            "--field of the others; null: never met."
        ),
    ]
    apart: Annotated[float, means("Progress towards being told apart, 0 to 1.")]
    equal: Annotated[float, means("Progress towards being equal, 0 to 1.")]
    opponents: Annotated[
        dict[str, float],
        means(
            "With --field: by opponent, how much more often the first finished ahead of it than "
            "the second did, -1 to 1, highest first."
        ),
    ]
    faults: Annotated[dict[str, int], means("Games forfeited, by bot, of the two.")]
    unloadable: Annotated[
        tuple[str, ...], means("Of the two; where there are any, the verdict stays open.")
    ]

    @property
    def undecided(self) -> bool:
        """Whether looks are left that may settle it."""
        return self.verdict == "open" and self.look < self.looks and not self.unloadable


class Match(Struct, frozen=True, kw_only=True):
    """What a match came to, as `arena match --json` prints it."""

    first: Annotated[str, means("Name of a bot.")]
    second: Annotated[str, means("Name of the other.")]
    level: Annotated[float, means("Confidence that a verdict needs.")]
    results: Annotated[str, means("Their folder.")]
    finished: Annotated[bool, means("False: interrupted, or ended by --seconds.")] = True
    others: Annotated[list[str], means("The bots that sat in the further seats, by name.")] = []
    slow: Annotated[list[str], means("Those of them that took 1 ms of CPU time a decision.")] = []
    pools: Annotated[
        list[MatchStanding], means("None where the two are the same code: nothing is played.")
    ] = []


def _if_set(value: Known | UnsetType) -> Known | None:
    return None if value is UNSET else value


def _compare_opponents(table: Crosstable, bot: str, other: str) -> dict[str, float]:
    """By opponent, how much more often one bot finished ahead of it than another did; none where
    the two met.
    """
    one, two = table.bots.index(bot), table.bots.index(other)
    if table.games[one][two]:
        return {}
    pairs = zip(table.bots, table.ahead[one], table.ahead[two], strict=True)
    gains = {name: a - b for name, a, b in pairs if a is not None and b is not None}
    return {name: rounded(gains[name]) for name in sorted(gains, key=lambda n: (-gains[n], n))}


def _share_ahead(table: Crosstable, bot: str, others: Collection[str]) -> float | None:
    """How often a bot finished ahead of the others, a tie half; None where they never met."""
    row = table.bots.index(bot)
    cells = zip(table.bots, table.games[row], table.ahead[row], strict=True)
    met = [(games, share or 0.0) for name, games, share in cells if name in others]
    total = sum(games for games, _ in met)
    return rounded(sum(games * share for games, share in met) / total) if total else None


def match_standings(document: Standings) -> list[MatchStanding]:
    """How a match stands in each pool, from its standings."""
    standings, not_loaded = [], {each.bot for each in document.not_loaded or ()}
    for pool in document.pools:
        test = pool.settle
        assert test, "every pool of a match is to be settled"
        (pair,) = test.pairs
        faults = {row.bot: row.faults for row in pool.table if row.bot in (pair.bot, pair.other)}
        unloadable = tuple(
            bot for bot, kinds in faults.items() if kinds.get("load") or bot in not_loaded
        )
        verdict = "open" if unloadable else pair.verdict
        opponents = _compare_opponents(pool.crosstable, pair.bot, pair.other)
        standings.append(
            MatchStanding(
                pool=pool.title,
                verdict=verdict,
                difference=pair.difference,
                interval=pair.interval,
                sure={"open": None, "equal": test.level}.get(verdict, 1 - pair.error),
                games=pool.games,
                likely=None if unloadable else _if_set(pair.likely),
                needs=None if unloadable else _if_set(pair.needs),
                differing=_if_set(pair.differing) or 0,
                same=pair.same is True,
                look=test.look,
                looks=test.looks,
                effect=pair.effect,
                ahead=(
                    _share_ahead(pool.crosstable, pair.bot, opponents or [pair.other]),
                    _share_ahead(pool.crosstable, pair.other, opponents or [pair.bot]),
                ),
                apart=pair.apart,
                equal=pair.equal,
                opponents=opponents,
                faults={bot: sum(kinds.values()) for bot, kinds in faults.items()},
                unloadable=unloadable,
            )
        )
    return standings
