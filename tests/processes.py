"""Other processes: who is left, as /proc shows it, and some that keep the machine busy."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def state_of(pid: int) -> tuple[str, int]:
    """Return a process's state, "Z" if it has ended, and its parent's pid."""
    try:
        state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return "Z", 0
    return state, int(parent)


def children_of(pid: int) -> set[int]:
    """Return the pids of all processes that came from this one."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            parents.setdefault(parent_of(int(entry.name)), []).append(int(entry.name))
    found, todo = set(), [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.add(child)
            todo.append(child)
    return found


def alive(pid: int) -> bool:
    """Return whether a process is there and not a zombie that its new parent has yet to reap."""
    return state_of(pid)[0] != "Z"


def parent_of(pid: int) -> int:
    """Return the pid of a process's parent; 0 if it has ended."""
    return state_of(pid)[1]


def remains(process: "subprocess.Popen[bytes]", seconds: float = 0.02) -> bool:
    """Leave the core to others for a while; return whether the process is there afterwards."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.returncode is None


def all_gone(pids: set[int], within_s: float = 20.0) -> bool:
    """Return whether all of them end in time."""
    deadline = time.monotonic() + within_s
    while left := {pid for pid in pids if alive(pid)}:
        if time.monotonic() > deadline:
            print("still there:", left)
            return False
        select.select([], [], [], 0.02)  # they have the core meanwhile
    return True


def command_of(pid: int) -> bytes:
    """Return a process's command line; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def busy_loops(count: int, core: int | None = None) -> Iterator[None]:
    """Keep so many processes computing beside us; on that core, if one is given."""
    # each a session of its own: together they would have one program's part of a core (autogroup)
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(count)
    ]
    try:
        if core is not None:
            for loop in loops:
                os.sched_setaffinity(loop.pid, {core})
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def within(most_s: int) -> Iterator[None]:
    """Fail what takes longer, also what waits for ever."""

    def late(*_: object) -> None:
        raise AssertionError(f"it takes over {most_s} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(most_s)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def memory_of(pid: int) -> Iterator[bytes]:
    """Yield all that a process has in memory, mapping by mapping."""
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights, *_, name = line.split(maxsplit=5)
            if rights.startswith("r") and not name.startswith("[v"):  # the kernel's own, [vdso]
                start, end = (int(part, 16) for part in place.split("-"))
                memory.seek(start)
                yield memory.read(end - start)
