"""Why a bot has no decision: what its process reports of itself, and how that process ended."""

import os
import signal
from typing import NamedTuple

from msgspec.structs import replace

from arena.model import Limits, Place, Reason
from arena.reasons import without_ends
from arena.sandbox import wire


class Death(NamedTuple):
    """A process that is gone."""

    reason: Reason
    question: int  # that it was at: index in the batch


class Misbehaved(Exception):
    """A live process broke a rule and has to end. Leaves this wing as a value, never raised."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.what)
        self.reason = reason


def reason_of(failure: wire.Failure) -> Reason:
    """Turn a failure that a process reports into a reason, each part cut to its length. All of it
    is the bot's own claim, except that there is no decision.
    """
    claim = wire.cut(failure)
    line = claim.line if 0 < claim.line < 1 << 31 else 0
    place = Place(claim.file, line, claim.function, claim.code)
    reason = Reason(
        "error" if claim.kind == "printed" else claim.kind,
        what=claim.what,
        error=claim.error,
        rule=claim.rule,
        about=claim.about,
        places=(place,) if claim.file else (),
        text=claim.text,
    )
    return replace(reason, text=without_ends(reason))


def cause(status: int, limits: Limits) -> Reason:
    """Why a process died by itself, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGKILL:
            return Reason("memory", "killed by the kernel, most likely because memory ran out")
        names = {each.value: each.name for each in signal.Signals}  # not the real-time signals
        text = f"killed by {names.get(number, f'signal {number}')}"
        return Reason("forbidden" if number == signal.SIGSYS else "crash", text)
    code = os.waitstatus_to_exitcode(status)
    if code == wire.OUT_OF_MEMORY:
        return Reason("memory", f"out of memory: the limit is {limits.memory_mib} MiB")
    return Reason("crash", f"its process exited with status {code}")
