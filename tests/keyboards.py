"""A terminal of the tests' own, with a command at it: what a person types, and what they see."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests import leagues

DEADLINE_S = 120.0


class Keyboard:
    """A command at a terminal of so many columns and rows. To be used as a context: in the end the
    command is gone.
    """

    def __init__(
        self,
        *words: object,
        cwd: Path,
        columns: int = 80,
        rows: int = 30,
        environment: Mapping[str, str] | None = None,
        program: Sequence[str] = leagues.PROGRAM,
    ) -> None:
        assert leagues.may_start_programs, "starts the program: mark it `whole`"
        self.fd, self.theirs = pty.openpty()
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, size)
        self.before = termios.tcgetattr(self.theirs)
        kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [*program, *map(str, words)],
            cwd=cwd, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
            start_new_session=True, env={**kept, "TERM": "xterm", **(environment or {})},
        )  # fmt: skip
        self.seen = ""  # all that was printed
        self._read = 0  # of that, what `until` has gone past

    def __enter__(self) -> "Keyboard":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.fd)
        os.close(self.theirs)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.fd, text.encode())

    def until(self, *texts: str) -> str:
        """Wait for one of some texts to be printed after those waited for before; return which."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            there = [(at, text) for text in texts if (at := self.seen.find(text, self._read)) >= 0]
            if there:
                at, text = min(there)
                self._read = at + len(text)
                return text
            over = self.process.poll() is not None
            if not self._more(0.0 if over else 0.2) and over:
                raise AssertionError(f"it ended without {texts}:\n{self.seen}")
            assert time.monotonic() < deadline, f"no {texts} in:\n{self.seen}"

    def end(self) -> int:
        """Wait until the command ends; return its exit code."""
        deadline = time.monotonic() + DEADLINE_S
        while self.process.poll() is None:
            self._more(0.05)
            assert time.monotonic() < deadline, f"it does not end:\n{self.seen}"
        while self._more(0.0):
            pass
        return self.process.returncode

    def modes(self) -> list[Any]:
        """Return the terminal's modes, as `before` has those it began with."""
        return termios.tcgetattr(self.theirs)

    def _more(self, wait_s: float) -> bool:
        """Read what was printed; return whether there was anything."""
        if not select.select([self.fd], [], [], wait_s)[0]:
            return False
        self.seen += os.read(self.fd, 1 << 16).decode("utf-8", "replace")
        return True
