"""A bot's history: recorded games as its seats saw them, and the bot's current code."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import games
from arena import ids
from arena.audit import find_evidence, find_illegal
from arena.errors import ArenaError, UsageError
from arena.league import BOTS, ENTRY_FILE, Source, find_bot, find_league, hash_source, read_bot
from arena.model import Bot, Limits
from arena.records import Question, find_questions
from arena.sandbox import wire
from arena.schedule import make_schedules
from arena.store import Store, StoredGame, find_failed_phases, load_plan


class RecordedGame(NamedTuple):
    """A recorded game as one seat saw it, with the random numbers that the bot had then."""

    id: str
    seat: int
    hello: wire.Hello
    begun: wire.Begun
    questions: Sequence[Question]

    def view(self, number: int) -> Any:
        """A question's view, as the bot is shown it."""
        game = games.load(self.hello.game)
        kind = games.bind(game.View, games.options_from(game.Options, self.hello.options))
        return msgspec.msgpack.decode(
            msgspec.msgpack.encode(self.questions[number].fields), type=kind
        )


class Archive(NamedTuple):
    """The limits and random numbers that a store's games were played with."""

    limits: Limits
    key: bytes | None  # of bots' random numbers; None where a copy has no secret

    @property
    def exact(self) -> bool:
        """Whether bots get the random numbers they had; else others, always the same."""
        return self.key is not None


def read_archive(store: Store) -> Archive:
    """Read from a store what its games were played with. Raises UsageError where it has none."""
    plan = load_plan(store)
    secret = find_evidence(store, plan).secret
    return Archive(plan.limits, None if secret is None else ids.bots_key(secret))


def find_game(store: Store, id: str) -> StoredGame:
    """The game whose id begins with `id`. Raises UsageError unless there is exactly one."""
    rows = store.find(id)
    if len(rows) != 1:
        many = "several games begin" if rows else "no game begins"
        what = "give more of its digits" if rows else "`arena records` and `arena faults` list ids"
        raise UsageError(f"{store.path.parent}: {many} with {id!r}; {what}")
    return rows[0]


def read_recorded_game(store: Store, archive: Archive, row: StoredGame, seat: int) -> RecordedGame:
    """A stored game as a seat saw it. Raises ArenaError where it breaks the rules."""
    problem, record = find_illegal(row)
    if problem:
        raise ArenaError(f"{store.path}: game {row.id}: {problem}; `arena verify` says more")
    tables, numbers = ids.draw_seat_numbers(archive.key or bytes(32), row.id, row.pool.players)
    hello = wire.Hello(row.pool.game, json.loads(row.pool.options))
    begun = wire.Begun(tables[seat], numbers[seat])
    failed = find_failed_phases(store, row.id) if row.faults else {}
    asked = tuple(find_questions(record, seat, tables, failed))
    return RecordedGame(row.id, seat, hello, begun, asked)


def find_games(store: Store, name: str | None = None) -> Iterator[StoredGame]:
    """The plan's sound games in order of id; with `name`, those that this bot played in."""
    planned = make_schedules(load_plan(store))
    for row in store.games(in_order_of_id=True):
        played = name is None or name in {bot.name for bot in row.line_up}
        if row.sound and played and row.find_schedule(planned) is not None:
            yield row


class CurrentBot(NamedTuple):
    """A bot's current code, and the name under which a store has its games."""

    path: Path  # the file, or its folder
    source: Source
    bot: Bot  # by its name in the store

    @property
    def entry(self) -> Path:
        """The file that defines the bot."""
        return self.path / ENTRY_FILE if self.path.is_dir() else self.path


def find_current_bot(results: Path, name: str, given: Path | None = None) -> CurrentBot:
    """The current code of a bot: from the league that the results lie in, else from the league at
    hand; `given` is the path of a bot to take instead.

    Raises UsageError where there is no such bot.
    """
    if given is None:
        try:
            league = find_league(results.absolute().parent)
        except UsageError:
            league = find_league(Path.cwd())
        try:
            place = find_bot(league, name)
        except UsageError:
            gone = f"{league / BOTS}: {name} is gone"
            raise UsageError(f"{gone}; put it back, or name its file by --bot PATH") from None
    else:
        place = find_bot(Path.cwd(), str(given))
    source = read_bot(place)
    return CurrentBot(place.path.absolute(), source, Bot(name, hash_source(source)))
