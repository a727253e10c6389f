"""Recorded games of a store, as one seat saw them, with the limits and random numbers they had."""

from collections.abc import Iterator
from typing import NamedTuple

from arena import ids
from arena.audit.game_check import find_evidence
from arena.author.views import RecordedGame, find_recorded_game
from arena.errors import UsageError
from arena.model import Limits, Sharing
from arena.sandbox import wire
from arena.schedule.order import make_schedules
from arena.store.logs import find_failed_phases
from arena.store.plans import load_plan
from arena.store.scan import StoredGame, read_record
from arena.store.store import Store


class Archive(NamedTuple):
    """The limits and random numbers that a store's games were played with."""

    limits: Limits
    key: bytes | None  # of bots' random numbers; None where a copy has no secret
    sharing: Sharing  # of a match, the same in all its pools; in a tournament no dice are shared

    @property
    def exact(self) -> bool:
        """True if bots get the random numbers they had; otherwise others, always the same."""
        return self.key is not None


def read_archive(store: Store) -> Archive:
    """Read from a store what its games were played with. Raises UsageError where it has none."""
    plan = load_plan(store)
    secret = find_evidence(store, plan).secret
    sharing = next((entry.shared_decks for entry in plan.entries), False)
    return Archive(plan.limits, None if secret is None else ids.bots_key(secret), sharing)


def find_game(store: Store, id: str) -> StoredGame:
    """The game whose id begins with `id`. Raises UsageError unless there is exactly one."""
    rows = store.find(id)
    if len(rows) != 1:
        many = "more than one game begins" if rows else "no game begins"
        what = "give more digits" if rows else "`arena games` and `arena faults` list ids"
        raise UsageError(f"{store.path.parent}: {many} with {id!r}; {what}")
    return rows[0]


def read_recorded_game(store: Store, archive: Archive, row: StoredGame, seat: int) -> RecordedGame:
    """A stored game as a seat saw it. Raises ArenaError where it breaks the rules."""
    record = read_record(store.path, row)
    key = archive.key or bytes(32)
    tables, numbers = ids.draw_numbers(key, archive.sharing, row.pool, row.fixture)
    failed = find_failed_phases(store, row.id) if row.faults else {}
    return find_recorded_game(record, seat, wire.Begun(tables[seat], numbers[seat]), failed)


def find_games(store: Store, name: str | None = None) -> Iterator[StoredGame]:
    """The plan's sound games in order of id; with `name`, those that this bot played in."""
    planned = make_schedules(load_plan(store))
    for row in store.games(in_order_of_id=True):
        played = name is None or name in {bot.name for bot in row.line_up}
        if row.sound and played and row.find_schedule(planned) is not None:
            yield row
