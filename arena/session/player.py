"""A bot's place in a session: the games that wait for it, and its losses.

When a process is lost, one game is faulted and a new process takes over the others: each is first
brought to where it was, by asking its earlier questions again, in order. So no bot sees a
restart, and no other game's course depends on it. Games that begin with steps already played are
caught up with in the same way, where the bot has a memory of a game.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arena.model import Limits, Reason
from arena.process.asker import Answers, Asker
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.records.record import format_place
from arena.sandbox import wire
from arena.session.game import LiveGame
from arena.session.text_budget import TextBudget

BATCH = 256  # questions in one message, at most: larger ones gained nothing when measured
OUT = -1  # the seat in a game that it no longer sits in
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
        self.texts = TextBudget(limits.max_output_kib)  # for the bot's author
        self.asker = Asker(launch, self._hear)
        self._hello, self._limits = hello, limits
        self._settle, self._forfeit = settle, forfeit
        self._seats: dict[LiveGame, int] = {}  # of the games it sits in
        self._begun = 0  # games
        self._untold: list[wire.Begun] = []  # games that its process was not told of yet
        self._behind: list[LiveGame] = []  # games whose earlier questions it has not been asked
        self._over: list[wire.Over] = []
        self._asked: list[LiveGame] = []  # no longer waiting, not settled yet
        self._at_once = self._size = BATCH  # questions in a message; taken by an `ask`
        self._deaths = self._failed_loads = self._lost_in_ends = 0
        self._batch: Sequence[LiveGame] | None = ()  # being asked; None: earlier questions, again
        self._owed: dict[int, LiveGame] = {}  # games of these whose results it is owed, by table

    def start(self) -> None:
        """Start a process, which is behind in all running games: so the first one is started before
        any game begins.
        """
        self._over.clear()  # results that the lost process was not told, no other can be
        self._owed.clear()
        self._untold = [game.make_begun(seat) for game, seat in self._seats.items()]
        reason = self.asker.load()
        if reason is None:
            self.asker.tell(self._hello)
            self._behind = [*self._seats]
            return
        self._failed_loads += 1  # it did load before the tournament: our trouble, once
        if self._failed_loads > 1:
            self._give_up(reason)

    def begin(self, game: LiveGame, seat: int, begun: wire.Begun) -> None:
        """Take a seat in a game. `begun` is the game's own, for that seat."""
        self._begun += 1
        if not self.lost:
            self._seats[game] = seat
            self._untold.append(begun)
            if game.trail and self.asker.kind == "Bot":
                self._behind.append(game)

    def finish(self, game: LiveGame, result: dict[str, Any] | None) -> None:
        """Note that a game is over, or over for this bot (no result then)."""
        seat = self._seats.pop(game, None)
        if seat is not None:
            table, result = game.aliases[seat], result if self.asker.wants_results else None
            self._over.append(wire.Over(table, result))
            if result is not None:
                self._owed[table] = game

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
            if not self.asker.is_loaded:
                self.start()
                self._drop_forfeits()
            elif self._behind and not self._owed:
                self._catch_up()
                self._drop_forfeits()
            elif not self._asked:
                break
            elif self._owed:
                self._tell_results()
            else:
                self._decide()
        took_s = time.monotonic() - began_s
        if took_s > SLOW_S:
            self._size = max(1, self._size // 2)
        elif took_s < QUICK_S:
            self._size = min(BATCH, self._size * 2)

    def _drop_forfeits(self) -> None:
        seats = self._seats
        self._asked = [g for g in self._asked if g.state.to_act == seats.get(g, OUT)]

    def close(self) -> None:
        """Deliver the last results, and end the process."""
        if self.asker.is_loaded and self._owed:
            self._tell_results()
        self.asker.end()

    def _decide(self) -> None:
        """Ask about the batch, or about its first game alone, and settle the games replied to."""
        batch = self._asked[: self._at_once]
        jointly = self.asker.kind == "decide_many"
        answers = self._exchange([game.asked for game in batch], batch)
        if isinstance(answers, Death):
            if len(batch) > 1 and (jointly or answers.reason.kind == "protocol"):
                self._at_once = 1  # asked again, one at a time: who fails alone is at fault
            else:
                self._fail(self._asked.pop(answers.question), answers.reason)
            self._count_death()
            return
        answered = len(answers.decisions)
        self.decisions += answered
        short = answered < len(batch)  # the next ran out of memory
        self._asked = self._asked[answered + 1 if short else answered :]
        if not answers.reasons:
            self._settle(batch, answers.decisions)
            return
        sound = [at for at in range(answered) if at not in answers.reasons]
        self._settle([batch[at] for at in sound], [answers.decisions[at] for at in sound])
        for at, reason in answers.reasons.items():
            self._fail(batch[at], reason)
        if short:
            self._count_death()

    def _fail(self, game: LiveGame, reason: Reason) -> None:
        assert game.state.to_act is not None, "asked of a game that is over"
        self._forfeit(game, game.state.to_act, reason)

    def _catch_up(self) -> None:
        """Ask the earlier questions of the games it is behind in; the first fault ends it.

        What was played before the session counts where the bot has a memory of it.
        """
        seats, remembers = self._seats, self.asker.kind == "Bot"
        behind, self._behind = [game for game in self._behind if game in seats], []
        pasts = [
            _Past(game, seats[game], game.questions(seats[game], remembers)) for game in behind
        ]
        at_once = 1 if self.asker.kind == "decide_many" else BATCH
        for wave in range(max((len(past.questions) for past in pasts), default=0)):
            longer = [past for past in pasts if len(past.questions) > wave]
            for first in range(0, len(longer), at_once):
                self._ask_again(longer[first : first + at_once], wave)
                if not self.asker.is_loaded:
                    return

    def _ask_again(self, pasts: "list[_Past]", wave: int) -> None:
        """Ask the question number `wave` of each; a fault forfeits that game and the process."""
        answers = self._exchange([past.questions[wave][0] for past in pasts], None)
        if isinstance(answers, Death):
            failed, reason = pasts[answers.question], answers.reason
        else:
            for past, decision in zip(pasts, answers.decisions, strict=False):
                if decision != past.questions[wave][1]:
                    self._note(past.seat, past.questions[wave][1], decision)
            answered = len(answers.decisions)
            if answered == len(pasts):
                return
            failed, reason = pasts[answered], answers.reasons[answered]
        self._forfeit(failed.game, failed.seat, reason)
        self._count_death()

    def _count_death(self) -> None:
        self._deaths += 1
        allowed = self._limits.max_restarts + self._begun // 100
        if self._deaths > allowed:
            lost = f"its process died {self._deaths} times in {self._begun} games here"
            self._give_up(Reason("strikes", f"{lost}; the limit is {allowed}"))

    def _give_up(self, reason: Reason) -> None:
        """Forfeit every game that runs here; every later one is forfeit before it begins."""
        self.lost = reason
        for game, seat in list(self._seats.items()):
            self._forfeit(game, seat, reason)

    def _note(self, seat: int, before: str, now: str) -> None:
        if self.texts.takes("note"):
            self.texts.add_note(
                f"asked again, seat {seat} answered {wire.end_of(repr(now))}, not "
                f"{before!r} as before; its decisions are not repeatable"
            )

    def _tell_results(self) -> None:
        """Deliver results before the next question; a failure in that costs no game."""
        if self._lost_in_ends > self._limits.max_restarts:
            self._over = [over._replace(result=None) for over in self._over]
        results = sum(over.result is not None for over in self._over)
        answers = self._exchange([], ())
        if isinstance(answers, Death):
            self.texts.add_end(answers.reason, 1)
            self._lost_in_ends += 1
            return
        for claimed, reason in answers.failed_ends:  # the bot's claim: not more than it was told
            times = min(claimed, results)
            if times > 0:
                self.texts.add_end(reason, times)
                results -= times

    def _exchange(self, questions: list[Any], batch: Sequence[LiveGame] | None) -> Answers | Death:
        """Send one message and return what came of it. The questions are about the games of the
        `batch`; None: they are asked again.
        """
        begun, over = self._untold, self._over
        self._untold, self._over, self._batch = [], [], batch
        answers = self.asker.ask(begun, over, questions)
        self._batch = ()
        self._owed.clear()
        return answers

    def _hear(self, text: str, ended: bool) -> None:
        """Keep what the bot printed while it was asked, with its places: the games that it was
        asked about, or whose results it received.
        """
        places = None
        if self._batch is not None:
            games = {game.aliases[self._seats[game]]: game for game in self._batch} | self._owed
            places = {
                table: format_place(game.fixture.id, len(game.state.actions))
                for table, game in games.items()
            }
        self.texts.add_prints(text, places, ended)


class _Past(NamedTuple):
    game: LiveGame
    seat: int
    questions: list[tuple[Any, str]]  # with their answers, oldest first
