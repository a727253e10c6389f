"""A bot's process, as whoever asks it sees it: loading it, asking it, ending it.

What a bot does wrong comes back as a value, never as an exception. How a process is started,
measured and ended is its body's: forked behind walls (`arena.process.forked`) or spawned without
(`arena.process.spawned`).
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from arena.errors import ArenaError
from arena.model import Limits, Place, Reason
from arena.process.death import Death, HungUp, Misbehaved, cause, reason_of
from arena.sandbox import wire

TIDYING_S = 0.002  # CPU between an answer and the next question: 1.3 ms at most, in a crowd
PONDERING_S = 0.05  # where that was more, in a process's whole life: a hitch, no thinking
BATCH_GRACE_S = 0.05  # what a batch may be charged beside its decisions
ANSWER_BASE, ANSWER_EACH = 1 << 16, 8192  # bytes of an answer, at most
FAILURES_BESIDE = 9  # one a question: texts of `end`, and the word that something was printed
SAMPLE_MS = 5  # how often a bot that has not answered is looked at

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Errors of decoding bytes that no honest bot sends."""


def _unguessable() -> Iterator[int]:
    while True:
        yield from memoryview(os.urandom(4096)).cast("Q")


_numbers = _unguessable()
_decode_answer = msgspec.msgpack.Decoder(wire.Answer).decode


class Allowance(NamedTuple):
    """Time limits of the answer to one message."""

    purpose: str  # of `each_s`, as the fault's text words it
    each_s: float  # charged to one decision
    all_s: float  # charged to all of them
    sleep_s: float  # of that slept
    wall_s: float  # of one decision, where the kernel does not say who waits for a core


def over_all(all_s: float) -> str:
    """The fault's text where all decisions of a message are over their limit."""
    return f"over the time limit: {all_s * 1000:.0f} ms for this batch"


class Watch(Protocol):
    """Charges an answer that takes long."""

    def is_due(self) -> bool:
        """True if it is time for a look."""

    def sample(self, question: int) -> str:
        """Look; return why the process, at `question`, is over its limit, "" if it is not."""


class Ended(NamedTuple):
    """A process that ended."""

    code: int  # its exit code; -n where signal n killed it
    used_s: float  # time it used, in all


class Body(Protocol):
    """A process, as one system or another has it. At most one message is on its way."""

    pid: int
    word: "memoryview[int]"  # [0]: the question in the batch that it is at, by its own word

    def send(self, frame: bytes | bytearray) -> None:
        """Send a frame, or begin to. Raises HungUp."""

    def receive(self, cap: int, wait_ms: int) -> memoryview | bytes | None:
        """Receive a frame's body, None if it is not there within `wait_ms`; good until anything
        else is received. Raises HungUp, and Misbehaved over a frame longer than `cap` bytes or out
        of turn.
        """

    def end_loading(self) -> None:
        """Take back what it may do only while it loads."""

    def used_s(self) -> float:
        """The time that it is charged for, so far, in s."""

    def queued_s(self) -> float:
        """The time that it waited for a core, so far, in s; 0.0 where that is not known."""

    def peak_mib(self, limit_mib: int) -> float | None:
        """The most memory that it has had, in MiB, counted as the limit `memory_mib` counts it:
        without what Python and arena took before it. None where that is not known.
        """

    def watch(self, allowance: Allowance, question: int) -> Watch:
        """Begin to charge an answer."""

    def places(self) -> tuple[tuple[Place, ...], int | None]:
        """The lines of its own that it is at, innermost first; and how long its output was before
        it was asked for them, None: it was not.
        """

    def is_dying(self) -> bool:
        """True if it is dead, or is within a moment."""

    def read_output(self, start: int, end: int) -> bytes:
        """Read these bytes of what it printed, as many as there are."""

    def end(self) -> Ended:
        """Kill it, if it still lives, and free all it held but its output."""

    def close(self) -> None:
        """Free its output."""


