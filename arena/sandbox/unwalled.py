"""A bot's process without walls, from inside: `multiprocess` has started it.

`arena.process.spawned` is its other end.
"""

import os
import signal
import sys
import time
from typing import Any, NoReturn

from arena.sandbox import harness, wire
from arena.sandbox.randomness import Generators


class _Line:
    """The line (`harness.Line`) over multiprocess's, which takes whole messages. `shared` has two
    numbers: the question it is at, and the CPU time used up to the last answer, in ms.
    """

    confined = False

    def __init__(self, pipe: Any, shared: Any, output_bytes: int) -> None:
        self.word = memoryview(shared).cast("B").cast("I")
        self._pipe, self.output_bytes = pipe, output_bytes
        self._began_s = time.process_time()

    def receive(self) -> memoryview:
        try:
            return memoryview(self._pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)

    def send(self, message: object) -> None:
        self.word[1] = int((time.process_time() - self._began_s) * 1000)
        self._pipe.send_bytes(wire.frame(message)[wire.HEAD.size :])

    def end_loading(self) -> None:
        """Do nothing: nothing was closed to it."""


def run(pipe: Any, shared: Any, snapshot: str, output: str, output_bytes: int) -> NoReturn:
    """Load the bot whose snapshot is the folder `snapshot`, and serve until the parent hangs up.

    What is printed goes to the file `output`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows sends Ctrl-C to children too
    prints = os.open(output, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    for fd in (1, 2):
        os.dup2(prints, fd)
    sys.path[:] = [path for path in sys.path if path not in ("", os.getcwd())]
    os.chdir(os.path.abspath(os.sep))  # as behind the walls: a bot has no files around it
    sys.argv, sys.orig_argv = [snapshot], [snapshot]
    generators = Generators()
    generators.install()
    harness.main(snapshot, generators, _Line(pipe, shared, output_bytes))
