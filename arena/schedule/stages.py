"""Stages: a pool that is to be settled is played up to a look at its table, and then perhaps on.

The looks are planned before the first game: the first when every bot has played `FIRST_DECKS`
decks, each of the others a seventh further than the one before. An entry's `deals` reach to the
look that it has come to. The verdicts of a look are made in `arena.tables.settling`. Pure.

That is version 2 of a test, whose error `arena.rating.sequential_limits` spends.
"""

from math import comb

from arena.model import Entry, Goal, Mirrored, Settle
from arena.schedule import seatings

STAGES_VERSION = 2
FIRST_DECKS = 20
"""As few as a verdict may rest on (`arena.rating.sequential`)."""
FIRST_DECKS_OF_ALL = 40
"""Where all pairs are compared. On 20 decks, with normal limits, 7 of 96 simulated leagues told two
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
    entry: Entry, level: float, line_ups: int | None, goal: Goal = "all", within: int = 0
) -> Entry:
    """Plan an entry's looks, to be settled with this level; its deals now are the most it plays.

    It is at its first look. `line_ups` is how many are to be drawn (None: all are played); `goal`
    and `within` are as in `Settle`.
    """
    decks = FIRST_DECKS if goal == "all" and not within else FIRST_DECKS_OF_ALL
    first = min(-(-decks // count_decks_of_deal(entry, line_ups)), entry.deals)
    looks = len(make_stages(first, entry.deals))
    settle = Settle(level, entry.deals, looks, first, STAGES_VERSION, goal, within)
    return limit_to_look(entry._replace(settle=settle), 0)


def count_decks_of_deal(entry: Entry, line_ups: int | None) -> int:
    """On how many decks a bot plays in one deal of all line-ups: the fewest of those compared."""
    others = max(len(entry.bots) - len(entry.always), 1)
    chosen = entry.pool.entrants - len(entry.parties[0])
    drawn = comb(others, chosen)
    if line_ups is not None:
        drawn = min(drawn, line_ups // len(entry.parties))
    played = drawn if len(entry.always) == 2 else drawn * chosen // others
    if entry.duplicate is True:
        return max(played, 1)
    paired = isinstance(entry.duplicate, Mirrored) and not entry.duplicate.apart
    return max(played, 1) * seatings.count_seatings(entry.pool, entry.seatings) // (1 + paired)


def is_possible_test(settle: Settle) -> bool:
    """Whether a test of 1 deal or more may have been planned so."""
    return 1 <= settle.first <= settle.deals and settle.looks == len(
        make_stages(settle.first, settle.deals)
    )


def list_stages(entry: Entry) -> tuple[int, ...]:
    """The planned deals at each look, of an entry that is to be settled."""
    assert entry.settle, "an entry that is played straight through has no looks"
    return make_stages(entry.settle.first, entry.settle.deals)


def find_look(entry: Entry) -> int:
    """The look that an entry has come to, 0 the first."""
    return list_stages(entry).index(entry.deals)


def limit_to_look(entry: Entry, look: int) -> Entry:
    """The entry with the deals it plays up to a look, 0 the first."""
    return entry._replace(deals=list_stages(entry)[look])


def take_all_deals(entry: Entry) -> Entry:
    """The entry with all deals that are ever played."""
    return entry._replace(deals=entry.settle.deals) if entry.settle else entry


def is_test_replanned(before: Entry, now: Entry) -> bool:
    """Whether a pool's test was planned, or changed, after play began: tables could be seen by
    then.

    A first look that new bots moved earlier or later does not count.
    """
    old, new = before.settle, now.settle
    return new is not None and (
        old is None or new._replace(looks=old.looks, first=old.first) != old
    )
