"""The sequential test in words: how a pool's test stands, and what is likely of two bots. Pure."""

from collections.abc import Collection, Sequence

from msgspec import UNSET, UnsetType

from arena.model import Goal
from arena.rating.p_values import BAND_MU
from arena.sequential.document import PoolTest
from arena.sequential.verdicts import LEAST_CLUSTERS
from arena.words import amount

LIKELY = 0.75  # from here on a bot is called likely better


def describe_test(test: PoolTest, guests: Collection[str] = ()) -> str:
    """Describe a pool's test, and what is undecided; guests, who are in it too, are marked."""

    def name(bot: str) -> str:
        return f"{bot} (guest)" if bot in guests else bot

    best = name(test.pairs[0].bot)
    if test.goal_reached:
        return f"settled: {_describe_reached(test.goal, test.within_places, best)}"
    if test.goal == "all" and not test.within_places:
        pairs = [pair for pair in test.pairs if pair.verdict == "open"]
        named = ", ".join(f"{name(pair.bot)} and {name(pair.other)}" for pair in pairs)
        undecided = f"undecided between {named}"
    else:
        bots = [*map(name, test.undecided_bots)]
        undecided = describe_open(test.goal, test.within_places, best, bots)
    return f"not settled: {undecided}{describe_needs(test.further_games_needed)}"


def _describe_reached(goal: Goal, within: int, best: str) -> str:
    if goal == "best":
        return f"the best is {best} (no rating is more than {BAND_MU} higher)"
    if goal != "all":
        return f"the first {goal} are in order"
    if within:
        return f"every place is known to within {amount(within, 'place')}"
    return "each bot is told apart from the next, or equal to it"


def describe_open(goal: Goal, within: int, best: str, unplaced: Sequence[str]) -> str:
    """Say what keeps a goal open (but that of neighbours), by the bots that do, the best first."""
    if goal == "best":
        return f"{best} leads, but may be behind {_name_some(unplaced[1:])}"
    names = _name_some(unplaced)
    if goal == "all":
        return f"not known to within {amount(within, 'place')}: {names}"
    return f"the first {goal} are not in order yet; undecided: {names}"


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more:,} more" if more > 0 else "")


def describe_needs(games: int | UnsetType | None) -> str:
    """About how many more games reach a goal, to two digits, to end a sentence with; "" if that is
    not known.
    """
    if not games:
        return ""
    return f"; some {round(games, min(2 - len(str(games)), 0)):,} more games would settle it"


def describe_forecast(
    bot: str,
    other: str,
    differing: int | UnsetType,
    likely: float | UnsetType | None,
    needs: int | UnsetType | None,
) -> str:
    """Say what is likely of two bots of an open verdict, and how many games would settle it."""
    clauses = []
    if differing is not UNSET and differing < LEAST_CLUSTERS:
        few = amount(differing, "deck")
        clauses.append(f"they differ on {few} (telling them apart takes {LEAST_CLUSTERS})")
    if isinstance(likely, float):
        ahead, chance = (bot, likely) if likely >= 0.5 else (other, 1 - likely)
        sure = f"{min(chance, 0.99):.0%}"
        clauses.append(
            f"{ahead} is likely better ({sure})" if chance >= LIKELY else
            f"about level so far ({ahead} better: {sure})"
        )  # fmt: skip
    return "; ".join(clauses) + describe_needs(needs)
