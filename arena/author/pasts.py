"""Recorded games as a bot's seats lived them, with the numbers that its generator had then."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from arena import ids, seeds
from arena.audit.deals import evidence
from arena.audit.lawful import unlawful
from arena.author.asking import Past
from arena.errors import ArenaError, UsageError
from arena.model import Limits
from arena.records.questions import questions
from arena.sandbox import wire
from arena.schedule.order import schedules
from arena.store import logs
from arena.store.plans import plan_in, schedule_of
from arena.store.scan import StoredGame
from arena.store.store import Store

NO_KEY = bytes(32)
"""In place of the key that bots' numbers come of, where a copy has no secret."""


class Archive(NamedTuple):
    """What the games of a store were played with."""

    limits: Limits
    key: bytes
    exact: bool  # whether bots get the numbers that they had; else others, always the same


def archive_of(store: Store) -> Archive:
    """Return what the store's games were played with. Raises UsageError where it has no games."""
    plan = plan_in(store)
    secret = evidence(store, plan).secret
    key = NO_KEY if secret is None else ids.bots_key(secret)
    return Archive(plan.limits, key, secret is not None)


def named(store: Store, id: str) -> StoredGame:
    """Return the game whose id begins so. Raises UsageError unless that is one."""
    found = store.found(id)
    if len(found) != 1:
        many = "several games begin" if found else "no game begins"
        what = "give more of its digits" if found else "`arena records` and `arena faults` list ids"
        raise UsageError(f"{store.path.parent}: {many} with {id!r}; {what}")
    return found[0]


def past_of(store: Store, archive: Archive, row: StoredGame, seat: int) -> Past:
    """Return a game as a seat lived it. Raises ArenaError where it is not by the rules."""
    problem, record = unlawful(row)
    if problem:
        raise ArenaError(f"{store.path}: game {row.id}: {problem}; `arena verify` says more")
    tables, numbers = seeds.of_seats(archive.key, row.id, row.pool.players)
    hello = wire.Hello(row.pool.game, json.loads(row.pool.options))
    begun = wire.Begun(tables[seat], numbers[seat])
    failed = logs.failed_in(store, row.id) if row.faults else {}
    asked = tuple(questions(record, seat, tables, failed))
    return Past(row.id, seat, hello, begun, asked)


def seats_of(row: StoredGame, name: str) -> list[int]:
    """Return where a bot sat in a game."""
    fixture = row.fixture
    return [seat for seat, at in enumerate(fixture.seating) if fixture.line_up[at].name == name]


def games_of(store: Store, name: str | None = None) -> Iterator[StoredGame]:
    """Yield the plan's games, or those that a bot of that name sat in, in order of id."""
    planned = schedules(plan_in(store))
    for row in store.games(in_order_of_id=True):
        played = name is None or name in {bot.name for bot in row.line_up}
        if row.sound and played and schedule_of(planned, row) is not None:
            yield row
