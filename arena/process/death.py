"""How a bot's process came to its end, in words for its author."""

import os
import signal
from typing import NamedTuple

from arena.model import FaultKind, Limits, Reason
from arena.sandbox import wire


class Death(NamedTuple):
    """A process that is gone."""

    reason: Reason
    question: int  # that it was at: index in the batch


class Misbehaved(Exception):
    """A live process broke a rule and has to end. Leaves this wing as a value, never raised."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.reason = Reason(kind, text)


def cause(status: int, limits: Limits) -> Reason:
    """Return why a process died by itself, by its wait status."""
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
