"""Stages: a pool that is to be settled is played up to a look at its table, and then perhaps on.

The looks are planned before the first game: the first when every bot has played `FIRST_DECKS`
decks, each of the others a seventh further than the one before. An entry's `deals` reach to the
look that it has come to. Where line-ups are drawn, looks add line-ups at one deal, until `used` are
all of them, and then deals. The verdicts of a look are made in `arena.sequential.looks`. Pure.

That is version 2 of a test, whose error `arena.sequential.limits` spends.
"""

from collections.abc import Iterable

from arena.model import Entry, Goal, Settle

STAGES_VERSION = 2
FIRST_DECKS = 20
"""As few as a verdict may rest on (`arena.sequential.verdicts`)."""
FIRST_DECKS_OF_ALL = 40
"""If all pairs are compared. On 20 decks, with normal limits, 7 of 96 simulated leagues told two
bots apart wrongly, on 40 none of 10. Student's t, as here, kept false claims away as well."""


def make_stages(first: int, deals: int) -> tuple[int, ...]:
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
    level: float,
    line_ups: int | None,
    goal: Goal = "all",
    within: int = 0,
) -> Entry:
    """Plan an entry's looks, to be settled with this level; its deals now are the most it plays.

    It is at its first look. A bot plays `decks_of_deal` decks in one deal. `line_ups` is how many
    are to be drawn (None: all are played); `goal` and `within` are as in `Settle`. Where bots have
    more line-ups than the first look has decks, looks count line-ups: of several decks of one
    line-up, a verdict counts one.
    """
    decks = FIRST_DECKS if goal == "all" and not within else FIRST_DECKS_OF_ALL
    first = min(-(-decks // decks_of_deal), entry.deals)
    settle = Settle(
        level=level,
        deals=entry.deals,
        looks=1,
        first=first,
        version=STAGES_VERSION,
        goal=goal,
        within=within,
    )
    drawn = list[int]()
    if line_ups is not None and isinstance(entry.duplicate, bool):
        fixed = len(entry.always)
        others, chosen = max(len(entry.bots) - fixed, 1), entry.pool.entrants - fixed
        for sample in make_stages(decks, max(line_ups * chosen // others, decks))[:-1]:
            drawn.append(-(-sample * others // chosen))
    return plan_looks(entry._replace(settle=settle), [*drawn, line_ups or 0] if drawn else ())


def plan_looks(entry: Entry, drawn: Iterable[int]) -> Entry:
    """The entry at the first of its looks, which use so many line-ups until all are drawn."""
    assert entry.settle, "an entry that is played straight through has no looks"
    settle = entry.settle._replace(drawn=tuple(dict.fromkeys(drawn)))
    looks = len(list_stages(entry._replace(settle=settle)))
    return limit_to_look(entry._replace(settle=settle._replace(looks=looks)), 0)


def is_possible_look(entry: Entry) -> bool:
    """True if an entry is at a look of a test that may have been planned so."""
    settle = entry.settle
    assert settle, "an entry that is played straight through has no looks"
    drawn = settle.drawn
    return (
        1 <= settle.first <= settle.deals
        and drawn == tuple(sorted({*drawn}))
        and (not drawn or (drawn[0] >= 1 and drawn[-1] == len(entry.line_ups or ())))
        and settle.looks == len(list_stages(entry))
        and any(entry == limit_to_look(entry, look) for look in range(settle.looks))
    )


def list_stages(entry: Entry) -> tuple[int, ...]:
    """The planned deals at each look, of an entry that is to be settled; where line-ups are drawn
    for looks, line-ups times deals.
    """
    assert entry.settle, "an entry that is played straight through has no looks"
    drawn, deals = entry.settle.drawn, make_stages(entry.settle.first, entry.settle.deals)
    return (*drawn, *(drawn[-1] * deal for deal in deals[1:])) if drawn else deals


def find_look(entry: Entry) -> int:
    """The look that an entry has come to, 0 the first."""
    return list_stages(entry).index(entry.deals * (entry.used or 1))


def limit_to_look(entry: Entry, look: int) -> Entry:
    """The entry with the line-ups and deals it plays up to a look, 0 the first."""
    at, drawn = list_stages(entry)[look], entry.settle.drawn if entry.settle else ()
    most = max(drawn, default=1)
    return entry._replace(deals=max(1, at // most), used=min(at, most) if drawn else None)


def take_all_deals(entry: Entry) -> Entry:
    """The entry with all line-ups and deals that are ever played."""
    return limit_to_look(entry, -1) if entry.settle else entry


def may_go_on(entries: Iterable[Entry]) -> bool:
    """True if any is to be settled and not at its last look, so that more games may follow."""
    return any(entry != take_all_deals(entry) for entry in entries)


def is_test_replanned(before: Entry, now: Entry) -> bool:
    """True if a pool's test was planned, or changed, after play began: tables could be seen by
    then.

    What follows from other bots (where the looks are, and how many deals `max_games` buys) does not
    count.
    """
    old, new = before.settle, now.settle
    if old and new and [bot.name for bot in before.bots] != [bot.name for bot in now.bots]:
        new = new._replace(deals=old.deals, looks=old.looks, first=old.first, drawn=old.drawn)
    return new is not None and new != old
