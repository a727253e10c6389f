"""Reasons for a missing decision: what a bot's process reports, and how it ended.

What the process says is the bot's own claim, for its author's eyes alone.
"""

import signal
from typing import NamedTuple

from msgspec.structs import replace

from arena.faults.reasons import without_ends
from arena.model import Limits, Place, Reason
from arena.sandbox import wire


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


def cause(code: int, limits: Limits) -> Reason:
    """The reason why a process died by itself, by its exit code: -n where signal n killed it."""
    if code < 0:
        names = {one.value: one.name for one in signal.Signals}  # not the real-time signals
        name = names.get(-code, f"signal {-code}")
        if name == "SIGKILL":
            return Reason("memory", "killed by the kernel, most likely because memory ran out")
        return Reason("forbidden" if name == "SIGSYS" else "crash", f"killed by {name}")
    if code == wire.OUT_OF_MEMORY:
        return Reason("memory", f"out of memory: the limit is {limits.memory_mib} MiB")
    return Reason("crash", f"its process exited with status {code}")
