"""Reasons for a missing decision: what a bot's process reports, where it was when its time was
over, and how it ended.

What the process says is the bot's own claim, for its author's eyes alone.
"""

import os
import re
import signal
import time
from typing import NamedTuple

from msgspec.structs import replace

from arena.faults.reasons import without_ends
from arena.model import Limits, Place, Reason
from arena.process.clock import cpu_s
from arena.sandbox import wire

RUN_S = 0.005  # of CPU: a handler in C answers within microseconds of running
PATIENCE_S, LOOK_S = 0.25, 0.001  # by the clock: on a loaded machine it waits for a core first
FRAME = re.compile(rb'  File "([^"\n]{1,500})", line (\d{1,7}) in ([\w<>]{1,80})')
FRAMES = 3  # innermost, of the bot's own


class Death(NamedTuple):
    """A process that is gone."""

    reason: Reason
    question: int  # that it was at: index in the batch


class Misbehaved(Exception):
    """A live process broke a rule and has to end. Leaves this wing as a value, never raised."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


class HungUp(Misbehaved):
    """The bot's end of a pipe is closed: by the bot, unless its process is dying."""

    def __init__(self) -> None:
        super().__init__(Reason("protocol", "it closed its pipe"))


def reason_of(failure: wire.Failure) -> Reason:
    """Turn a failure that a process reports into a reason, each part cut to its length. All of it
    is the bot's own claim, except that there is no decision.
    """
    claim = wire.cut(failure)
    line = claim.line if 0 < claim.line < 1 << 31 else 0
    place = Place(claim.file, line, claim.function, claim.code)
    reason = Reason(
        "error" if claim.kind == "printed" else claim.kind,
        message=claim.message,
        error=claim.error,
        rule=claim.rule,
        about=claim.about,
        places=(place,) if claim.file else (),
        traceback=claim.traceback,
    )
    return replace(reason, traceback=without_ends(reason))


def cause(status: int, limits: Limits) -> Reason:
    """The reason why a process died by itself, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGKILL:
            return Reason("memory", "killed by the kernel, most likely because memory ran out")
        names = {one.value: one.name for one in signal.Signals}  # not the real-time signals
        text = f"killed by {names.get(number, f'signal {number}')}"
        return Reason("forbidden" if number == signal.SIGSYS else "crash", text)
    code = os.waitstatus_to_exitcode(status)
    if code == wire.OUT_OF_MEMORY:
        return Reason("memory", f"out of memory: the limit is {limits.memory_mib} MiB")
    return Reason("crash", f"its process exited with status {code}")


def probe_stack(pid: int, pidfd: int, output: int, folder: str) -> tuple[tuple[Place, ...], int]:
    """Ask a process which lines of its own it is at, innermost first, none if it does not answer.
    Returned with them: how long its output was before it was asked.

    `folder` is its snapshot's. It is asked by the signal that `arena.sandbox.harness` answers, and
    has until it has run for `RUN_S`, and no longer than `PATIENCE_S`.
    """
    before = os.fstat(output).st_size
    try:
        signal.pidfd_send_signal(pidfd, wire.WHERE)
    except ProcessLookupError:  # it has just ended
        return (), before
    deadline, ran_s, size, grown = time.monotonic() + PATIENCE_S, cpu_s(pid) + RUN_S, -1, before
    while (grown == before or grown != size) and time.monotonic() < deadline and cpu_s(pid) < ran_s:
        time.sleep(LOOK_S)
        size, grown = grown, os.fstat(output).st_size
    dump = os.pread(output, 1 << 16, before)
    inside = os.fsencode(folder) + b"/"
    places = [
        Place(file.removeprefix(inside).decode("utf-8", "replace"), int(line), name.decode())
        for file, line, name in FRAME.findall(dump)
        if file.startswith(inside)
    ]
    return tuple(places[:FRAMES]), before
