"""Asks a bot of today what it was asked in recorded games, behind the walls.

It is asked as a session asks it: in a process with its limits, many games side by side, each with
the numbers that the game's own generator had.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import games
from arena.errors import ArenaError
from arena.league.files import Source
from arena.league.snapshots import snapshots
from arena.model import Bot, Limits, Reason
from arena.process.death import Death
from arena.records.questions import Question
from arena.sandbox import wire
from arena.words import either

if TYPE_CHECKING:  # who only reads a past needs no process, and may be on a system without ours
    from arena.process.bot_process import BotProcess
    from arena.process.zygote_client import ZygoteClient

SIDE_BY_SIDE = 256  # games in one process: as many as a session asks in one message

Reply = str | Reason
"""A decision, or why it is none."""


class Past(NamedTuple):
    """A recorded game, as one seat lived it."""

    game: str  # id
    seat: int
    hello: wire.Hello
    begun: wire.Begun
    questions: Sequence[Question]

    def view(self, number: int) -> Any:
        """Return the view of a question, as the bot is shown it."""
        game = games.load(self.hello.game)
        return games.bind(game.View, games.options_from(game.Options, self.hello.options))(
            *self.questions[number].fields
        )


class Otherwise(NamedTuple):
    """Where a bot first decides otherwise than in the game."""

    number: int  # index in the past's questions
    now: Reply


class Asked:
    """A bot that is asked; a context manager, which ends its process.

    `folder` is its snapshot.
    """

    def __init__(self, zygote: "ZygoteClient", folder: Path, limits: Limits) -> None:
        self._zygote, self._folder, self._limits = zygote, folder, limits
        self._process: BotProcess | None = None
        self._hello: wire.Hello | None = None  # what the process was told
        self.printed = ""

    def __enter__(self) -> "Asked":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._end()

    def problem(self) -> Reason | None:
        """Return why the bot cannot be loaded, of kind `load`; None if it can."""
        self._end()
        process = self._zygote.start(self._folder, self._limits)
        reason = process.load()
        if reason is None:
            self._process = process
        else:
            self.printed += process.printed
        return reason

    def replies(self, past: Past) -> Iterator[Reply]:
        """Yield its reply to each question of a past, up to the first that is no decision."""
        process = self._process_for(past.hello)
        begun = [past.begun]
        for question in past.questions:
            (reply,) = self._ask(process, begun, [question])
            begun = []
            yield reply
            if isinstance(reply, Reason):
                return
        self._tell_over([_over(past)])

    def otherwise(self, pasts: Sequence[Past]) -> list[Otherwise | None]:
        """Return by past where it first decides otherwise; None where it decides alike. All pasts
        have one hello.

        They are asked side by side; where the process is lost, what is left is asked one by one, so
        that nobody is lost by another's doing.
        """
        found: dict[int, Otherwise | None] = {}
        for first in range(0, len(pasts), SIDE_BY_SIDE):
            numbers = range(first, min(first + SIDE_BY_SIDE, len(pasts)))
            found |= self._side_by_side(pasts, numbers)
            for number in numbers:
                if number not in found:
                    found[number] = self._alone(pasts[number])
        return [found[number] for number in range(len(pasts))]

    def _alone(self, past: Past) -> Otherwise | None:
        for number, now in enumerate(self.replies(past)):
            if not alike(past.questions[number], now):
                return Otherwise(number, now)
        return None

    def _side_by_side(
        self, pasts: Sequence[Past], numbers: Iterable[int]
    ) -> dict[int, Otherwise | None]:
        """Return what is known of each when all are asked, or when the process is lost."""
        asked = [number for number in numbers if pasts[number].questions]
        found: dict[int, Otherwise | None] = dict.fromkeys(set(numbers) - set(asked))
        if not asked:
            return found
        process = self._process_for(pasts[asked[0]].hello)
        begun, over, wave = [pasts[number].begun for number in asked], list[wire.Over](), 0
        while asked:
            reply = self._exchange(
                process, begun, over, [pasts[number].questions[wave] for number in asked]
            )
            if reply is None:
                return found
            for number, now in zip(asked, reply, strict=True):
                past = pasts[number]
                if not alike(past.questions[wave], now):
                    found[number] = Otherwise(wave, now)
                elif wave + 1 == len(past.questions):
                    found[number] = None
            wave += 1
            begun = []
            over = [_over(pasts[number]) for number in asked if number in found]
            asked = [number for number in asked if number not in found]
            if not asked:
                self._tell_over(over)
        return found

    def _tell_over(self, over: list[wire.Over]) -> None:
        """Have the process forget games, as it would after play."""
        if self._process and isinstance(self._process.ask([], over, []), Death):
            self._end()

    def _exchange(
        self,
        process: "BotProcess",
        begun: list[wire.Begun],
        over: list[wire.Over],
        questions: Sequence[Question],
    ) -> list[Reply] | None:
        """Return the replies to a message; None where the process was lost by it."""
        reply = process.ask(begun, over, [question.fields for question in questions])
        if isinstance(reply, Death) or len(reply.decisions) < len(questions):
            self._end()
            return None
        failed = {
            at: Reason(kind, text)
            for at, kind, text in reply.failures
            if at >= 0 and kind != "printed"
        }
        return [
            failed.get(at) or _judged(decision, question)
            for at, (decision, question) in enumerate(zip(reply.decisions, questions, strict=True))
        ]

    def _ask(
        self, process: "BotProcess", begun: list[wire.Begun], questions: Sequence[Question]
    ) -> list[Reply]:
        """Return the reply to one question; the process may be lost by it."""
        reply = process.ask(begun, [], [question.fields for question in questions])
        if isinstance(reply, Death):
            self._end()
            return [reply.reason]
        failed = [
            Reason(kind, text) for at, kind, text in reply.failures if at >= 0 and kind != "printed"
        ]
        if not reply.decisions:
            self._end()
        return [failed[0] if failed else _judged(reply.decisions[0], questions[0])]

    def _process_for(self, hello: wire.Hello) -> "BotProcess":
        """Return a process that plays what `hello` says; each plays one game's kind for good."""
        if self._process is None or self._hello not in (None, hello):
            self._end()
            reason = self.problem()
            if reason or self._process is None:
                told = reason.text if reason else ""
                raise ArenaError(f"the bot was loaded before, and cannot be again: {told}")
        if self._hello is None:
            self._process.tell(hello)
            self._hello = hello
        return self._process

    def _end(self) -> None:
        process, self._process, self._hello = self._process, None, None
        if process is not None:
            process.end()
            self.printed += process.printed


@contextmanager
def asked(source: Source, bot: Bot, limits: Limits, confined: bool = True) -> Iterator[Asked]:
    """Give a bot to ask, of its files."""
    from arena.process.zygote_client import ZygoteClient

    with snapshots({bot.name: source}, [bot]) as paths:
        zygote = ZygoteClient(confined)
        try:
            with Asked(zygote, Path(paths[bot.name]), limits) as player:
                yield player
        finally:
            zygote.close()


def alike(question: Question, now: Reply) -> bool:
    """Return whether a bot decides as it did: the same, or no decision again."""
    if isinstance(now, Reason):
        return question.answer is None
    return now == question.answer


def _over(past: Past) -> wire.Over:
    return wire.Over(past.begun.table, None)


def _judged(decision: str, question: Question) -> Reply:
    """Return the decision, or that it is not legal."""
    if decision in question.legal:
        return decision
    return Reason("illegal", f"played {decision!r}; legal is {either(question.legal)}")
