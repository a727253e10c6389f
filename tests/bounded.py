"""Commands run in a process of their own, with bounds of memory and time, on what may be junk."""

import json
import os
import resource
import signal
import traceback
from pathlib import Path
from typing import NamedTuple

from tests.leagues import Done, main

MEMORY = 1 << 30  # bytes that a process may have, beside what it has once all is loaded
COMMAND_S, HANGS_S = 60.0, 300  # CPU time for a command; time after which it hangs


def limit_memory() -> None:
    """Let this process have no more memory than now and `MEMORY`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


class Ended(NamedTuple):
    """How a command ended."""

    words: tuple[object, ...]
    code: int = -1
    out: str = ""
    err: str = ""
    doubt: str = "hangs, or died"
    cpu_s: float = 0.0
    mib: int = 0


def attempt(words: tuple[object, ...], folder: Path) -> Ended:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.close(reads)
        end = Ended(words)
        try:
            limit_memory()
            os.chdir(folder)
            done = main(*words, forged=True)
            out, err = done.stdout.decode(), done.stderr.decode()
            end = Ended(words, done.returncode, out, err, find_doubt(done))
        except BaseException as error:
            frames = traceback.extract_tb(error.__traceback__)[-4:]
            at = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
            end = end._replace(doubt=f"{type(error).__name__}: {error!s:.300} at {at}")
        with open(writes, "w") as stream:
            json.dump(end, stream)
        os._exit(0)
    os.close(writes)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(HANGS_S)
    with open(reads) as stream:
        end = Ended(words, *json.loads(stream.read() or "[0]")[1:])
    _, _, usage = os.wait4(child, 0)
    signal.alarm(0)
    took = usage.ru_utime + usage.ru_stime
    slow = f"took {took:.0f} s" if took > COMMAND_S else ""
    return end._replace(doubt=end.doubt or slow, cpu_s=took, mib=usage.ru_maxrss >> 10)


def find_doubt(done: Done) -> str:
    """What is wrong with how a command ended."""
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    if done.returncode not in (0, 1, 2):
        return f"exit code {done.returncode}: {lines[-1:]}"
    if b"\x1b" in done.stderr + done.stdout:
        return "prints a terminal's codes"
    if done.returncode == 2 and not lines:
        return "does not say why"
    if len(done.stderr) > 10_000 or any(len(line) > 2000 for line in lines):
        return f"says too much: {done.stderr[:200]!r}"
    return ""
