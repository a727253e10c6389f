"""Words for a bot's author: failures in the bot's own lines, and the bot's prints.

Runs in the bot's process. Nothing here is trusted: it is the bot's own claim.
"""

import contextlib
import os
import sys
import traceback
from io import RawIOBase
from typing import Any, TypeGuard

from arena.sandbox import wire
from arena.sandbox.randomness import Generators

LONGEST = 64  # characters of a decision; the games' are shorter than 10

WALLED = (
    "(A bot can do nothing but answer. Its files are read and its imports made at module level, "
    "while it loads; nothing else can be opened, read, written, started or connected to.)\n"
)


def explain(error: BaseException) -> str:
    """Return the error's traceback from the bot's own first line on."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename.startswith(os.path.dirname(__file__)):
        frames = frames.tb_next
    lines: list[str] = []
    with contextlib.suppress(BaseException):  # a hostile __str__ or __cause__
        lines = traceback.format_exception(type(error), error, frames)
    text = "".join(lines) or type(error).__name__
    if sys.argv:  # the snapshot's folder, which nobody will find again
        text = text.replace(f'"{sys.argv[0]}/', '"')
    if isinstance(error, PermissionError | ImportError):
        text += WALLED
    return wire.end_of(text, wire.TEXT_BYTES)


def plain(value: object) -> object:
    """Return the value; of what is a str of another class, such as numpy's, the str that it is.

    None of that class's own code is run.
    """
    if isinstance(value, str) and type(value) is not str:
        return str.__str__(value)
    return value


def is_word(value: object) -> TypeGuard[str]:
    """Return whether the value may be a decision at all: a short, plain str."""
    return type(value) is str and len(value) <= LONGEST and value.isascii()


def not_a_decision(value: object) -> str:
    """Return the complaint about a value that is no decision."""
    shown = ""
    with contextlib.suppress(BaseException):  # a hostile __repr__
        shown = f" {value!r}"[:80]
    complaint = f"a decision is a str out of view.legal; found {type(value).__name__}{shown}"
    return wire.end_of(complaint, wire.TEXT_BYTES)


class Output(RawIOBase):
    """Where prints go: the captured output, each line with the table that was asked about.

    The first print in an answer is told in it: `failures` are those of the answer at hand. So the
    parent reads it while it knows which game that is and how far it has come, and who does not
    print pays nothing. Once the output is full prints go nowhere: no reason for a bot to fail.
    """

    def __init__(self, generators: Generators) -> None:
        self.failures: list[wire.Failure] = []
        self._generators = generators
        self._told: list[wire.Failure] = []  # the failures of the answer that last told
        self._in_line = b""  # where a line was begun that has not ended
        self._full = False

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Write what fits."""
        text, where = bytes(data), self._where()
        if not text or self._full:
            return len(text)
        goes_on = self._in_line == where and self._told is self.failures
        start = b"" if goes_on else b"\n" + where if self._in_line else where
        if self._told is not self.failures:
            self._told = self.failures
            self.failures.append(wire.Failure(-1, "printed", ""))
        body = text.removesuffix(b"\n")
        self._in_line = where if len(body) == len(text) else b""
        line = start + body.replace(b"\n", b"\n" + where) + text[len(body) :]
        try:
            self._full = os.write(1, line) < len(line)
        except OSError:
            self._full = True
        return len(text)

    def _where(self) -> bytes:
        table = self._generators.table
        if table is not None:
            return b"table %d: " % table
        return b"decide_many: " if self._generators.refusal else b"loading: "
