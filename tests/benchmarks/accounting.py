"""What a command costs: the CPU time of all its processes, by the kernel's own account.

A `wait4` tells what a process and all that it waited for have used, killed ones too. What a
process did not wait for becomes an orphan, and would be missed: so the command runs under a
watcher of its own, which the kernel hands all orphans to (prctl(2), PR_SET_CHILD_SUBREAPER) and
which waits until none is left. Only a process whose parent ignores SIGCHLD escapes it.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PR_SET_CHILD_SUBREAPER = 36


class Cost(NamedTuple):
    """What a command used, and said."""

    cpu_s: float  # user and system time of all its processes together
    wall_s: float  # until the command itself ended
    stdout: str


def cost_of(command: Sequence[str], folder: Path = ROOT) -> Cost:
    """Run a command in a folder, the project's by default. Raises RuntimeError if it fails.

    The first word is a path; the others are handed on as they are. Python may keep what it has
    compiled, as it does for users: else each process would compile all of arena again.
    """
    environment = {
        name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"
    }
    with tempfile.NamedTemporaryFile() as report:
        watcher = [sys.executable, "-P", __file__, report.name]
        done = subprocess.run(
            [*watcher, *command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        told = Path(report.name).read_text()
    code, cpu_s, wall_s = json.loads(told) if told else (done.returncode, 0.0, 0.0)
    if code:
        raise RuntimeError(f"{' '.join(command)}: ended with {code}\n{done.stderr[-4000:]}")
    return Cost(cpu_s, wall_s, done.stdout)


def watch(command: list[str]) -> tuple[int, float, float]:
    """Run a command, and wait for it and for all it leaves behind; returns its exit code, CPU s and
    wall s. This process must have no other children.
    """
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "orphans cannot be waited for")
    began_s = time.monotonic()
    first = os.posix_spawn(command[0], command, os.environ)
    code, cpu_s, wall_s = 0, 0.0, 0.0
    while True:
        try:
            pid, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            return code, cpu_s, wall_s
        cpu_s += used.ru_utime + used.ru_stime
        if pid == first:
            code, wall_s = os.waitstatus_to_exitcode(status), time.monotonic() - began_s


def own_s(pid: int) -> float:
    """The CPU time of a process without its children, in s (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(watch(sys.argv[2:])))
