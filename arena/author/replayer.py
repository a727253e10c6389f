"""Asks a bot's current code, confined, what it was asked in recorded games.

Games are read from the store as one seat saw them. The bot is asked as a session asks it: in a
process with its limits, many games side by side, each with the random numbers of the game's own
generator.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import games
from arena import ids
from arena.audit import find_evidence, find_illegal
from arena.errors import ArenaError, UsageError
from arena.league import (
    BOTS,
    ENTRY_FILE,
    Source,
    find_bot,
    find_league,
    hash_source,
    read_bot,
    write_snapshots,
)
from arena.model import Bot, Limits, Pool, Reason, Sharing
from arena.process import Asker, Death, Launcher, Reply, ZygoteClient
from arena.progress import Progress
from arena.reasons import in_full
from arena.records import Question, find_questions
from arena.sandbox import wire
from arena.sandbox.capture import is_word, not_a_decision
from arena.schedule import make_schedules
from arena.store import Store, StoredGame, find_failed_phases, load_plan
from arena.words import either


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
    sharing: Sharing  # of a match, the same in all its pools; in a tournament no dice are shared

    @property
    def exact(self) -> bool:
        """Whether bots get the random numbers they had; else others, always the same."""
        return self.key is not None


def read_archive(store: Store) -> Archive:
    """Read from a store what its games were played with. Raises UsageError where it has none."""
    plan = load_plan(store)
    secret = find_evidence(store, plan).secret
    sharing = next((entry.duplicate for entry in plan.entries), False)
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
    problem, record = find_illegal(row)
    if problem:
        raise ArenaError(f"{store.path}: game {row.id}: {problem}; `arena verify` shows details")
    key = archive.key or bytes(32)
    tables, numbers = ids.draw_numbers(key, archive.sharing, row.pool, row.fixture)
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
            gone = f"{league / BOTS}: {name} is missing"
            raise UsageError(f"{gone}; put it back, or name its file with --bot PATH") from None
    else:
        place = find_bot(Path.cwd(), str(given))
    source = read_bot(place)
    return CurrentBot(place.path.absolute(), source, Bot(name, hash_source(source)))


SIDE_BY_SIDE = 256  # games in one process: as many as a session asks in one message


class Difference(NamedTuple):
    """The first decision of a bot that differs from the recorded one."""

    number: int  # index in the game's questions
    now: Reply


class Replayer:
    """A bot that is asked again. `folder` is its snapshot."""

    def __init__(self, zygote: Launcher, folder: Path, limits: Limits) -> None:
        self._asker = Asker(partial(zygote.start, folder, limits), self._hear)
        self._hello: wire.Hello | None = None  # what the process was told
        self.printed = ""

    def problem(self) -> Reason | None:
        """Load the bot in a fresh process: the reason of kind `load` if that fails, else None."""
        self.close()
        self._hello = None
        return self._asker.load()

    def replies(self, game: RecordedGame) -> Iterator[Reply]:
        """The bot's reply to each question of a game, up to the first that is no decision."""
        self._play(game.hello)
        begun = [game.begun]
        for question in game.questions:
            reply = _judged(self._asker.ask_one(begun, question.fields), question)
            begun = []
            yield reply
            if isinstance(reply, Reason):
                return
        self._asker.ask([], [_over(game)], [])

    def differences(self, games: Sequence[RecordedGame]) -> list[Difference | None]:
        """Find in each game the first decision that differs; None where all are the same. All games
        have one hello, and each has questions.

        They are asked side by side. If the process dies, the games left are asked one by one, so
        that no game is lost through another.
        """
        by_number = self._side_by_side(games)
        for number, game in enumerate(games):
            if number not in by_number:
                by_number[number] = None
                for at, reply in enumerate(self.replies(game)):
                    if not is_alike(game.questions[at], reply):
                        by_number[number] = Difference(at, reply)
                        break
        return [by_number[number] for number in range(len(games))]

    def close(self) -> None:
        """End its process, if there is one."""
        self._asker.end()

    def _side_by_side(self, games: Sequence[RecordedGame]) -> dict[int, Difference | None]:
        """Ask games in one batch: the differences by game, of all of them or of those that were
        finished when the process died.
        """
        self._play(games[0].hello)
        differences: dict[int, Difference | None] = {}
        asked, wave = [*range(len(games))], 0
        begun, over = [game.begun for game in games], list[wire.Over]()
        while asked:
            questions = [games[number].questions[wave] for number in asked]
            answers = self._asker.ask(begun, over, [question.fields for question in questions])
            if isinstance(answers, Death) or len(answers.decisions) < len(asked):
                return differences
            for at, number in enumerate(asked):
                reply = answers.reasons.get(at) or _judged(answers.decisions[at], questions[at])
                if not is_alike(questions[at], reply):
                    differences[number] = Difference(wave, reply)
                elif wave + 1 == len(games[number].questions):
                    differences[number] = None
            begun, wave = [], wave + 1
            over = [_over(games[number]) for number in asked if number in differences]
            asked = [number for number in asked if number not in differences]
        self._asker.ask([], over, [])
        return differences

    def _play(self, hello: wire.Hello) -> None:
        """Have a process that plays as `hello` says; each plays one kind of game for good."""
        if not self._asker.is_loaded or self._hello not in (None, hello):
            reason = self.problem()
            if reason:
                why = in_full(reason)
                raise ArenaError(f"the bot loaded before, but not now: {why}")
        if self._hello is None:
            self._asker.tell(hello)
            self._hello = hello

    def _hear(self, text: str, ended: bool) -> None:
        self.printed += text


