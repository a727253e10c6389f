"""Asks a bot's current code, confined, what it was asked in recorded games.

The bot is asked as a session asks it: in a process with its limits, many games side by side, each
with the random numbers of the game's own generator.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from arena.author.archive import Archive, find_games, read_recorded_game
from arena.author.views import RecordedGame
from arena.errors import ArenaError, UsageError
from arena.faults.reasons import in_full, wrong_word
from arena.league.bots import BOTS, find_bot, find_league
from arena.league.files import Source, hash_source, read_bot, write_snapshots
from arena.model import Bot, Limits, Pool, Reason
from arena.process.asker import Asker, Launcher, Reply
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.process.launch import start_client
from arena.progress import Progress, check_time
from arena.records.questions import Question
from arena.sandbox import wire
from arena.store.store import Store
from arena.words import either


class CurrentBot(NamedTuple):
    """A bot's current code, and the name under which a store has its games."""

    path: Path  # the file, or its folder
    source: Source
    bot: Bot  # by its name in the store


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
    """A decision of a bot that differs from the recorded one."""

    number: int  # index in the game's questions
    now: Reply


class Replayer:
    """A bot that is asked again. `folder` is its snapshot. From `end_s` of the monotonic clock on
    asking it raises OutOfTime.
    """

    def __init__(self, client: Launcher, folder: Path, limits: Limits, end_s: float = inf) -> None:
        self._client, self._folder, self._limits = client, folder, limits
        self._check_time = partial(check_time, end_s)
        self._asker = Asker(self._launch)
        self._hello: wire.Hello | None = None  # what the process was told

    def problem(self) -> Reason | None:
        """Load the bot in a fresh process: the reason of kind `load` if that fails, else None."""
        self.close()
        self._hello = None
        return self._asker.load()

    def ask(self, hello: wire.Hello, begun: list[wire.Begun], fields: tuple[Any, ...]) -> Reply:
        """The reply to one question, in a fresh process if the last one is lost. Raises ArenaError
        if the bot does not load any more.
        """
        self._play(hello)
        return self._asker.ask_one(begun, fields)

    def finish(self, table: int, result: dict[str, Any] | None) -> Reason | None:
        """Have the bot drop a game. With a `result`, it is told to the bot if that wants to know:
        the reason why that failed, if it did.
        """
        if not self._asker.is_loaded:
            return None
        told = result if self._asker.wants_results else None
        answers = self._asker.ask([], [wire.Over(table, told)], [])
        if isinstance(answers, Death):
            return answers.reason if told else None
        return next((failed.reason for failed in answers.failed_ends), None)

    def differences(self, games: Sequence[RecordedGame]) -> list[list[Difference]]:
        """Find in each game the decisions that differ, each on its own: the game goes on as
        recorded. A fault ends it, and counts where no decision differed before. All games have one
        hello, and each has questions.

        They are asked side by side. If the process dies, the games left are asked one by one, so
        that no game is lost through another.
        """
        self._check_time()
        by_number = self._side_by_side(games)
        for number, game in enumerate(games):
            if number not in by_number:
                differences, begun = by_number.setdefault(number, []), [game.begun]
                for at, question in enumerate(game.questions):
                    reply = _check(self.ask(game.hello, begun, question.fields), question)
                    begun = []
                    _note(differences, question, at, reply)
                    if isinstance(reply, Reason):
                        break
                else:
                    self.finish(game.begun.table, None)
        return [by_number[number] for number in range(len(games))]

    def close(self) -> None:
        """End its process, if there is one."""
        self._asker.end()

    def _launch(self) -> BotProcess:
        process = self._client.start(self._folder, self._limits)
        process.pulse = self._check_time
        return process

    def _side_by_side(self, games: Sequence[RecordedGame]) -> dict[int, list[Difference]]:
        """Ask games in one batch: the differences by game, of all of them or of those that were
        finished when the process died.
        """
        self._play(games[0].hello)
        finished: dict[int, list[Difference]] = {}
        differences: list[list[Difference]] = [[] for _ in games]
        asked, wave = [*range(len(games))], 0
        begun, over = [game.begun for game in games], list[wire.Over]()
        while asked:
            questions = [games[number].questions[wave] for number in asked]
            answers = self._asker.ask(begun, over, [question.fields for question in questions])
            if isinstance(answers, Death) or len(answers.decisions) < len(asked):
                return finished
            for at, number in enumerate(asked):
                reply = answers.reasons.get(at) or _check(answers.decisions[at], questions[at])
                _note(differences[number], questions[at], wave, reply)
                if isinstance(reply, Reason) or wave + 1 == len(games[number].questions):
                    finished[number] = differences[number]
            begun, wave = [], wave + 1
            over = [
                wire.Over(games[number].begun.table, None) for number in asked if number in finished
            ]
            asked = [number for number in asked if number not in finished]
        self._asker.ask([], over, [])
        return finished

    def _play(self, hello: wire.Hello) -> None:
        if not self._asker.is_loaded or self._hello not in (None, hello):
            reason = self.problem()
            if reason:
                why = in_full(reason)
                raise ArenaError(f"the bot loaded before, but not now: {why}")
        if self._hello is None:
            self._asker.tell(hello)
            self._hello = hello


@contextmanager
def start_replayer(
    now: CurrentBot, limits: Limits, confined: bool = True, end_s: float = inf
) -> Iterator[Replayer]:
    """Start a bot from its current files, to be asked again until `end_s`."""
    with (
        write_snapshots({now.bot.name: now.source}, [now.bot]) as paths,
        closing(start_client(confined)) as client,
        closing(Replayer(client, Path(paths[now.bot.name]), limits, end_s)) as player,
    ):
        yield player


def rerun_games(
    store: Store,
    archive: Archive,
    name: str,
    player: Replayer,
    steps: Progress,
    most: int | None,
) -> Iterator[tuple[RecordedGame, list[Difference]]]:
    """Ask a bot again in its recorded games, pool by pool and in batches: each game with the
    decisions that differ.

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


def _note(differences: list[Difference], question: Question, at: int, reply: Reply) -> None:
    """Note a reply that differs from the recorded one: not a fault again, nor one after others."""
    decided = isinstance(reply, str)
    if question.answer != (reply if decided else None) and (decided or not differences):
        differences.append(Difference(at, reply))


def _check(reply: Reply, question: Question) -> Reply:
    """The reply, or a reason if it is not legal."""
    if isinstance(reply, Reason) or reply in question.legal:
        return reply
    return wrong_word(reply, f"played {reply!r}; legal is {either(question.legal)}", question.legal)
