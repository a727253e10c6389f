"""A bot's processes, watched: every question it is asked, its decision, and what that cost.

A watched process takes a batch as any other and asks the bot one question at a time, so that each
decision has a cost of its own. Only the author's bench does so: in a tournament a batch is one
message.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from arena.model import Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.clock import cpu_s
from arena.process.death import Death
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire

MIB = 1 << 20

BotKind = Literal["", "decide", "Bot", "decide_many"]


class Asked(NamedTuple):
    """A question, and how it was answered."""

    fields: tuple[Any, ...]  # of the view, in the order of the game's `View`
    decision: str | None  # "" where it was none; None: the process was lost


class Loaded(NamedTuple):
    """What it took to load a bot."""

    problem: Reason | None  # of kind `load`; None: it is loaded
    kind: BotKind  # "" if it is not loaded
    cpu_s: float
    memory_mib: float | None  # of that which is limited; None where nobody can tell
    printed: str


class Log:
    """What was asked of a bot in one pool, and what its processes used."""

    def __init__(self) -> None:
        self.asked: dict[int, list[Asked]] = {}  # by `view.table`, oldest first
        self.costs: list[tuple[tuple[Any, ...], float]] = []  # questions, CPU time in s
        self.waited_s = 0.0  # by the clock, for its answers
        self.memory_mib = 0.0  # the most that any of its processes had


def loaded(zygote: ZygoteClient, snapshot: Path, limits: Limits) -> Loaded:
    """Return what it takes to load the bot whose snapshot is that folder, tried once, alone."""
    process = zygote.start(snapshot, limits)
    reason = process.load()
    if reason:
        return Loaded(reason, "", process.used_s, None, process.printed)
    used_s, used_mib = cpu_s(process.pid), memory_mib(process.pid, limits)
    process.end()
    return Loaded(None, cast(BotKind, process.kind), used_s, used_mib, process.printed)


def memory_mib(pid: int, limits: Limits) -> float | None:
    """Return the most memory that a bot's process has had, as `memory_mib` counts it: what Python
    and arena had before it is not in it. None where the kernel does not tell.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        caps = Path(f"/proc/{pid}/limits").read_text()
    except OSError:  # it is gone
        return None
    peak = next((int(line.split()[1]) for line in status.splitlines() if "VmPeak" in line), None)
    cap = next((line.split()[3] for line in caps.splitlines() if "address space" in line), "")
    if peak is None or not cap.isdecimal():
        return None
    left = int(cap) - (peak << 10)
    return max(0.0, limits.memory_mib - left / MIB)


class Watching:
    """Stands in for the zygotes: starts processes as they do, those of one bot watched.

    `alone`: whether its questions are asked one at a time, or as they come.
    """

    def __init__(self, zygote: ZygoteClient, snapshot: str, log: Log, alone: bool) -> None:
        self._zygote, self._snapshot, self._log, self._alone = zygote, snapshot, log, alone

    def start(self, path: Path, limits: Limits) -> BotProcess:
        """Return a fresh process for the bot whose snapshot is the folder `path`."""
        process = self._zygote.start(path, limits)
        if str(path) != self._snapshot:
            return process
        return cast(BotProcess, _Watched(process, self._log, limits, self._alone))


class _Watched:
    """Stands in for a bot's process, as a player uses it."""

    def __init__(self, process: BotProcess, log: Log, limits: Limits, alone: bool) -> None:
        self._process, self._log, self._limits, self._alone = process, log, limits, alone
        self.worst_s = 0.0
        self._lost = False

    @property
    def kind(self) -> str:
        return self._process.kind

    @property
    def wants_results(self) -> bool:
        return self._process.wants_results

    @property
    def used_s(self) -> float:
        return self._process.used_s

    @property
    def printed(self) -> str:
        return self._process.printed

    def new_output(self) -> str:
        return self._process.new_output()

    def load(self) -> Reason | None:
        return self._process.load()

    def tell(self, hello: wire.Hello) -> None:
        self._process.tell(hello)

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        """Return the answer to a batch, as a process does."""
        for each in begun:  # also where a process takes over from one that was lost
            self._log.asked[each.table] = []
        size = 1 if self._alone else max(1, len(views))
        decisions: list[str] = []
        failures: list[wire.Failure] = []
        number = 0
        for first in range(0, max(1, len(views)), size):
            part = views[first : first + size]
            answer = self._exchange([] if first else begun, [] if first else over, part)
            if isinstance(answer, Death):
                return answer._replace(question=first + answer.question)
            number = answer.number
            decisions += answer.decisions
            failures += [
                each._replace(question=first + each.question) if each.question >= 0 else each
                for each in answer.failures
            ]
            if len(answer.decisions) < len(part):
                break  # it has run out of memory
        return wire.Answer(number, decisions, failures)

    def end(self) -> None:
        used = None if self._lost else memory_mib(self._process.pid, self._limits)
        self._log.memory_mib = max(self._log.memory_mib, used or 0.0)
        self._process.end()

    def _exchange(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        log, asked_s = self._log, time.monotonic()
        self._process.worst_s = 0.0  # from here on: of this message
        answer = self._process.ask(begun, over, views)
        log.waited_s += time.monotonic() - asked_s
        if isinstance(answer, Death):
            self._lost = True
            if len(views) == 1:
                log.asked[views[0][0]].append(Asked(views[0], None))
            return answer
        self.worst_s = max(self.worst_s, self._process.worst_s)
        if len(views) == len(answer.decisions) == 1:
            log.costs.append((views[0], self._process.worst_s))
        for view, decision in zip(views, answer.decisions, strict=False):
            log.asked[view[0]].append(Asked(view, decision))
        if len(answer.decisions) < len(views):
            lost = views[len(answer.decisions)]
            log.asked[lost[0]].append(Asked(lost, None))
        return answer