@contextmanager
def start_replayer(now: CurrentBot, limits: Limits, confined: bool = True) -> Iterator[Replayer]:
    """Start a bot from its current files, to be asked again."""
    with (
        write_snapshots({now.bot.name: now.source}, [now.bot]) as paths,
        closing(ZygoteClient(confined)) as zygote,
        closing(Replayer(zygote, Path(paths[now.bot.name]), limits)) as player,
    ):
        yield player


def rerun_games(
    store: Store,
    archive: Archive,
    name: str,
    player: Replayer,
    steps: Progress,
    most: int | None,
) -> Iterator[tuple[RecordedGame, Difference | None]]:
    """Ask a bot again in its recorded games, pool by pool and in batches: each game with its first
    decision that differs, None if all are the same.

    Of more games than `most` it takes those with the lowest ids: ids are hashes, so that is as good
    as a random sample. The two of a team are asked apart, as in play, where they share nothing.
    Seats that were asked nothing are left out. Raises ArenaError where a game breaks the rules.
    """
    waiting: dict[tuple[Pool, int], list[RecordedGame]] = {}
    steps.begin("asking the bot again")
    for row in islice(find_games(store, name), most):
        for seat, place in enumerate(row.fixture.seating):
            if row.fixture.line_up[place].name != name:
                continue
            game = read_recorded_game(store, archive, row, seat)
            if not game.questions:
                continue
            half = seat // 2 % 2 if row.pool.partners == "same" else 0
            batch = waiting.setdefault((row.pool, half), [])
            batch.append(game)
            if len(batch) == SIDE_BY_SIDE:
                yield from zip(batch, player.differences(batch), strict=True)
                waiting[row.pool, half] = []
        steps.done()
    for batch in filter(None, waiting.values()):
        yield from zip(batch, player.differences(batch), strict=True)


def is_alike(question: Question, now: Reply) -> bool:
    """Whether a bot decides as in the game: the same, or again no decision."""
    return question.answer == (now if isinstance(now, str) else None)


def what_is_wrong(reply: object, legal: Sequence[str]) -> str:
    """Why a reply is no legal decision; "" if it is one."""
    if not is_word(reply):
        return not_a_decision(reply)
    return "" if reply in legal else f"played {reply!r}; legal is {either(legal)}"


def _judged(reply: Reply, question: Question) -> Reply:
    """The reply, or a reason if it is not legal."""
    if isinstance(reply, Reason) or not (wrong := what_is_wrong(reply, question.legal)):
        return reply
    return Reason("illegal", wrong, played=reply, legal=question.legal)


def _over(game: RecordedGame) -> wire.Over:
    return wire.Over(game.begun.table, None)
