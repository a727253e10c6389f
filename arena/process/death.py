"""How a bot's process came to its end, in words for its author."""

import os
import signal
from typing import NamedTuple

from arena.model import Limits
from arena.sandbox import wire


class Trouble(NamedTuple):
    """A process that is gone, and why."""

    kind: str  # a fault's
    at: int  # the decision it was at: an index into the batch
    text: str  # for the bot's author


def cause(status: int, limits: Limits) -> tuple[str, str]:
    """Return the kind of fault and the words for how a process died by itself."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGKILL:
            return "memory", "killed by the kernel, most likely because memory ran out"
        kind = "forbidden" if number == signal.SIGSYS else "crash"
        known = {each.value: each.name for each in signal.Signals}  # not the real-time signals
        return kind, f"died of {known.get(number, f'signal {number}')}"
    code = os.waitstatus_to_exitcode(status)
    if code == wire.OUT_OF_MEMORY:
        return "memory", f"out of memory: the limit is {limits.memory_mib} MiB"
    return "crash", f"its process exited with status {code}"
