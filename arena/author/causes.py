"""A bot's faults, grouped by what caused them: one mistake may cost ten thousand games. Pure."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from arena.league.remedies import function_in, line_in, own_file, remedy
from arena.model import FaultKind
from arena.store.logs import KeptFault

UNTOLD = "no text was kept"
LONGEST = 160  # characters of a cause
ERROR = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt)\b")
LIKE = " and the like"  # ends what differs from fault to fault of one mistake

Mistake = tuple[str, str, str]
"""Kind of fault, what went wrong, where."""


class Cause(NamedTuple):
    """Faults of a bot that have one cause, as far as their texts tell."""

    kind: FaultKind
    what: str  # the first's, in one line: `KeyError: 35 and the like`, `played 'PASS'; legal is ..`
    file: str  # the author's that it is in, as far as that is known; else the bot's
    where: str  # the innermost line of the bot's own, the first's: `line 8`; "" if unknown
    remedy: str  # in one line; "" where nobody knows
    times: int
    first: KeptFault  # of those given


def causes(
    faults: Iterable[KeptFault], file: str, beside: Collection[str] = frozenset()
) -> list[Cause]:
    """Return the causes of a bot's faults, that with most faults first, then as they came. Strikes
    come last: they follow from the others.

    `file` is the bot's, as its author calls it, and `beside` what else lies in that folder.
    """
    found: dict[Mistake, Cause] = {}
    for fault in faults:
        reason = fault.fault.reason
        told = what(reason.text)
        key = mistake(reason.kind, reason.text, told)
        known, where = found.get(key), line_in(reason.text)[0]
        if known is None:
            own, todo = own_file(file, reason.text), remedy(reason, file, beside)
            known = Cause(reason.kind, told, own, where, todo, 0, fault)
        if where != known.where.removesuffix(LIKE):
            known = known._replace(where=known.where.removesuffix(LIKE) + LIKE)
        found[key] = known._replace(times=known.times + 1, what=together(known.what, told))
    return sorted(found.values(), key=lambda cause: (cause.kind == "strikes", -cause.times))


def mistake(kind: str, text: str, told: str) -> Mistake:
    """Return what the texts of one mistake have in common; `told` is `what` of the text.

    A key, a number, a word and what was legal differ from game to game, so of an exception that was
    raised in a known line its type counts alone.
    """
    if kind == "time":
        return kind, told, function_in(text)  # a loop has many lines
    where = line_in(text)[0]
    if told.startswith("played "):
        return kind, "", where
    return kind, (ERROR.match(told) or [told])[0] if where else told, where


def together(told: str, other: str) -> str:
    """Return what went wrong in two faults of one mistake, as the first has it; of what was played,
    without what was legal, where that differs.
    """
    if other == told or told.endswith(LIKE):
        return told
    if told.startswith("played "):
        told, other = (each.partition("; ")[0] for each in (told, other))
    return told if other == told else f"{told}{LIKE}"


def what(text: str) -> str:
    """Return in one line what a fault's text says went wrong: the error of a traceback, or its
    first line, without what differs from game to game.
    """
    told = text.partition("\nIt was shown: ")[0].split("\n(A bot can do")[0]
    lines = [line for line in told.splitlines() if line.strip()]
    if not lines:
        return UNTOLD
    errors = [line for line in lines if ERROR.match(line)]
    line = errors[-1] if errors else lines[0].split("; it was at")[0]
    line = re.sub(r"^seat \d+ (played|answered)", "played", line.strip())
    line = line.removeprefix("LookupError: ")
    line = re.sub(r"0x[0-9a-f]+", "0x...", line)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
