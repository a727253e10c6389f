"""Stages: a pool that is to be settled is played up to a look at its table, and then perhaps on.

The looks are planned before the first game. An entry's `deals` reach to the look that it has come
to. The verdicts of a look are drawn in `arena.tables.settling`. Pure.
"""

from arena.model import Entry, Settle

LOOKS = 10  # at the table, at most


def evenly(deals: int, looks: int) -> tuple[int, ...]:
    """Return the deals at each look, evenly spaced, the last at all; 1 <= looks <= deals."""
    return tuple(-(-deals * number // looks) for number in range(1, looks + 1))


def planned(entry: Entry, level: float) -> Entry:
    """Return the entry, to be settled with this level; its deals become the most that are played.

    It is at its first look.
    """
    return at_look(entry._replace(settle=Settle(level, entry.deals, min(LOOKS, entry.deals))), 0)


def stages_of(entry: Entry) -> tuple[int, ...]:
    """Return the deals at each look, as they were planned, of an entry that is to be settled."""
    assert entry.settle, "an entry that is played straight through has no looks"
    return evenly(entry.settle.deals, entry.settle.looks)


def look_of(entry: Entry) -> int:
    """Return the look that an entry has come to, 0 the first."""
    return stages_of(entry).index(entry.deals)


def at_look(entry: Entry, look: int) -> Entry:
    """Return the entry as far as it is played for a look, 0 the first."""
    return entry._replace(deals=stages_of(entry)[look])


def at_most(entry: Entry) -> Entry:
    """Return the entry with all deals that are ever played."""
    return entry._replace(deals=entry.settle.deals) if entry.settle else entry


def replanned(before: Entry, now: Entry) -> bool:
    """Return whether the test of a pool is not the one it was begun with, if with any: then there
    were tables to be seen when it was planned.
    """
    return now.settle is not None and before.settle != now.settle