class BotProcess:
    """One bot's process, from its start to its end. At most one message is on its way.

    What `pulse` raises ends the wait for an answer; nothing but `end` is to be called then.
    """

    def __init__(self, body: Body, limits: Limits) -> None:
        self.body, self._limits = body, limits
        self._ended = False
        self._answered_s = 0.0  # CPU time used up to the last answer
        self._pondered_s = 0.0  # of that between questions, where it was more than tidying up
        self.kind = ""  # "decide", "Bot" or "decide_many", once loaded
        self.wants_results = False
        self.pulse: Callable[[], object] = lambda: None  # called while an answer is awaited
        self.worst_s = 0.0  # the most CPU time a decision that a batch took, the batch's mean
        self.used_s = 0.0  # CPU time, once it has ended
        self._read = 0  # bytes of its output
        self.printed = ""  # once it has ended, what `new_output` did not return before

    def load(self) -> Reason | None:
        """Wait until the bot is loaded. Returns None, or why it cannot be loaded, a reason of kind
        `load`: `how` is `error` for what its process itself reports, `illegal` where that defines
        no bot.

        After a failure the process is gone.
        """
        limit_s = self._limits.load_ms / 1000
        net_s = limit_s + self._limits.wall_ms / 1000
        allowance = Allowance("to load", limit_s, limit_s, limit_s, net_s)
        try:
            body = self._exchange(b"", allowance, 0.0, ANSWER_BASE, 1)
            self.body.end_loading()
            try:
                ready = msgspec.msgpack.decode(body, type=wire.Ready)
            except UNREADABLE as error:
                raise _breach(f"its process did not answer 'loaded': {error}") from error
            if ready.problem:
                raise Misbehaved(reason_of(ready.problem._replace(kind="error")))
            if ready.kind not in ("decide", "Bot", "decide_many"):
                raise Misbehaved(Reason("illegal", "its file defines no bot"))
        except Misbehaved as error:
            reason = self._explain_death(error, 0).reason
            return replace(reason, kind="load", how=reason.kind)
        self.kind, self.wants_results = ready.kind, ready.wants_results
        return None

    def tell(self, hello: wire.Hello) -> None:
        """Send the game's name: short enough for the pipe, so this never waits."""
        with contextlib.suppress(HungUp):  # it is dead, and the first question will say so
            self.body.send(wire.frame(hello))

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        """Ask one batch and return its answer; the process is gone if it is a Death.

        The answer has a decision a view, or fewer and a failure of memory for the next. A message
        takes five system calls here: the clock twice, because CPU time used between questions is
        charged apart from the answer; a write, a poll that ends in time whatever the bot does, a
        read.
        """
        count, number, asked_s = len(views), next(_numbers), self.body.used_s()
        frame = wire.frame((number, begun, over, views))
        try:
            pondered_s = asked_s - self._answered_s
            if pondered_s > TIDYING_S:
                self._charge_pondering(pondered_s)
            cap = ANSWER_BASE + count * ANSWER_EACH
            body = self._exchange(frame, self._allowance(count), asked_s, cap, count)
            if count:
                self.worst_s = max(self.worst_s, (self._answered_s - asked_s) / count)
            return _decode(body, number, count)
        except Misbehaved as error:
            return self._explain_death(error, self._current_question(count))

    def new_output(self, most: int | None = None) -> str:
        """Return what was printed since the last call, of the first `most` bytes if given."""
        size = self._limits.max_output_kib << 10
        size = size if most is None else min(size, most)
        data = self.body.read_output(self._read, size)
        self._read += len(data)
        return data.decode("utf-8", "replace")

    def end(self) -> None:
        """Kill the process, if it still lives, and free all it held."""
        if not self._ended:
            self._kill()

    def _allowance(self, count: int) -> Allowance:
        limit_s = self._limits.cpu_ms / 1000
        all_s = max(count, 1) * limit_s + BATCH_GRACE_S
        each_s = all_s if self.kind == "decide_many" else limit_s
        net_s = self._limits.wall_ms / 1000
        return Allowance("a decision", each_s, all_s, limit_s + BATCH_GRACE_S, net_s)

    def _exchange(
        self,
        frame: bytes | bytearray,
        allowance: Allowance,
        since_s: float,
        cap: int,
        count: int,
    ) -> memoryview | bytes:
        """Send a frame (nothing if empty) and return the next one's body.

        `since_s` is the CPU time from which on it is charged. Raises HungUp, and Misbehaved over
        the frame or over time.
        """
        self.body.word[0] = 0
        if frame:
            self.body.send(frame)
        watch: Watch | None = None
        while (body := self.body.receive(cap, SAMPLE_MS)) is None:
            self.pulse()
            # only of who has not answered: else our own delay would count as its sleep
            if watch is None:
                watch = self.body.watch(allowance, self._current_question(count))
            elif watch.is_due() and (excess := watch.sample(self._current_question(count))):
                raise Misbehaved(Reason("time", excess))
        self._answered_s = self.body.used_s()
        if self._answered_s - since_s > allowance.all_s:
            raise Misbehaved(Reason("time", over_all(allowance.all_s)))
        return body

    def _charge_pondering(self, pondered_s: float) -> None:
        """Charge CPU time used between questions, to an account that is never refilled for this
        process.

        Raises Misbehaved if it is empty: a bot that thinks before the question comes would have
        longer than the others.
        """
        self._pondered_s += pondered_s
        if self._pondered_s > PONDERING_S:
            used = f"{self._pondered_s * 1000:.0f} ms"
            raise Misbehaved(Reason("time", f"over the time limit: {used} used between questions"))

    def _current_question(self, count: int) -> int:
        return max(0, min(self.body.word[0], count - 1))

    def _explain_death(self, error: Misbehaved, question: int) -> Death:
        """End the process, and say whether it died by itself or by us."""
        by_itself = isinstance(error, HungUp) and self.body.is_dying()
        most, places = None, tuple[Place, ...]()
        if error.reason.kind == "time":
            places, most = self.body.places()
        code = self._kill(most)
        reason = cause(code, self._limits) if by_itself else error.reason
        return Death(replace(reason, places=places) if places else reason, question)

    def _kill(self, most: int | None = None) -> int:
        """Kill the process, free all it held, and return its exit code. Of its output, the first
        `most` bytes are its own; None: all.
        """
        self._ended = True
        code, self.used_s = self.body.end()
        self.printed = self.new_output(most)
        self.body.close()
        return code


