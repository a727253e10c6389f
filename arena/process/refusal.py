"""System calls that a machine refuses a bot before its first line is read, and remedies."""

import errno
import os
import time
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from msgspec import Struct

from arena.errors import Unconfinable
from arena.model import NONE, WALLS
from arena.sandbox.refused import Refused
from arena.typed_json import First, means

_T = TypeVar("_T")
PAUSES_S = (0.05, 0.1, 0.2)  # before another try
LAYERS = {"capset": "rights", "prctl": "rights", "prlimit64": "limits", "seccomp": "system calls"}
LISTENER = (
    "another program listens to system calls here: in WSL, remove networkingMode=mirrored from "
    ".wslconfig and run `wsl --shutdown`; under LXD or sysbox, run Arena outside that container"
)
PROFILE = (
    "a container's seccomp profile or a security module refuses it, or the kernel is older than "
    "5.13: allow it there, or run Arena elsewhere"
)
PROC = "mount /proc here"
MEMORY = "free memory, or set fewer `workers`"
FILES = "too many open files: a worker needs about nine per bot; raise `ulimit -n`"
SHORT = {
    errno.EAGAIN: "too many processes: raise `ulimit -u` or the container's limit of processes",
    errno.ENOMEM: MEMORY, errno.ECHILD: MEMORY, errno.ETIMEDOUT: MEMORY,
    errno.EMFILE: FILES, errno.ENFILE: FILES,
}  # fmt: skip
"""Remedies where a machine is short of something for a moment; ECHILD: a process was lost."""


class Layer(Struct, frozen=True):
    """One thing that keeps bots in, or that measures them."""

    name: str
    ok: bool
    detail: Annotated[str, means("What was found on this machine.")]
    remedy: Annotated[str, means("Empty if ok.")] = ""


class Examination(Struct, frozen=True, kw_only=True):
    """The layers that confine bots, as `arena doctor --json` prints them."""

    version: First = 1
    confinement: Annotated[str, means(f"`{WALLS}` where every wall stands, else `{NONE}`.")]
    layers: Annotated[list[Layer], means("All layers that were tried, in that order.")]


class Refusal(Unconfinable):
    """This machine makes no bot's process, and no bot is at fault; `layer` says why."""

    def __init__(self, error: OSError, call: str) -> None:
        call, number = getattr(error, "call", call), error.errno or errno.ETIMEDOUT
        problem = text = getattr(error, "text", str(error))
        remedy = SHORT.get(number, PROFILE)
        if call:
            problem = f"{call} fails with {errno.errorcode.get(number, number)}"
            remedy = text if isinstance(error, Refused) and text else remedy
        if (call, number) == ("seccomp", errno.EBUSY):
            remedy = LISTENER
        elif not os.path.exists("/proc/self/stat"):
            remedy = PROC
        name = "Landlock" if call.startswith("landlock") else LAYERS.get(call, "processes")
        self.layer = Layer(name, False, problem, remedy)
        super().__init__(f"bots cannot be started here: {problem} (layer: {name}); {remedy}")


def insist(call: str, make: Callable[..., _T], *given: Any) -> _T:
    """Make a system call, again where this machine is short of something. Raises Refusal."""
    pauses_s = [*PAUSES_S]
    while True:
        try:
            return make(*given)
        except OSError as error:
            if not pauses_s or error.errno not in SHORT:
                raise Refusal(error, call) from error
            time.sleep(pauses_s.pop(0))
