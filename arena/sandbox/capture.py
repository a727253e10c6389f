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


class Complaint(str):
    """A message about a bot that does not keep to the interface.

    `rule` names what it broke: `bot` where it defines none, `draws` in `decide_many`, `batch` for
    what that returns, `word` for what is none. What is to be done about it depends on `about`.
    """

    def __new__(cls, rule: str, words: str, about: str = "") -> "Complaint":
        complaint = super().__new__(cls, words)
        complaint.rule, complaint.about = rule, about
        return complaint

    rule: str
    about: str


def explain(question: int, kind: wire.FailureKind, error: BaseException) -> wire.Failure:
    """Describe an exception as a failure, its traceback from the bot's own first line on."""
    failure = wire.Failure(question, kind, error=type(error).__name__)
    with contextlib.suppress(BaseException):  # a hostile __str__ or __cause__
        failure = wire.cut(_locate_error(failure, error))
    return failure


def _locate_error(failure: wire.Failure, error: BaseException) -> wire.Failure:
    argument = error.args[0] if error.args else None
    if isinstance(argument, Complaint):
        failure = failure._replace(rule=argument.rule, about=argument.about)
        if argument.rule == "bot":  # it was not the bot that raised it
            return failure._replace(error="", message=str(argument))
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename.startswith(os.path.dirname(__file__)):
        frames = frames.tb_next
    trace = traceback.TracebackException(type(error), error, frames)
    name = type(error).__qualname__
    if type(error).__module__ not in ("builtins", "__main__"):
        name = f"{type(error).__module__}.{name}"
    lines = "".join(trace.format_exception_only()).splitlines()
    told = next((line for line in lines if line.startswith(name)), "")
    folder = os.path.join(sys.argv[0], "")  # the snapshot's, which is gone when this is read
    file, line, function, code = _innermost(trace, folder)
    return failure._replace(
        error=name,
        message=told.removeprefix(name).removeprefix(": "),
        file=file.removeprefix(folder).replace(os.sep, "/"),
        line=line,
        function=function,
        code=code.strip(),
        traceback="".join(trace.format()).replace(f'"{folder}', '"'),
    )


def _innermost(
    trace: traceback.TracebackException | None, folder: str
) -> tuple[str, int, str, str]:
    """The innermost line in the bot's own code: (file, line, function, code); the file is "" if
    there is none. An exception without such a line takes that of the one before it.
    """
    while trace is not None:
        file = getattr(trace, "filename", None) or ""  # which a syntax error alone has
        if file.startswith(folder):
            return file, int(trace.lineno or 0), "", trace.text or ""
        for frame in reversed(trace.stack):
            if frame.filename.startswith(folder):
                return frame.filename, frame.lineno or 0, frame.name, frame.line or ""
        trace = trace.__cause__ or trace.__context__
    return "", 0, "", ""


def plain(value: object) -> object:
    """Turn a str of another class, such as numpy's, into a plain str without running that class's
    code; any other value stays as it is.
    """
    if isinstance(value, str) and type(value) is not str:
        return str.__str__(value)
    return value


def is_word(value: object) -> TypeGuard[str]:
    """True if the value may be a decision at all: a short, plain str."""
    return type(value) is str and len(value) <= LONGEST and value.isascii()


def no_decision(question: int, value: object) -> wire.Failure:
    """Describe a value that is no decision as a failure."""
    shown, kind = "", type(value).__name__
    with contextlib.suppress(BaseException):  # a hostile __repr__
        shown = f" {value!r}"[:80]
    words = f"a decision is a str from view.legal; found {kind}{shown}"
    return wire.cut(wire.Failure(question, "illegal", words, rule="word", about=kind))


class Output(RawIOBase):
    """Standard output and error of a bot, captured line by line with the table asked about.

    An answer reports its first print: `failures` are those of the answer at hand. So the parent
    reads the output while it knows which game that is and how far it has come, and a bot that does
    not print pays nothing. Once the output is full, prints are dropped: no reason for a bot to
    fail.
    """

    def __init__(self, generators: Generators, most: int) -> None:
        self._left = most  # bytes that may be written; the system may set a limit of its own
        self.failures: list[wire.Failure] = []
        self._generators = generators
        self._told: list[wire.Failure] = []  # the failures of the answer that last told
        self._in_line = b""  # where a line was begun that has not ended
        self._full = False

    def writable(self) -> bool:
        """Always True, for io."""
        return True

    def write(self, data: Any) -> int:
        """Write as much as fits."""
        text, where = bytes(data), self._where()
        if not text or self._full:
            return len(text)
        goes_on = self._in_line == where and self._told is self.failures
        start = b"" if goes_on else b"\n" + where if self._in_line else where
        if self._told is not self.failures:
            self._told = self.failures
            self.failures.append(wire.Failure(-1, "printed"))
        body = text.removesuffix(b"\n")
        self._in_line = where if len(body) == len(text) else b""
        line = start + body.replace(b"\n", b"\n" + where) + text[len(body) :]
        try:
            written = os.write(1, line[: self._left])
            self._left -= written
            self._full = written < len(line)
        except OSError:
            self._full = True
        return len(text)

    def _where(self) -> bytes:
        table = self._generators.table
        if table is not None:
            return b"table %d: " % table
        return b"decide_many: " if self._generators.refusal else b"loading: "
