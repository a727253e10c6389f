"""Stages: a pool that is to be settled is played up to a look at its table, and then perhaps on.

The looks are planned before the first game: the first where every bot has played `FIRST_DECKS`
decks, each of the others a seventh further than the one before. An entry's `deals` reach to the
look that it has come to. The verdicts of a look are drawn in `arena.tables.settling`. Pure.

That is version 2 of a test, whose error `arena.rating.sequential_limits` spends.
"""

from math import comb

from arena.model import Entry, Settle
from arena.schedule import seatings

VERSION = 2
FIRST_DECKS = 20
"""As few as a verdict may rest on (`arena.rating.sequential`)."""


def make_stages(first: int, deals: int) -> tuple[int, ...]:
    """Return the deals at each look, each a seventh above the one before, the last at all of them.

    Up to 10 % before the last there is none. `first` is 1 or more; a first beyond all is the last.
    """
    looks, at = [], first
    while 11 * at <= 10 * deals:
        looks.append(at)
        at = -(-8 * at // 7)
    return (*looks, deals)


def plan_stages(entry: Entry, level: float, line_ups: int | None, shared: bool) -> Entry:
    """Return the entry, to be settled with this level; its deals become the most that are played.

    It is at its first look. So many line-ups are to be drawn (None: all are played); `shared` says
    whether seatings may come to share decks.
    """
    first = min(-(-FIRST_DECKS // decks_of_deal(entry, line_ups, shared)), entry.deals)
    looks = len(make_stages(first, entry.deals))
    settle = Settle(level, entry.deals, looks, first, VERSION)
    return at_look(entry._replace(settle=settle), 0)


def decks_of_deal(entry: Entry, line_ups: int | None, shared: bool) -> int:
    """Return on how many decks a bot plays in one deal of all line-ups: of all that
    are compared, whoever has the fewest.
    """
    others = max(len(entry.bots) - len(entry.always), 1)
    chosen = entry.pool.entrants - len(entry.always)
    drawn = comb(others, chosen) if line_ups is None else min(comb(others, chosen), line_ups)
    own = drawn if len(entry.always) == 2 else drawn * chosen // others
    return max(own, 1) * (1 if shared else seatings.count_seatings(entry.pool, entry.seatings))


def is_possible(settle: Settle) -> bool:
    """Return whether a test may have been planned so, of 1 deal or more."""
    return 1 <= settle.first <= settle.deals and settle.looks == len(
        make_stages(settle.first, settle.deals)
    )


def stages_of(entry: Entry) -> tuple[int, ...]:
    """Return the deals at each look, as they were planned, of an entry that is to be settled."""
    assert entry.settle, "an entry that is played straight through has no looks"
    return make_stages(entry.settle.first, entry.settle.deals)


def look_of(entry: Entry) -> int:
    """Return the look that an entry has come to, 0 the first."""
    return stages_of(entry).index(entry.deals)


def at_look(entry: Entry, look: int) -> Entry:
    """Return the entry as far as it is played for a look, 0 the first."""
    return entry._replace(deals=stages_of(entry)[look])


def at_most(entry: Entry) -> Entry:
    """Return the entry with all deals that are ever played."""
    return entry._replace(deals=entry.settle.deals) if entry.settle else entry


def is_replanned(before: Entry, now: Entry) -> bool:
    """Return whether the test of a pool is not the one it was begun with, if with any: then there
    were tables to be seen when it was planned. New bots may have the first look earlier or later.
    """
    old, new = before.settle, now.settle
    return new is not None and (old is None or old[:2] != new[:2])