def check_snapshot(path: Path) -> None:
    """Raise ArenaError where a bot's snapshot, a folder, is gone."""
    if not path.is_dir():
        raise ArenaError(
            f"{path}: a bot's copy was removed, and not by Arena; run again, with TMPDIR set "
            "to a folder that nothing tidies up"
        )


Kind = Callable[[Body, Limits], BotProcess]
"""Makes a process's object of its body and its limits."""


def _breach(problem: str) -> Misbehaved:
    """A breach of the protocol; the words may quote the bot."""
    return Misbehaved(Reason("protocol", problem[: wire.FIELD_BYTES]))


def _decode(body: memoryview | bytes, number: int, count: int) -> wire.Answer:
    try:
        answer = _decode_answer(body)
    except UNREADABLE as error:
        raise _breach(f"its answer cannot be read: {error}") from error
    if answer.number != number:
        raise _breach("its answer does not belong to the question")
    if len(answer.failures) > count + FAILURES_BESIDE:  # each costs us time
        raise _breach(f"it reported {len(answer.failures)} failures for {count} questions")
    if not _is_complete(answer, count):
        raise _breach(f"it answered {len(answer.decisions)} questions of {count}")
    return answer


def _is_complete(answer: wire.Answer, count: int) -> bool:
    """True if `count` questions are answered, or all up to a failure of memory."""
    answered = len(answer.decisions)
    failures = [failure for failure in answer.failures if failure.question >= 0]
    if any(failure.question >= count for failure in failures):
        return False
    runs_out = bool(failures) and failures[-1].kind == "memory"
    return answered == count or (runs_out and failures[-1].question == answered < count)
