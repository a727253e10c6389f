"""Stages: a pool that is to be settled is played up to a look at its table, and then perhaps on.

The looks are planned before the first game: the first when every bot has played `FIRST_DECKS`
decks, each of the others a seventh further than the one before. An entry's `deals` reach to the
look that it has come to. Where line-ups are drawn, looks add line-ups at one deal, until
`line_ups_used` are all of them, and then deals. The verdicts of a look are made in
`arena.sequential.looks`. Pure.

That is version 2 of a test, whose error `arena.sequential.limits` spends.
"""

from collections.abc import Iterable
from operator import attrgetter

from arena.model import Entry, Goal, SequentialTest

STAGES_VERSION = 2
FIRST_DECKS = 20
"""As few as a verdict may rest on (`arena.sequential.verdicts`)."""
FIRST_DECKS_OF_ALL = 40
"""If all pairs are compared. On 20 decks, with normal limits, 7 of 96 simulated leagues told two
bots apart wrongly, on 40 none of 10. Student's t, as here, kept false claims away as well."""


def make_looks(first: int, deals: int) -> tuple[int, ...]:
    """Plan the deals at each look, each a seventh above the one before, the last at all of them.

    There is no look up to 10 % before the last. `first` is 1 or more; a first beyond all is the
    last.
    """
    looks, at = [], first
    while 11 * at <= 10 * deals:
        looks.append(at)
        at = -(-8 * at // 7)
    return (*looks, deals)


def plan_stages(
    entry: Entry,
    decks_of_deal: int,
    confidence: float,
    line_ups: int | None,
    goal: Goal = "all",
    within: int = 0,
) -> Entry:
    """Plan an entry's looks, its deals now are the most that it plays.

    It is at its first look. A bot plays `decks_of_deal` decks in one deal. `line_ups` is how many
    are to be drawn (None: all are played); `goal` and `within` are the test's. Where bots have more
    line-ups than the first look has decks, looks count line-ups: of several decks of one line-up, a
    verdict counts one.
    """
    decks = FIRST_DECKS if goal == "all" and not within else FIRST_DECKS_OF_ALL
    first = min(-(-decks // decks_of_deal), entry.deals)
    test = SequentialTest(
        confidence=confidence, max_deals=entry.deals, look_count=1, first_deals=first,
        version=STAGES_VERSION, goal=goal, within_places=within,
    )  # fmt: skip
    drawn = list[int]()
    if line_ups is not None and isinstance(entry.shared_decks, bool):
        fixed = len(entry.fixed_bots)
        others, chosen = max(len(entry.bots) - fixed, 1), entry.pool.entrants - fixed
        for sample in make_looks(decks, max(line_ups * chosen // others, decks))[:-1]:
            drawn.append(-(-sample * others // chosen))
    return plan_looks(entry._replace(test=test), [*drawn, line_ups or 0] if drawn else ())


def plan_looks(entry: Entry, drawn: Iterable[int]) -> Entry:
    """The entry at the first of its looks, which use so many line-ups until all are drawn."""
    assert entry.test, "an entry that is played straight through has no looks"
    test = entry.test._replace(line_up_counts=tuple(dict.fromkeys(drawn)))
    looks = len(list_looks(entry._replace(test=test)))
    return limit_to_look(entry._replace(test=test._replace(look_count=looks)), 0)


def is_possible_look(entry: Entry) -> bool:
    """True if an entry is at a look of a test that may have been planned so."""
    test = entry.test
    assert test, "an entry that is played straight through has no looks"
    drawn = test.line_up_counts
    return (
        1 <= test.first_deals <= test.max_deals
        and drawn == tuple(sorted({*drawn}))
        and (not drawn or (drawn[0] >= 1 and drawn[-1] == len(entry.line_ups or ())))
        and test.look_count == len(list_looks(entry))
        and any(entry == limit_to_look(entry, look) for look in range(test.look_count))
    )


def list_looks(entry: Entry) -> tuple[int, ...]:
    """The planned deals at each look, of an entry that is to be settled; where line-ups are drawn
    for looks, line-ups times deals.
    """
    assert entry.test, "an entry that is played straight through has no looks"
    drawn = entry.test.line_up_counts
    deals = make_looks(entry.test.first_deals, entry.test.max_deals)
    return (*drawn, *(drawn[-1] * deal for deal in deals[1:])) if drawn else deals


def find_look(entry: Entry) -> int:
    """The look that an entry has come to, 0 the first."""
    return list_looks(entry).index(entry.deals * (entry.line_ups_used or 1))


def limit_to_look(entry: Entry, look: int) -> Entry:
    """The entry with the line-ups and deals it plays up to a look, 0 the first."""
    at, drawn = list_looks(entry)[look], entry.test.line_up_counts if entry.test else ()
    most = max(drawn, default=1)
    return entry._replace(deals=max(1, at // most), line_ups_used=min(at, most) if drawn else None)


def take_all_deals(entry: Entry) -> Entry:
    """The entry with all line-ups and deals that are ever played."""
    return limit_to_look(entry, -1) if entry.test else entry


def may_go_on(entries: Iterable[Entry]) -> bool:
    """True if any is to be settled and not at its last look, so that more games may follow."""
    return any(entry != take_all_deals(entry) for entry in entries)


def is_test_replanned(before: Entry, now: Entry) -> bool:
    """True if a pool's test was planned, or changed, after play began: tables could be seen by
    then.

    What follows from other bots (where the looks are, and how many deals `max_games` buys) does not
    count.
    """
    old, new = before.test, now.test
    if old and new and [bot.name for bot in before.bots] != [bot.name for bot in now.bots]:
        by_config = attrgetter("confidence", "version", "goal", "within_places")
        return bool(by_config(new) != by_config(old))
    return new is not None and new != old
