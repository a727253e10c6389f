"""The confinement of a bot's process: limits, then walls, and while it loads the gate.

In this order, none of it needing root: the zygote, once, drops every capability, gains no more
(no_new_privs), cannot be looked into (dumpable 0), and prepares the filters. Each child closes
every descriptor but its own and sets its limits. Landlock then lets it read its own snapshot and
Python's libraries and nothing else; seccomp leaves it the system calls of `arena.sandbox.seccomp`.
Of these, opening and looking at files and measuring the machine go through the gate
(`arena.process.pipe`): the parent closes it before it asks the bot anything. In Python
nothing is a wall, for everything inside the process is the bot's. So all of this stands, and the
gate's end is out of its hands, before its first line is read. Imports the standard library and
msgspec, and of this wing only what it is made of.
"""

import ctypes
import os
import resource
import signal
import socket
import struct
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from arena.sandbox import landlock, seccomp
from arena.sandbox.bpf import Program
from arena.sandbox.refused import Refused, syscall

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63  # more than there are: the kernel says where they end
_STACK_BYTES = 8 << 20
_FILES = 64

_READ = landlock.READ_FILE | landlock.READ_DIR
_LIBRARIES = """
    /lib /lib32 /lib64 /libx32 /usr/lib /usr/lib32 /usr/lib64 /usr/local/lib /nix/store /gnu/store
    /etc/ld.so.cache /etc/localtime /usr/share/zoneinfo /dev/urandom
""".split()

_LIBC = ctypes.CDLL(None, use_errno=True)


class Walls(NamedTuple):
    """The zygote's preparations, made once for all its children."""

    abi: int  # of Landlock
    filter: Program
    gate: bytes
    courtesy: bytes
    grants: Mapping[str, int]  # Landlock's rights by path, beside those to the bot's own folder


def packages() -> list[str]:
    """The folders of installed packages, Arena's own among them: usually one; more where Arena is
    installed for one user, in a folder, over an environment or by a cluster's modules.
    """
    beside = os.path.dirname(os.path.dirname(msgspec.__file__))
    named_so = [path for path in sys.path if path.endswith("-packages")]
    return list(dict.fromkeys(map(os.path.abspath, [*named_so, beside])))


def libraries(installed: Sequence[str]) -> tuple[str, ...]:
    """The paths a bot may read: Python's libraries, those installed, the system's, this folder and
    games/.
    """
    code = os.path.dirname(os.path.abspath(__file__))
    games = os.path.normpath(os.path.join(code, "..", "..", "games"))
    paths = sysconfig.get_paths()
    python = [paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    base = os.path.join(sys.base_prefix, "lib")
    return (*dict.fromkeys([*python, *installed]), base, *_LIBRARIES, code, games)


def find_library(path: str | os.PathLike[str]) -> str | None:
    """The library that a path lies in, directly or by a link, so that every bot may read it."""
    real = os.path.join(os.path.realpath(path), "")
    for library in libraries(packages()):
        if real.startswith(os.path.join(os.path.realpath(library), "")):
            return library
    return None


def prepare(installed: Sequence[str]) -> Walls:
    """Prepare the walls of this machine, with the folders of installed packages. Raises OSError or
    LookupError where there can be none.
    """
    abi = landlock.abi()
    null = landlock.READ_FILE
    if abi >= 3:  # with the right to truncate in hand, a bot may silence its prints
        null |= landlock.WRITE_FILE | landlock.TRUNCATE
    grants = dict.fromkeys(libraries(installed), _READ) | {"/dev/null": null}
    gate, courtesy = seccomp.gate().code, seccomp.courtesy().code
    return Walls(abi, seccomp.allow_list(abi), gate, courtesy, grants)


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; leave at once if it is dead.

    The kernel counts the thread that started it: a thread that ends takes this process along.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)


def confine_zygote() -> None:
    """Drop all rights that neither the zygote nor any child of it needs."""
    os.umask(0o077)
    with open("/proc/self/oom_score_adj", "wb") as score:  # the first to go when memory runs out
        score.write(b"900")  # and before the process is undumpable: then it is root's to write
    _drop_capabilities()
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_DUMPABLE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_MEMLOCK, 0)
    _limit(resource.RLIMIT_MSGQUEUE, 0)
    _limit(resource.RLIMIT_SIGPENDING, 0)  # counted by user; most signals need no queue
    _limit(resource.RLIMIT_STACK, _STACK_BYTES)


def limit_child(memory_bytes: int, output_bytes: int) -> None:
    """Set the limits of a child: its memory beside the zygote's own, and any one file it writes."""
    _limit(resource.RLIMIT_NOFILE, _FILES)
    _limit(resource.RLIMIT_FSIZE, output_bytes)
    with open("/proc/self/statm", "rb") as statm:  # preloaded memory is not charged
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, mapped + memory_bytes)


def raise_walls(walls: Walls, snapshot: str, channel: socket.socket) -> int:
    """Put this process behind the walls, from where it can read the folder `snapshot`; the gate's
    listener goes out over `channel`. Return its descriptor, which is to be closed once the parent
    waits at the gate. Raises OSError.
    """
    rules = landlock.ruleset(walls.abi, {**walls.grants, snapshot: _READ})
    landlock.restrict(rules, walls.abi)
    os.close(rules)
    listener = seccomp.install(walls.gate, seccomp.NEW_LISTENER)
    syscall("sendmsg", socket.send_fds, channel, [b"gate"], [listener])
    seccomp.install(walls.filter.of(os.getpid()))  # from here on there is no sending
    return listener


def _drop_capabilities() -> None:
    """Drop all capabilities, and as root the right to get them back by running a program."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:  # no such capability, or an ordinary user, who has none to lose
            break
    header, nothing = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0), bytes(24)
    if _LIBC.capset(header, nothing) != 0:
        raise Refused("capset", ctypes.get_errno())


def _limit(which: int, value: int) -> None:
    hard = syscall("prlimit64", resource.getrlimit, which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    syscall("prlimit64", resource.setrlimit, which, (value, value))


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise Refused("prctl", ctypes.get_errno())
