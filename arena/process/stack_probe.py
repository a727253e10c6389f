"""Where a bot is that takes too long: the lines it is at, asked of its process before that ends.

The answer is the bot's own claim, for its author's eyes alone: clocks (`arena.process.clock`) have
already judged that it is over its time.
"""

import os
import re
import signal
import time

from arena.model import Place
from arena.process.clock import cpu_s
from arena.sandbox import wire

RUN_S = 0.005  # of CPU: a handler in C answers within microseconds of running
PATIENCE_S, LOOK_S = 0.25, 0.001  # by the clock: on a loaded machine it waits for a core first
FRAME = re.compile(rb'  File "([^"\n]{1,500})", line (\d{1,7}) in ([\w<>]{1,80})')
FRAMES = 3  # innermost, of the bot's own


def probe_stack(pid: int, pidfd: int, output: int, folder: str) -> tuple[tuple[Place, ...], int]:
    """Ask a process which lines of its own it is at, innermost first, none if it does not answer.
    Returned with them: how long its output was before it was asked.

    `folder` is its snapshot's. It is asked by the signal that `arena.sandbox.harness` answers, and
    has until it has run for `RUN_S`, and no longer than `PATIENCE_S`.
    """
    before = os.fstat(output).st_size
    try:
        signal.pidfd_send_signal(pidfd, wire.WHERE)
    except ProcessLookupError:  # it has just ended
        return (), before
    deadline, used_s, size, grown = time.monotonic() + PATIENCE_S, cpu_s(pid), -1, before
    while (
        time.monotonic() < deadline
        and cpu_s(pid) - used_s < RUN_S
        and (grown == before or grown != size)
    ):
        time.sleep(LOOK_S)
        size, grown = grown, os.fstat(output).st_size
    dump = os.pread(output, 1 << 16, before)
    inside = os.fsencode(folder) + b"/"
    places = [
        Place(file.removeprefix(inside).decode("utf-8", "replace"), int(line), name.decode())
        for file, line, name in FRAME.findall(dump)
        if file.startswith(inside)
    ]
    return tuple(places[:FRAMES]), before
