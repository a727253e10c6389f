"""The messages over a bot's two pipes: frames of a length and a MessagePack body.

Towards a bot: one `Hello`, then batches of questions. From a bot: one `Ready`, then an `Answer` to
each. Runs on both sides, so it imports nothing of arena. Every byte from a bot is untrusted: the
parent decodes it strictly typed, under a cap, and never with pickle.
"""

import struct
from typing import Any, Literal, NamedTuple

import msgspec

HEAD = struct.Struct("<I")  # length of the body in bytes

IN_FD, OUT_FD, WORD_FD = 3, 4, 5
"""The descriptors a bot's process starts with, beside 0 to 2."""

WHERE = 10  # SIGUSR1 of Linux, by number: this is read on systems without it, too
"""Has a bot's process write the lines that it is at to its output."""

OUT_OF_MEMORY = 86
"""Exit status of a bot's process that ran out of memory where it could not say so."""

TEXT_BYTES, FIELD_BYTES = 4096, 512
"""Limits of a failure's traceback, in UTF-8, whose end is kept, where it names the error, and of
its other texts, whose beginning is kept. An answer may have twice the former for a decision."""


class Hello(NamedTuple):
    """The game that is played in this process."""

    game: str
    options: dict[str, Any]  # as a record has them


class Begun(NamedTuple):
    """A game that has begun, and that this process will be asked about."""

    table: int
    seed: bytes  # of the game's own generator


class Over(NamedTuple):
    """A game this process will not be asked about again."""

    table: int
    result: dict[str, Any] | None  # None: the bot is not told


FailureKind = Literal["illegal", "error", "memory", "printed"]


class Failure(NamedTuple):
    """The reason for a missing decision; or, with `question` -1, a notice that this answer printed
    something, which the parent can place as long as it knows the questions.
    """

    # index in the batch; -n for n failures of `end`, of which this is the first; -1 for the word
    question: int
    kind: FailureKind
    # as of a `Reason` of `arena.model`, the place's fields one by one
    message: str = ""
    error: str = ""
    rule: str = ""
    about: str = ""
    file: str = ""  # "" where the place is not known
    line: int = 0
    function: str = ""
    code: str = ""
    traceback: str = ""


class Ready(NamedTuple):
    """The outcome of loading."""

    kind: str  # "decide", "Bot" or "decide_many"; "" if it failed
    wants_results: bool  # whether it has an `end`
    problem: Failure | None  # None if it did not fail


class Answer(NamedTuple):
    """One batch of decisions, shorter than asked only where the last is a failure of memory."""

    number: int
    decisions: list[str]  # "" where there is a failure
    failures: list[Failure]


def cut(failure: Failure) -> Failure:
    """Cut each text of a failure to its length; lone surrogates are escaped."""
    fields: dict[str, Any] = failure._asdict()
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    parts = {name: _part(text, slice(FIELD_BYTES)) for name, text in texts.items()}
    return failure._replace(**fields | parts | {"traceback": end_of(failure.traceback)})


def end_of(text: str) -> str:
    """The end of the text that is kept, lone surrogates escaped."""
    return _part(text, slice(-TEXT_BYTES, None))


def _part(text: str, part: slice) -> str:
    return text.encode("utf-8", "backslashreplace")[part].decode("utf-8", "ignore")


_encoder = msgspec.msgpack.Encoder()


def frame(message: object) -> bytearray:
    """Frame a message: its length and its MessagePack body."""
    data = bytearray(HEAD.size)
    _encoder.encode_into(message, data, HEAD.size)
    HEAD.pack_into(data, 0, len(data) - HEAD.size)
    return data
