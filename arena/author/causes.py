"""A bot's faults, grouped by what caused them: one mistake may cost ten thousand games. Pure."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from arena.league.remedies import function_in, line_in, remedy
from arena.model import FaultKind
from arena.store.logs import KeptFault

UNTOLD = "no text was kept"
LONGEST = 160  # characters of a cause


class Cause(NamedTuple):
    """Faults of a bot that have one cause, as far as their texts tell."""

    kind: FaultKind
    what: str  # in one line: `KeyError: 'card'`, `played 'PASS'; legal is pass or take`
    where: str  # the innermost line of the bot's own: `line 8`; "" if nobody knows
    remedy: str  # in one line; "" where nobody knows
    times: int
    first: KeptFault  # of those given


def causes(
    faults: Iterable[KeptFault], file: str, beside: Collection[str] = frozenset()
) -> list[Cause]:
    """Return the causes of a bot's faults, that with most faults first, then as they came.

    `file` is the bot's, as its author calls it, and `beside` what else lies in that folder.
    """
    found: dict[tuple[str, str, str], Cause] = {}
    for fault in faults:
        reason = fault.fault.reason
        told, where = what(reason.text), line_in(reason.text)[0]
        # which word and what was legal differ from game to game, and the mistake does not
        at = function_in(reason.text) if reason.kind == "time" else where  # a loop has many lines
        key = (reason.kind, "" if told.startswith("played ") else told, at)
        known = found.get(key)
        if known is None:
            known = Cause(reason.kind, told, where, remedy(reason, file, beside), 0, fault)
        found[key] = known._replace(times=known.times + 1)
    return sorted(found.values(), key=lambda cause: -cause.times)


def what(text: str) -> str:
    """Return in one line what a fault's text says went wrong: the error of a traceback, or its
    first line, without what differs from game to game.
    """
    told = text.partition("\nIt was shown: ")[0].split("\n(A bot can do")[0]
    lines = [line for line in told.splitlines() if line.strip()]
    if not lines:
        return UNTOLD
    errors = [
        line
        for line in lines
        if re.match(r"[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt)\b", line)
    ]
    line = errors[-1] if errors else lines[0].split("; it was at")[0]
    line = re.sub(r"^seat \d+ played", "played", line.strip()).removeprefix("LookupError: ")
    line = re.sub(r"0x[0-9a-f]+", "0x...", line)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
