"""The worker's end of a bot's process: asking it, measuring it, ending it.

The parent alone measures: CPU by the child's clock, waiting for a core by schedstat, death by
pidfd. What a bot does wrong comes back as a value, never as an exception.
"""

import fcntl
import mmap
import os
import select
import signal
import termios
from collections.abc import Callable

import msgspec

from arena.model import FaultKind, Limits, Reason
from arena.process.clock import SAMPLE_MS, Watch, cpu_s
from arena.process.death import Death, cause
from arena.process.loading_gate import Gate
from arena.sandbox import wire

READ_BYTES = 1 << 20  # at once
PONDER_GRACE_S = 0.05  # CPU between an answer and the next question: tidying up, no thinking
BATCH_GRACE_S = 0.05  # what a batch may be charged beside its decisions
ANSWER_BASE, ANSWER_EACH = 1 << 16, 8192  # bytes of an answer, at most

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises on bytes that nobody honest sends."""

_decode_answer = msgspec.msgpack.Decoder(wire.Answer).decode


class BotProcess:
    """One bot's process, from its start to its end. At most one message is on its way.

    `reap` gives the wait status of a dead child and the CPU it used in s, and frees its pid.
    """

    def __init__(
        self, reap: Callable[[int], tuple[int, float]], limits: Limits, pid: int, pidfd: int,
        to_bot: int, from_bot: int, output: int, word: int, gate: int = -1,
    ) -> None:  # fmt: skip
        self._reap, self._limits = reap, limits
        self.pid, self._pidfd = pid, pidfd
        self._to, self._from, self._output = to_bot, from_bot, output
        self._page = mmap.mmap(word, mmap.PAGESIZE)
        os.close(word)
        self._word = memoryview(self._page).cast("I")
        self._poll = select.poll()
        self._poll.register(from_bot, select.POLLIN)
        self._gate = Gate(gate)
        self._answered_s = 0.0  # CPU time used up to the last answer
        self.kind = ""  # "decide", "Bot" or "decide_many", once loaded
        self.wants_results = False
        self._batch_s = 0.0  # CPU time the last answer took
        self.worst_s = 0.0  # the most CPU time a decision that a batch took, the batch's mean
        self.used_s = 0.0  # CPU time, once it has ended
        self.printed = ""  # as far as that is kept, once it has ended

    def load(self) -> Reason | None:
        """Wait until the bot is loaded; what hinders it is a fault of kind `load`."""
        limit_s = self._limits.load_ms / 1000
        watch = Watch(
            self.pid, "to load", each_s=limit_s, allowed_s=limit_s, sleep_s=limit_s,
            wall_s=limit_s + self._limits.wall_ms / 1000,
        )  # fmt: skip
        if self._gate.fd >= 0:
            self._poll.register(self._gate.fd, select.POLLIN)
        body = self._exchange(b"", watch, ANSWER_BASE, 1)
        if isinstance(body, Death):
            return body.reason._replace(kind="load")
        if self._gate.fd >= 0:
            self._poll.unregister(self._gate.fd)
            self._gate.close()
        try:
            ready = msgspec.msgpack.decode(body, type=wire.Ready)
        except UNREADABLE as error:
            problem = f"its process said something else than 'loaded': {error}"
            return self._end("load", 0, problem).reason
        self.kind, self.wants_results = ready.kind, ready.wants_results
        if ready.problem or ready.kind not in ("decide", "Bot", "decide_many"):
            problem = ready.problem[: wire.TEXT_CAP] or "it defines no bot"
            return self._end("load", 0, problem).reason
        return None

    def tell(self, hello: wire.Hello) -> None:
        """Say what is played: short enough for the pipe, so it waits for nobody."""
        try:
            os.write(self._to, wire.frame(wire.encode(hello)))
        except OSError:
            pass  # it is dead, and the first question will say so

    def ask(self, body: bytes, number: int, count: int) -> wire.Answer | Death:
        """Return the answers to an `Ask` of `count` views; the process is gone if a Death.

        An answer has `count` decisions, or fewer and a failure of memory for the next.
        """
        limit_s = self._limits.cpu_ms / 1000
        allowed_s = max(count, 1) * limit_s + BATCH_GRACE_S
        each_s = allowed_s if self.kind == "decide_many" else limit_s
        watch = Watch(
            self.pid, "a decision", each_s=each_s, allowed_s=allowed_s,
            sleep_s=limit_s + BATCH_GRACE_S, wall_s=self._limits.wall_ms / 1000,
        )  # fmt: skip
        reply = self._exchange(body, watch, ANSWER_BASE + count * ANSWER_EACH, count)
        if isinstance(reply, Death):
            return reply
        if count:
            self.worst_s = max(self.worst_s, self._batch_s / count)
        try:
            answer = _decode_answer(reply)
        except UNREADABLE as error:
            return self._end("protocol", self._at(count), f"its answer cannot be read: {error}")
        if answer.number != number:
            return self._end("protocol", self._at(count), "its answer is not to the question asked")
        found = len(answer.decisions)
        failed = [failure for failure in answer.failures if failure.question >= 0]
        ended = (
            bool(failed) and failed[-1].kind == "memory" and failed[-1].question == found < count
        )
        if (found != count and not ended) or any(failure.question >= count for failure in failed):
            problem = f"it answered {found} questions of {count}"
            return self._end("protocol", self._at(count), problem)
        return answer

    def _output_so_far(self) -> str:
        size = min(os.fstat(self._output).st_size, self._limits.output_kib << 10)
        return os.pread(self._output, size, 0).decode("utf-8", "replace")

    def end(self) -> None:
        """Kill the process and free all it held."""
        self._kill()

    def _exchange(self, body: bytes, watch: Watch, cap: int, count: int) -> bytes | Death:
        """Send `body` (nothing if empty) and return the next message's body."""
        self._word[0] = 0
        if body and self._unread():
            return self._end("protocol", 0, "it answered before it was asked")
        pondered_s = cpu_s(self.pid) - self._answered_s if body else 0.0
        if pondered_s > PONDER_GRACE_S:
            used = f"{pondered_s * 1000:.0f} ms"
            return self._end("time", 0, f"over its time: it used {used} when it was not asked")
        got, wanted = bytearray(), -1
        try:
            unsent = self._write(memoryview(wire.frame(body))) if body else memoryview(b"")
            if unsent:
                self._poll.register(self._to, select.POLLOUT)
            while True:
                ready = {fd for fd, _ in self._poll.poll(SAMPLE_MS)}
                if self._to in ready:
                    unsent = self._write(unsent)
                    if not unsent:
                        self._poll.unregister(self._to)
                if self._gate.fd in ready:
                    self._gate.let_through()
                if self._from in ready:
                    data = os.read(self._from, READ_BYTES)
                    if not data:
                        return self._post_mortem(self._at(count))
                    got += data
                if wanted < 0 and len(got) >= wire.HEAD.size:
                    wanted = wire.HEAD.size + wire.HEAD.unpack_from(got)[0]
                    if wanted > cap:
                        problem = f"its answer is {wanted} bytes long; at most {cap} are read"
                        return self._end("protocol", self._at(count), problem)
                if 0 <= wanted <= len(got):
                    if len(got) > wanted or unsent:
                        return self._end("protocol", self._at(count), "it answered out of turn")
                    asked_s = self._answered_s + pondered_s
                    self._answered_s = cpu_s(self.pid)
                    self._batch_s = self._answered_s - asked_s
                    if self._batch_s > watch.allowed_s:
                        return self._end("time", self._at(count), watch.over_the_batch())
                    return bytes(got[wire.HEAD.size :])
                # only of who has not answered: else our own delay would count as its sleep
                if watch.due() and (over := watch.over(self._at(count))):
                    return self._end("time", self._at(count), over)
        except BrokenPipeError:
            return self._post_mortem(self._at(count))

    def _at(self, count: int) -> int:
        return max(0, min(self._word[0], count - 1))

    def _unread(self) -> bool:
        """Return whether there are bytes to read already."""
        if not self._poll.poll(0):
            return False
        waiting = fcntl.ioctl(self._from, termios.FIONREAD, b"\0\0\0\0")
        return any(waiting)  # none: the end of a dead process's pipe

    def _write(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._to, unsent) :]
        except BlockingIOError:
            return unsent

    def _post_mortem(self, at: int) -> Death:
        """Return why a process has closed its pipe."""
        dead = select.poll()
        dead.register(self._pidfd, select.POLLIN)
        if not dead.poll(1000):
            return self._end("protocol", at, "it closed its pipe")
        return Death(cause(self._kill(), self._limits), at)

    def _end(self, kind: FaultKind, at: int, text: str) -> Death:
        self._kill()
        return Death(Reason(kind, text), at)

    def _kill(self) -> int:
        """Kill the process if it lives, free all it held, and return its wait status."""
        if self._pidfd < 0:
            return 0
        signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        status, self.used_s = self._reap(self.pid)
        self.printed = self._output_so_far()
        self._gate.close()
        self._word.release()
        self._page.close()
        for fd in (self._pidfd, self._to, self._from, self._output):
            os.close(fd)
        self._pidfd = -1
        return status
