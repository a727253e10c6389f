"""A reason in words: all that people read of why a bot failed is made here, of the reason's fields.

The words of the bot's own process are among them. To be shown, they have to be made harmless
(`arena.words.visible`).
"""

import re

from msgspec.structs import replace

from arena.model import Place, Reason

UNTOLD = "no text was kept"
HEAD = "Traceback (most recent call last):\n"
LONGEST = 160  # characters of a line
SHORT = 12  # characters of a decision that is published
WALLED_ERRORS = frozenset({"PermissionError", "ImportError", "ModuleNotFoundError"})
WALLED = (
    "(A bot can only answer. Read its files and import modules at the top "
    "of the file, while it loads. It cannot open, write, start or connect "
    "to anything else.)"
)

OF_ARENA = frozenset({"load", "time", "crash", "forbidden", "strikes"})
"""What arena alone finds and words, where no exception was raised."""

MESSAGES = """\
division by zero|float division by zero|integer modulo by zero|integer division or modulo by zero
list index out of range|tuple index out of range|string index out of range|pop from empty list
list.remove(x): x not in list|list indices must be integers or slices, not *
tuple indices must be integers or slices, not *|Cannot choose from an empty sequence
*() arg is an empty sequence|*() iterable argument is empty|object of type '*' has no len()
'*' object has no attribute '*'|'*' object is not *|name '*' is not defined|No module named '*'
cannot access local variable '*' where it is not associated with a value
unsupported operand type(s) for +: '*' and '*'|unsupported operand type(s) for -: '*' and '*'
'<' not supported between instances of '*' and '*'|can only concatenate * (not "*") to *
*() takes * positional argument but * were given|*() takes * positional arguments but * was given
*() takes * positional arguments but * were given|*() missing * required positional argument: '*'
not enough values to unpack (expected *, got *)|too many values to unpack (expected *)
expected ':'|invalid syntax|unexpected indent|'(' was never closed|'[' was never closed"""
PYTHONS_OWN = re.compile(
    "|".join(map(re.escape, re.split(r"[|\n]", MESSAGES))).replace(r"\*", r"[\w.]{1,40}"), re.ASCII
)
"""Messages of Python that name types and identifiers alone."""


def published(reason: Reason) -> Reason:
    """As much of a reason as everybody may read: kind, exception, line, and what arena or Python
    alone worded. No view and no traceback, and no text that the bot could choose at length.
    """
    error = reason.error if re.fullmatch(r"[\w.]{1,60}", reason.error, re.ASCII) else ""
    word = reason.played if reason.played.isalnum() and len(reason.played) <= SHORT else ""
    if reason.played:
        what = f"played {word!r}" if word else "played no legal decision"
    elif reason.error:
        what = reason.what if error and PYTHONS_OWN.fullmatch(reason.what) else ""
    else:
        what = reason.what if (reason.how or reason.kind) in OF_ARENA else ""
    about = reason.about if reason.rule == "word" and reason.about.isidentifier() else ""
    places = tuple(at for at in reason.places[:1] if re.fullmatch(r"[\w./-]{1,60}", at.file))
    return replace(
        reason,
        what=what,
        error=error,
        about=about,
        places=places,
        played=word,
        legal=reason.legal if word else (),
        shown="",
        text="",
    )


def in_a_line(reason: Reason) -> str:
    """What went wrong, without addresses in memory, which differ from game to game."""
    line = re.sub(r"0x[0-9a-f]+", "0x...", _raised(reason)) or UNTOLD
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def in_full(reason: Reason, file: str | None = None, seat: int | None = None) -> str:
    """All that is known but the view; "" if nothing was kept. `file` is the bot's, as its author
    calls it (None: files are named as in the bot's folder); the `seat` is named where it played a
    wrong word.
    """
    text = traceback_of(reason) or _raised(reason)
    if reason.played and seat is not None:
        text = f"seat {seat} {text}"
    if reason.places and not reason.text:
        text = "\n".join([f"{text}; it was here", *map(_at, reason.places)])
    if reason.error in WALLED_ERRORS:
        text = f"{text}\n{WALLED}"
    if file is None:
        return text
    return re.sub(r'File "(?![/<])([^"\n]*)"', lambda at: f'File "{called(file, at[1])}"', text)


def with_view(reason: Reason, file: str | None = None, seat: int | None = None) -> str:
    """All that is known, as `in_full`, and the view that it failed at."""
    text = in_full(reason, file, seat)
    return f"{text}\nIt was shown: {reason.shown}" if reason.shown else text


def without_ends(reason: Reason) -> str:
    """Shorten a traceback to the form that is kept: without its first line and its last, which are
    known, unless it has others. It ends in a line end then, and nothing else does.
    """
    text, raised = reason.text.rstrip(), _raised(reason)
    if text.startswith(HEAD) and text.endswith(f"\n{raised}"):
        return text[len(HEAD) : len(text) - len(raised)]
    return text


def traceback_of(reason: Reason) -> str:
    """A reason's traceback with all its lines."""
    text = reason.text
    return f"{HEAD}{text}{_raised(reason)}" if text.endswith("\n") else text


def called(file: str, inside: str) -> str:
    """The author's name of a file, given as a path in the bot's folder; `file` is the bot's own."""
    folder, slash, _ = file.rpartition("/")
    return f"{folder}/{inside}" if slash else file


def file_of(reason: Reason, file: str) -> str:
    """The author's file that it is in; `file`, the bot's own, where it is not known."""
    return called(file, reason.place.file) if reason.place else file


def line_of(reason: Reason) -> str:
    """The line that it is in: `line 8`; "" if it is not known."""
    return f"line {reason.place.line}" if reason.place else ""


def _raised(reason: Reason) -> str:
    return ": ".join(part for part in (reason.error, reason.what) if part)


def _at(place: Place) -> str:
    return f'  File "{place.file}", line {place.line}, in {place.function}'
