"""What a bot's process may do: its limits, set before any of the bot's code is read.

The order, for the process layer as a whole (`arena.zygote` calls it): the zygote drops what no
child of it needs, once; each child closes every descriptor but its own, sets its limits, and then
the walls (Landlock, seccomp) and, after loading, the seal go here. Until those are built
`CONFINEMENT` says "none", and every result file with it. Imports the standard library alone.
"""

import ctypes
import os
import resource
import signal
from typing import NamedTuple

CONFINEMENT = "none"
"""What keeps bots in: part of every game's identity, and named in every result file."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_STACK_BYTES = 8 << 20
_FILES = 64


class Caps(NamedTuple):
    """The limits of one child."""

    memory_bytes: int  # beside what the zygote had mapped when it forked
    output_bytes: int  # of any one file it writes: its captured output


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; leave at once if it is dead."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above: nobody will tell us
        os._exit(1)


def confine_zygote() -> None:
    """Drop what neither the zygote nor any child of it needs."""
    os.umask(0o077)
    with open("/proc/self/oom_score_adj", "wb") as score:  # the first to go when memory runs out
        score.write(b"900")  # and before the process is undumpable: then it is root's to write
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_DUMPABLE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_MEMLOCK, 0)
    _limit(resource.RLIMIT_STACK, _STACK_BYTES)


def confine_child(caps: Caps, last_fd: int) -> None:
    """Close all descriptors above `last_fd` and set the limits. Called once, before loading."""
    os.closerange(last_fd + 1, 1 << 16)
    _limit(resource.RLIMIT_NOFILE, _FILES)
    _limit(resource.RLIMIT_FSIZE, caps.output_bytes)
    with open("/proc/self/statm", "rb") as statm:  # not charged for what was preloaded
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, mapped + caps.memory_bytes)


def _limit(which: int, value: int) -> None:
    """Set a limit, or leave the lower one that is there."""
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl({option}, {value}): {os.strerror(error)}")
