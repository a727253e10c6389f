"""What a command costs: the CPU time of all its processes, by the kernel's own account; and waiting
until the machine does little else.

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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
DISK = "/var/tmp"  # /tmp may be memory, where nothing is durable
PR_SET_CHILD_SUBREAPER = 36
MOST_LOAD = 2.0  # to begin a round under
PATIENCE_S, LOOK_S = 900.0, 5.0


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


def wait_for_load(most: float, say: Callable[[str], None]) -> float:
    """The load as soon as it is under `most`, or after `PATIENCE_S` as it is then.

    It is waited for asleep, so what our own processes left in it halves every 42 s. `say` is told
    of the wait, and of going on all the same.
    """
    waited_s = 0.0
    while (load := os.getloadavg()[0]) >= most:
        if waited_s >= PATIENCE_S:
            say(f"load {load:.2f} after {PATIENCE_S:.0f} s of waiting: measured all the same")
            break
        if not waited_s:
            say(f"load {load:.2f}: waiting until it is under {most:g}, {PATIENCE_S:.0f} s at most")
        time.sleep(LOOK_S)
        waited_s += LOOK_S
    return load


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(watch(sys.argv[2:])))
