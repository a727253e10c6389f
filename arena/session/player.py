"""A bot's place in a session: its process, the games that wait for it, and its losses.

When a process is lost, one game is faulted and a new process takes over the others: each is first
brought to where it was, by asking its earlier questions again, in order. So no bot sees a
restart, and no other game's course depends on it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from arena.model import Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.death import Death, reason_of, reasons_in
from arena.records.format import place
from arena.sandbox import wire
from arena.session.game import LiveGame
from arena.session.text_budget import TextBudget

BATCH = 256  # questions in one message, at most: larger ones gained nothing when measured
SLOW_S, QUICK_S = 0.5, 0.1  # a batch that takes longer is halved, one that takes less doubled

Settle = Callable[[Sequence[LiveGame], Sequence[str]], None]
"""Takes decisions, by game, of whose turn it is there."""

Forfeit = Callable[[LiveGame, int, Reason], None]
"""Takes a game and a seat that is out of it, with or without a question."""


class Player:
    """One bot in one session; `launch` starts a process of it.

    Its process goes from none by loading to ready, and back to none whenever it is lost. After too
    many losses the player itself is `lost`, and has no process for good. `settle` and `forfeit` are
    called in the midst of `ask`, and may finish games.
    """

    def __init__(
        self,
        launch: Callable[[], BotProcess],
        hello: wire.Hello,
        limits: Limits,
        settle: Settle,
        forfeit: Forfeit,
    ) -> None:
        self.waiting: list[LiveGame] = []  # for this bot's decision; one list for good
        self.lost: Reason | None = None  # why it plays no more games here
        self.decisions = 0
        self.cpu_s = 0.0
        self.worst_s = 0.0  # CPU time a decision, in the batch where that was most
        self.texts = TextBudget(limits.output_kib)  # for the bot's author
        self._launch, self._hello, self._limits = launch, hello, limits
        self._settle, self._forfeit = settle, forfeit
        self._process: BotProcess | None = None
        self._seats: dict[LiveGame, int] = {}  # of the games it sits in
        self._begun = 0  # games
        self._untold: list[wire.Begun] = []  # games that its process was not told of yet
        self._over: list[wire.Over] = []
        self._owes_results = False  # of some of these
        self._asked: list[LiveGame] = []  # no longer waiting, not settled yet
        self._at_once = self._size = BATCH  # questions in a message; taken by an `ask`
        self._deaths = self._failed_loads = self._lost_in_ends = 0
        self._ending: dict[int, LiveGame] = {}  # games whose results it is owed, by table

    def begin(self, game: LiveGame, seat: int, begun: wire.Begun) -> None:
        """Take a seat in a game. `begun` is the game's own, for that seat."""
        self._begun += 1
        if not self.lost:
            self._seats[game] = seat
            self._untold.append(begun)

    def finished(self, game: LiveGame, result: dict[str, Any] | None) -> None:
        """Note that a game is over, or over for this bot (no result then)."""
        seat = self._seats.pop(game, None)
        if seat is not None:
            told = result if self._process and self._process.wants_results else None
            self._over.append(wire.Over(game.aliases[seat], told))
            if told is not None:
                self._owes_results = True
                self._ending[game.aliases[seat]] = game

    def ask(self) -> None:
        """Ask about the games that wait, as many as make a batch.

        A process lost meanwhile is replaced at once, even with nothing left to ask: the new one
        may be owed results of games that never ask it again.
        """
        began_s = time.monotonic()
        self._asked = self.waiting[: self._size]
        del self.waiting[: self._size]
        self._at_once = self._size
        while not self.lost:
            if self._process is None:
                self._start()  # which may forfeit games that are asked about
                self._asked = [game for game in self._asked if self._is_to_decide(game)]
            elif not self._asked:
                break
            elif self._owes_results:
                self._tell_results()
            else:
                self._decide()
        took_s = time.monotonic() - began_s
        if took_s > SLOW_S:
            self._size = max(1, self._size // 2)
        elif took_s < QUICK_S:
            self._size = min(BATCH, self._size * 2)

    def close(self) -> None:
        """Deliver the last results, and end the process."""
        if self._process and self._owes_results:
            self._tell_results()
        self.end()

    def end(self, asked: Sequence[LiveGame] | None = ()) -> None:
        """End the process, if there is one, its CPU time added up. It was `asked` about these
        games; None: about earlier questions, again.
        """
        process, self._process = self._process, None
        if process is None:
            return
        process.end()
        self.texts.add_prints(process.printed, self._places(asked), ended=True)
        self.cpu_s += process.used_s
        self.worst_s = max(self.worst_s, process.worst_s)

    def _is_to_decide(self, game: LiveGame) -> bool:
        return game in self._seats and game.state.turn == self._seats[game]

    def _start(self) -> None:
        """Start a process and bring all running games to where they were, unless it is lost too."""
        self._over.clear()  # results that the lost process was not told, no other can be
        self._ending.clear()
        self._owes_results = False
        self._untold = [game.begun(seat) for game, seat in self._seats.items()]
        process = self._launch()
        reason = process.load()
        if reason is None:
            process.tell(self._hello)
            self._process = process
            self._catch_up()
            return
        self._failed_loads += 1  # it did load before the tournament: our trouble, once
        if self._failed_loads > 1:
            self._give_up(reason)

    def _decide(self) -> None:
        """Ask about the batch, or about its first game alone, and settle the games replied to."""
        assert self._process is not None, "asked without a process"
        batch = self._asked[: self._at_once]
        jointly = self._process.kind == "decide_many"
        reply = self._exchange([game.asked for game in batch], batch)
        if isinstance(reply, Death):
            if len(batch) > 1 and (jointly or reply.reason.kind == "protocol"):
                self._at_once = 1  # asked again, one at a time: who fails alone is at fault
            else:
                self._fail(self._asked.pop(reply.question), reply.reason)
            self._count_death()
            return
        answered = len(reply.decisions)
        self.decisions += answered
        short = answered < len(batch)  # the next ran out of memory
        self._asked = self._asked[answered + 1 if short else answered :]
        if not reply.failures:
            self._settle(batch, reply.decisions)
            return
        failed = reasons_in(reply.failures)
        sound = [at for at in range(answered) if at not in failed]
        self._settle([batch[at] for at in sound], [reply.decisions[at] for at in sound])
        for at, reason in failed.items():
            self._fail(batch[at], reason)
        if short:
            self.end()
            self._count_death()

    def _fail(self, game: LiveGame, reason: Reason) -> None:
        assert game.state.turn is not None, "asked of a game that is over"
        self._forfeit(game, game.state.turn, reason)

    def _catch_up(self) -> None:
        """Ask the earlier questions of every running game again; the first fault ends it."""
        assert self._process is not None, "nobody to catch up"
        pasts = [_Past(game, seat, game.questions(seat)) for game, seat in self._seats.items()]
        at_once = 1 if self._process.kind == "decide_many" else BATCH
        for wave in range(max((len(past.questions) for past in pasts), default=0)):
            longer = [past for past in pasts if len(past.questions) > wave]
            for first in range(0, len(longer), at_once):
                self._ask_again(longer[first : first + at_once], wave)
                if self._process is None:
                    return

    def _ask_again(self, pasts: "list[_Past]", wave: int) -> None:
        """Ask the question number `wave` of each; a fault forfeits that game and the process."""
        reply = self._exchange([past.questions[wave][0] for past in pasts], None)
        if isinstance(reply, Death):
            failed, reason = pasts[reply.question], reply.reason
        else:
            for past, decision in zip(pasts, reply.decisions, strict=False):
                if decision != past.questions[wave][1]:
                    self._note(past.seat, past.questions[wave][1], decision)
            if len(reply.decisions) == len(pasts):
                return
            self.end()
            failed = pasts[len(reply.decisions)]
            reason = replace(reason_of(reply.failures[-1]), kind="memory")
        self._forfeit(failed.game, failed.seat, reason)
        self._count_death()

    def _count_death(self) -> None:
        """Note that a process was lost in play, and give up where that is too many."""
        self._deaths += 1
        allowed = self._limits.strikes + self._begun // 100
        if self._deaths > allowed:
            lost = f"its process was lost {self._deaths} times in {self._begun} games here"
            self._give_up(Reason("strikes", f"{lost}; {allowed} are allowed"))

    def _give_up(self, reason: Reason) -> None:
        """Forfeit every game that runs here; every later one is forfeit before it begins."""
        self.lost = reason
        for game, seat in list(self._seats.items()):
            self._forfeit(game, seat, reason)

    def _note(self, seat: int, before: str, now: str) -> None:
        """Keep the word that an earlier question is answered otherwise when asked again."""
        if self.texts.takes("note"):
            self.texts.add_note(
                f"asked again, seat {seat} answers something else than {before!r}; it does not "
                f"repeat itself: {wire.end_of(repr(now))}"
            )

    def _tell_results(self) -> None:
        """Deliver results before the next question; a failure in that costs no game."""
        if self._lost_in_ends > self._limits.strikes:
            self._over = [over._replace(result=None) for over in self._over]
        told = sum(over.result is not None for over in self._over)
        reply = self._exchange([], ())
        self._ending.clear()
        if isinstance(reply, Death):
            self.texts.add_end(reply.reason, 1)
            self._lost_in_ends += 1
            return
        for failure in reply.failures:  # the bot's claim: not more than it was told
            times = 0 if failure.kind == "printed" else min(-failure.question, told)
            if times > 0:
                self.texts.add_end(reason_of(failure), times)
                told -= times

    def _exchange(
        self, questions: list[Any], asked: Sequence[LiveGame] | None
    ) -> wire.Answer | Death:
        """Send one message and return its answer, or how the process was lost. The questions are
        about the games `asked`; None: they are asked again.
        """
        assert self._process is not None, "asked without a process"
        begun, over = self._untold, self._over
        self._untold, self._over, self._owes_results = [], [], False
        reply = self._process.ask(begun, over, questions)
        if isinstance(reply, Death):
            self.end(asked)
        elif reply.failures:
            return self._without_prints(reply, asked)
        return reply

    def _without_prints(self, answer: wire.Answer, asked: Sequence[LiveGame] | None) -> wire.Answer:
        """Return an answer that has failures without the word that something was printed, if it has
        that, and keep what it was.
        """
        assert self._process is not None, "nobody who prints"
        failures = [failure for failure in answer.failures if failure.kind != "printed"]
        if len(failures) < len(answer.failures):
            self.texts.add_prints(self._process.new_output(), self._places(asked))
        return answer._replace(failures=failures)

    def _places(self, asked: Sequence[LiveGame] | None) -> dict[int, str] | None:
        """Return where a bot is that is asked about these games, or told how others ended, by
        table; None where it is asked again.
        """
        if asked is None:
            return None
        games = {game.aliases[self._seats[game]]: game for game in asked} | self._ending
        return {
            table: place(game.fixture.id, len(game.state.actions)) for table, game in games.items()
        }


class _Past(NamedTuple):
    game: LiveGame
    seat: int
    questions: list[tuple[Any, str]]  # with their answers, oldest first
