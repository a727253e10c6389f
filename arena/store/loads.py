"""Bots that did not load when they were last tried, whether or not a game was forfeited for it; and
what that cost, which is played again once they load.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from arena.faults.kinds import KINDS
from arena.model import Bot, Fixture, LineUp, Pool, Reason
from arena.schedule.order import Schedule
from arena.store.scan import read_line_ups, read_rows
from arena.store.store import Store
from arena.store.validation import parse_seating
from arena.typed_json import decode

UNLOADABLE = "unloadable "  # before a bot's hash, in keys of the store's table `meta`


class FailedLoad(msgspec.Struct, frozen=True):
    """The reason why a bot did not load when it was last tried."""

    why: Reason  # of kind `load`
    under: str = ""  # a hash of what else that depends on, beside its files; "" if not known

    @property
    def lasting(self) -> bool:
        """True if the next try would only repeat it, all else being equal: always of files that are
        refused. One that a clock, the machine's memory or the kernel ended may load the next time.
        """
        return self.why.how is None or KINDS[self.why.how].lasting


class Owed(NamedTuple):
    """A game forfeited by a bot that did not load, or a line-up left unplayed for it."""

    bot: str
    pool: Pool
    line_up: LineUp
    game: str  # id; "" for a line-up that was left unplayed
    counted: bool  # by one of the schedules that were given


def keep_loads(
    store: Store, tried: Iterable[Bot], failed: Mapping[str, Reason], under: str
) -> None:
    """Keep which of the bots that were `tried` failed to load, by name, and forget what was kept of
    the others.
    """
    with store.writing():
        for bot in tried:
            key = UNLOADABLE + bot.hash
            store.db.execute("DELETE FROM meta WHERE key = ?", (key,))
            if why := failed.get(bot.name):
                store.set_meta(key, msgspec.json.encode(FailedLoad(why, under)).decode())


def read_loads(store: Store, bots: Iterable[Bot]) -> dict[str, FailedLoad]:
    """The bots that did not load when they were last tried, by name."""
    failed = {}
    for bot in bots:
        if text := store.meta(UNLOADABLE + bot.hash):
            with suppress(ValueError):  # damaged: it is tried again
                load = decode(text, FailedLoad)
                if load.why.kind == "load":
                    failed[bot.name] = load
    return failed


def has_lost_any(store: Store) -> bool:
    """True if any game was forfeited, or line-up left unplayed, because a bot did not load."""
    lost = "SELECT EXISTS (SELECT 1 FROM fault WHERE kind = 'load')"
    unplayed = "EXISTS (SELECT 1 FROM line_up WHERE unplayed)"
    return bool(store.db.execute(f"{lost} OR {unplayed}").fetchone()[0])


def find_owed(
    store: Store, planned: Mapping[Pool, Schedule], counted: Sequence[Mapping[Pool, Schedule]]
) -> Iterator[Owed]:
    """Yield what the games that are `planned` lost by bots that did not load: forfeits, then
    line-ups left unplayed, each once for each of their bots; and whether schedules `counted` them.
    """
    line_ups = read_line_ups(store.db)
    query = (
        "SELECT name, game.id, line_up, seating, deal FROM fault JOIN bot ON bot.id = fault.bot "
        "JOIN game ON game.id = fault.game_id WHERE kind = 'load'"
    )
    for name, id, row, seating, deal in read_rows(store.db, query):
        with suppress(LookupError, TypeError, ValueError):  # damaged, which costs no game
            pool, line_up = line_ups[row]
            game = Fixture(id, line_up, parse_seating(seating), deal)
            in_plan, *held = (pool in of and of[pool].holds(game) for of in (planned, *counted))
            if in_plan:
                yield Owed(name, pool, line_up, id, any(held))
    for pool, games in planned.items():
        before = [of[pool].line_ups for of in counted if pool in of]
        for line_up in store.unplayed_line_ups(pool):
            if games.line_ups.number(line_up) is not None:
                held = [schedule.number(line_up) is not None for schedule in before]
                yield from (Owed(bot.name, pool, line_up, "", any(held)) for bot in line_up)


def drop_owed(store: Store, owed: Sequence[Owed]) -> None:
    """Take forfeited games out, so that they are missing like the line-ups that were not played."""
    with store.writing():
        for one in owed:
            row = store.row_ids.make_line_up(store.row_ids.make_pool(one.pool), one.line_up)
            store.db.execute("UPDATE line_up SET unplayed = 0 WHERE id = ?", (row,))
    store.drop(list(store.find_all({one.game for one in owed})))
