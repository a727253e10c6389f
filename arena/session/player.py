"""A bot's place in a session: its process, the games that wait for it, and what befalls it.

When a process is lost, one game is faulted and a new process takes over the others: each is first
brought to where it was, by asking its earlier questions again, in order. So no bot sees a
restart, and no other game's course depends on it.
"""

import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.model import Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire
from arena.session.game import Table

BATCH = 256  # questions in one message, at most: larger ones gained nothing when measured
NOTES = 50  # for a bot's author, kept a session
SLOW_S, QUICK_S = 0.5, 0.1  # a batch that takes longer is halved, one that takes less doubled


class Answered(NamedTuple):
    """What became of questions."""

    tables: Sequence[Table]
    decisions: Sequence[str | Reason]  # by table, of whose turn it is there


class Lost(NamedTuple):
    """A game that is lost without a question."""

    table: Table
    seat: int
    why: Reason


Reply = Answered | Lost


class Slot:
    """One bot in one session. `ask` is a generator: its replies are to be applied as they come."""

    def __init__(self, path: Path, hello: wire.Hello, zygote: ZygoteClient, limits: Limits) -> None:
        self.waiting: list[Table] = []  # games that wait for this bot's decision
        self.lost: Reason | None = None  # why it plays no more games here
        self.begun = 0  # games
        self.decisions = 0
        self.cpu_s = 0.0
        self.worst_s = 0.0  # CPU time a decision, in the batch where that was most
        self.notes: list[str] = []  # for the bot's author
        self._path, self._hello, self._zygote, self._limits = path, hello, zygote, limits
        self._process: BotProcess | None = None
        self._running: dict[Table, int] = {}  # games it sits in: its seat
        self._untold: list[wire.Begun] = []  # games that its process was not told of yet
        self._over: list[wire.Over] = []
        self._replaced = self._unloaded = self._ends_failed = 0
        self._size = BATCH
        self._printed = ""  # by the processes that are gone

    def begin(self, table: Table, seat: int) -> None:
        """Take a seat in a game."""
        self.begun += 1
        if not self.lost:
            self._running[table] = seat
            self._untold.append(table.begun(seat))

    def finished(self, table: Table, result: dict[str, Any] | None) -> None:
        """Note that a game is over, or over for this bot (no result then)."""
        seat = self._running.pop(table, None)
        if seat is not None:
            told = result if self._process and self._process.wants_results else None
            self._over.append(wire.Over(table.names[seat], told))

    def ask(self) -> Iterator[Reply]:
        """Ask about the games that wait, one batch of them, and yield what became of each."""
        asked, self.waiting = self.waiting[: self._size], self.waiting[self._size :]
        if self._process is None and not self.lost:
            yield from self._start()
            asked = self._of_ours(asked)
        if self._owes_results() and not self.lost:
            yield from self._tell_results()
            asked = self._of_ours(asked)
        began = time.monotonic()
        yield from self._decide(asked)
        took = time.monotonic() - began
        if took > SLOW_S:
            self._size = max(1, self._size // 2)
        elif took < QUICK_S:
            self._size = min(BATCH, self._size * 2)

    def close(self) -> str:
        """Deliver the last results, end the process, and return what it printed."""
        if self._process and self._owes_results():
            reply = self._deliver()
            if isinstance(reply, Death):
                self._note(f"in end: {reply.reason.text}")
        self.end()
        return self._printed[: self._limits.output_kib << 10]

    def end(self) -> None:
        """End the process, if there is one."""
        self._drop(self._process)

    def _decide(self, asked: list[Table]) -> Iterator[Reply]:
        """Yield the reply to each question, whatever it takes."""
        together = True
        while asked and not self.lost:
            batch = asked if together else asked[:1]
            many = self._process is not None and self._process.kind == "decide_many"
            reply = self._exchange([table.asked for table in batch])
            if isinstance(reply, Death):
                if (many or reply.reason.kind == "protocol") and len(batch) > 1:
                    together = False  # asked again, one at a time: who fails alone is at fault
                else:
                    yield Answered([asked.pop(reply.question)], [reply.reason])
                yield from self._replace()
                asked = self._of_ours(asked)
                continue
            decisions: list[str | Reason] = list(reply.decisions)
            short = len(decisions) < len(batch)
            self.decisions += len(decisions)
            for question, kind, text in reply.failures:
                if question >= 0:
                    decisions[question : question + 1] = [Reason(kind, text)]
            asked = asked[len(decisions) :]
            yield Answered(batch[: len(decisions)], decisions)
            if short:  # the last is that it ran out of memory
                self._drop(self._process)
                yield from self._replace()
                asked = self._of_ours(asked)

    def _of_ours(self, asked: list[Table]) -> list[Table]:
        """Return the games that still wait for this bot: others were forfeit meanwhile."""
        return [table for table in asked if table.turn_of() is self]

    def _replace(self) -> Iterator[Reply]:
        """Have a new process in the place of a lost one, unless it has lost too many."""
        self._replaced += 1
        allowed = self._limits.strikes + self.begun // 100
        if self._replaced > allowed:
            what = f"its process was lost {self._replaced} times in {self.begun} games here"
            yield from self._lose(Reason("strikes", f"{what}; {allowed} are allowed"))
        else:
            yield from self._start()

    def _start(self) -> Iterator[Reply]:
        """Start a process and bring all running games to where they were."""
        self._over.clear()  # what the lost process was not told, no other can be
        self._untold = [table.begun(seat) for table, seat in self._running.items()]
        while not self.lost:
            process = self._zygote.start(self._path, self._limits)
            reason = process.load()
            if reason:
                self._unloaded += 1  # it did load before the tournament: our trouble, once
                if self._unloaded > 1:
                    yield from self._lose(reason)
                continue
            process.tell(self._hello)
            self._process = process
            fault = self._catch_up()
            if fault is None:
                return
            yield fault
            yield from self._replace()
            return

    def _catch_up(self) -> Lost | None:
        """Ask the earlier questions of every running game again; return a fault if one ends it."""
        pasts = [(table, seat, table.questions(seat)) for table, seat in self._running.items()]
        at_once = 1 if self._process and self._process.kind == "decide_many" else BATCH
        for wave in range(max((len(past) for _, _, past in pasts), default=0)):
            there = [entry for entry in pasts if len(entry[2]) > wave]
            for start in range(0, len(there), at_once):
                part = there[start : start + at_once]
                reply = self._exchange([past[wave][0] for _, _, past in part])
                if isinstance(reply, Death):
                    table, seat, _ = part[reply.question]
                    return Lost(table, seat, reply.reason)
                for (_, seat, past), decision in zip(part, reply.decisions, strict=False):
                    if decision != past[wave][1]:
                        self._note(
                            f"asked again, seat {seat} answers {decision!r} instead of "
                            f"{past[wave][1]!r}: it does not repeat itself"
                        )
                if len(reply.decisions) < len(part):
                    self._drop(self._process)
                    table, seat, _ = part[len(reply.decisions)]
                    return Lost(table, seat, Reason("memory", reply.failures[-1].text))
        return None

    def _lose(self, why: Reason) -> Iterator[Lost]:
        """Give up: every game that runs here is forfeit, and every later one before it begins."""
        self.lost = why
        for table, seat in list(self._running.items()):
            if table.state.turn is not None and seat not in table.state.out:
                yield Lost(table, seat, why)

    def _note(self, text: str) -> None:
        """Keep a word for the bot's author: so many and so long at most, for it is the bot's."""
        if len(self.notes) < NOTES:
            self.notes.append(text[: wire.TEXT_CAP])

    def _owes_results(self) -> bool:
        return any(over.result is not None for over in self._over)

    def _tell_results(self) -> Iterator[Reply]:
        """Deliver results before the next question; what goes wrong in it costs no game."""
        if isinstance(death := self._deliver(), Death):
            self._note(f"in end: {death.reason.text}")
            self._ends_failed += 1
            yield from self._start()

    def _deliver(self) -> wire.Answer | Death:
        if self._ends_failed > self._limits.strikes:
            self._over = [over._replace(result=None) for over in self._over]
        reply = self._exchange([])
        if isinstance(reply, wire.Answer):
            for failure in reply.failures:
                self._note(f"in end: {failure.text}")
        return reply

    def _exchange(self, questions: list[Any]) -> wire.Answer | Death:
        """Send one message and return its answer, or what became of the process."""
        process = self._process
        assert process is not None, "asked without a process"
        number = secrets.randbits(63)
        body = wire.encode((number, self._untold, self._over, questions))
        self._untold, self._over = [], []
        reply = process.ask(body, number, len(questions))
        if isinstance(reply, Death):
            self._drop(process)
        return reply

    def _drop(self, process: BotProcess | None) -> None:
        """End a process, its CPU time added up."""
        if process is not None:
            process.end()
            if len(self._printed) < self._limits.output_kib << 10:
                self._printed += process.printed
            self.cpu_s += process.used_s
            self.worst_s = max(self.worst_s, process.worst_s)
        self._process = None
