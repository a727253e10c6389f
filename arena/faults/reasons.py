"""A reason in words: all that people read of why a bot failed is made here, of the reason's fields.

The words of the bot's own process are among them. To be shown, they have to be made harmless
(`arena.words.visible`).
"""

import builtins
import re
from collections.abc import Sequence

from msgspec.structs import replace

from arena.faults.kinds import KINDS
from arena.model import Place, Reason

UNTOLD = "no text was kept"
HEAD = "Traceback (most recent call last):\n"
LONGEST = 160  # characters of a line
MAIN = "bot.py"  # as bots' processes name every bot's main file
MOST_LINES = 10_000  # of a file whose lines are published
SHORT = 64  # bytes of what is told in short
OF_ITS_OWN = "an exception that the bot defines"
WALLED_ERRORS = frozenset({"PermissionError", "ImportError", "ModuleNotFoundError"})
WALLED = (
    "(A bot cannot write files, start programs or connect to anything. It reads its files and "
    "imports modules at the top of the file, while it loads.)"
)

UNLOADED = {"bot": "no bot is defined", "memory": "out of memory"}
"""Public words for some bots that do not load: their processes may say more, or anything."""

PYTHONS_OWN = frozenset(
    """\
division by zero|float division by zero|integer modulo by zero|integer division or modulo by zero
list index out of range|tuple index out of range|string index out of range|pop from empty list
list.remove(x): x not in list|Cannot choose from an empty sequence|max() arg is an empty sequence
min() arg is an empty sequence|expected ':'|invalid syntax|unexpected indent|'(' was never closed
'[' was never closed""".replace("\n", "|").split("|")
)
"""Messages of exceptions in which nothing is the bot's."""

Mistake = tuple[str, str, str]
"""Kind of fault, what went wrong, where."""


def wrong_word(word: str, what: str, legal: Sequence[str]) -> Reason:
    """The reason why a word is no decision, in play and in authors' tools; `what` describes it."""
    return Reason("illegal", what, played=word, legal=tuple(legal))


def publish(reason: Reason) -> Reason:
    """The part of a reason that everybody may read: kind, exception, line, and what arena or Python
    alone worded. No view, no traceback, and no text or name that the bot could choose: it might
    tell what it was shown.
    """
    known = getattr(builtins, reason.error, None)
    error = reason.error if isinstance(known, type) and issubclass(known, BaseException) else ""
    if reason.played:
        what = "played no legal decision"
    elif reason.error:
        what = reason.message if reason.message in PYTHONS_OWN else "" if error else OF_ITS_OWN
    else:
        worded = UNLOADED.get(reason.rule or reason.how or "", "")
        is_public = KINDS[reason.how or reason.kind].is_public and not reason.legal
        what = reason.message if is_public else worded
    about = reason.about if reason.rule == "word" and hasattr(builtins, reason.about) else ""
    places = tuple(at for at in reason.places[:1] if at.file == MAIN and at.line < MOST_LINES)
    public = replace(reason, message=what, error=error, about=about, places=places)
    return replace(public, played="", legal=(), view="", traceback="")


def shorten(reason: Reason) -> Reason:
    """Cut a reason where all of it is too much to keep: enough is left to tell the same mistake."""
    what = reason.message.encode()[:SHORT].decode("utf-8", "ignore")
    error, places = reason.error[:SHORT], tuple(replace(at, code="") for at in reason.places[:1])
    short = replace(reason, message=what, error=error, places=places)
    return replace(short, legal=(), phase="", view="", traceback="")


def group_key(reason: Reason) -> Mistake:
    """The key under which reasons count as one mistake.

    A key, a number, a word and the legal decisions differ from game to game. So an exception is
    identified by its type and line alone, and what is no word by its type. Faults of some kinds are
    always one.
    """
    short, place = shorten(reason), reason.place
    what = short.error or in_a_line(short)
    if reason.kind == "time":  # a loop has many lines, and each batch its own limit
        return reason.kind, re.sub("[0-9]+", "N", what), place.function if place else ""
    if reason.rule == "word":
        what = f"{reason.rule} {reason.about}"
    elif reason.message and not reason.rule and KINDS[reason.kind].one_cause:
        what = ""
    return reason.kind, what, f"{place.file} {place.line}" if place else ""


def in_a_line(reason: Reason) -> str:
    """Name the error, without addresses in memory, which differ from game to game."""
    line = re.sub(r"0x[0-9a-f]+", "0x...", _exception_of(reason)) or UNTOLD
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def in_short(reason: Reason, file: str) -> str:
    """Name the exception or error and its place: `SyntaxError, ann.py line 1`."""
    what = reason.error.rpartition(".")[2] or in_a_line(reason)
    line = line_of(reason)
    return f"{what}, {file_of(reason, file)} {line}" if line else what


def in_full(reason: Reason, file: str | None = None, seat: int | None = None) -> str:
    """All that is known but the view; "" if nothing was kept. `file` is the bot's, as its author
    calls it (None: files are named as in the bot's folder); the `seat` is named where it played a
    wrong word.
    """
    text = traceback_of(reason) or _exception_of(reason)
    if reason.played and seat is not None:
        text = f"seat {seat} {text}"
    if reason.places and not reason.traceback:
        text = "\n".join([f"{text}; it was here", *map(_at, reason.places)])
    if reason.error in WALLED_ERRORS:
        text = f"{text}\n{WALLED}"
    if file is None:
        return text
    return re.sub(r'File "(?![/<])([^"\n]*)"', lambda at: f'File "{name_file(file, at[1])}"', text)


def with_view(reason: Reason, file: str | None = None, seat: int | None = None) -> str:
    """All that is known, as `in_full`, and the view that it failed at."""
    text = in_full(reason, file, seat)
    return f"{text}\nIt was shown: {reason.view}" if reason.view else text


def without_ends(reason: Reason) -> str:
    """Shorten a traceback to the form that is kept: without its first line and its last, which are
    known, unless it has others. It ends in a line end then, and nothing else does.
    """
    text, raised = reason.traceback.rstrip(), _exception_of(reason)
    if text.startswith(HEAD) and text.endswith(f"\n{raised}"):
        return text[len(HEAD) : len(text) - len(raised)]
    return text


def traceback_of(reason: Reason) -> str:
    """A reason's traceback with all its lines."""
    text = reason.traceback
    return f"{HEAD}{text}{_exception_of(reason)}" if text.endswith("\n") else text


def name_file(file: str, inside: str) -> str:
    """The author's name of a file, given as a path in the bot's folder; `file` is the bot's own."""
    folder, slash, _ = file.rpartition("/")
    return f"{folder}/{inside}" if slash else file


def file_of(reason: Reason, file: str) -> str:
    """The author's file that it is in; `file`, the bot's own, where it is not known."""
    return name_file(file, reason.place.file) if reason.place else file


def line_of(reason: Reason) -> str:
    """The line that it is in: `line 8`; "" if it is not known."""
    return f"line {reason.place.line}" if reason.place else ""


def _exception_of(reason: Reason) -> str:
    return ": ".join(part for part in (reason.error, reason.message) if part)


def _at(place: Place) -> str:
    return f'  File "{place.file}", line {place.line}, in {place.function}'
