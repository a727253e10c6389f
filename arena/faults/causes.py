"""Groups a bot's faults by cause: one mistake may cost ten thousand games.

A fault costs a game. A failure of `end` costs none, and is reported all the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from arena.faults.kinds import CauseKind, FaultKind
from arena.faults.reasons import UNTOLD, file_of, group_key, in_a_line, line_of, shorten
from arena.faults.remedies import remedy
from arena.model import FailedEnds, Fault, Reason
from arena.words import amount

LIKE = " and the like"  # added where faults of one mistake differ

TOO_MANY_RESTARTS = "its process was lost too often, so it forfeited the rest of these sessions"


class KeptFault(NamedTuple):
    """A fault as its author may see it."""

    game: str  # id
    fault: Fault


class Cause(NamedTuple):
    """Faults of a bot, or failures of its `end`, that have the same cause as far as is known."""

    kind: CauseKind
    message: str  # in one line: `KeyError: 35 and the like`, `played 'PASS'; legal is ..`
    file: str  # the author's file it is in, if known; else the bot's
    location: str  # the first's innermost line of the bot's own: `line 8`; "" if unknown
    remedy: str  # in one line; "" if unknown
    times: int
    reason: Reason  # of the first
    first: KeptFault | None  # of the faults given; None for `end`

    @property
    def place(self) -> str:
        """The place in brackets, ` (thrifty.py line 8)`, or "" if unknown."""
        return f" ({self.file} {self.location})" if self.location else ""


class FaultyBot(NamedTuple):
    """A bot that forfeited games, did not load when it was last tried, or whose `end` failed."""

    bot: str
    kinds: Counter[FaultKind]  # its faults
    causes: list[Cause]  # most faults first; restarts after the others, `end` last


def group_by_cause(
    faults: Iterable[KeptFault],
    file: str,
    beside: Collection[str] = frozenset(),
    ends: Iterable[FailedEnds] = (),
    others: Iterable[tuple[Reason, int]] = (),
) -> list[Cause]:
    """Group a bot's faults by cause: most faults first, equal ones in the order given. Restarts
    follow from the other faults and come after them; failures of `end` come last. `others` are
    reasons of so many more faults: of none, where the bot did not load when it was last tried.

    Faults known by their kind alone are counted to the most frequent cause of that kind.
    Where none is known, they come after causes that are.

    `file` is the bot's, as its author calls it, and `beside` names what else lies in that folder.
    """
    groups: dict[tuple[object, bool], list[tuple[Reason, int, KeptFault | None]]] = {}
    for fault in faults:
        reason = fault.fault.reason
        groups.setdefault((group_key(reason), False), []).append((reason, 1, fault))
    for reason, times in others:
        groups.setdefault((group_key(reason), False), []).append((reason, times, None))
    for end in ends:
        groups.setdefault((group_key(end.reason), True), []).append((end.reason, end.times, None))
    unsorted = []
    for (_, in_end), group in groups.items():
        (first, _, example), reasons = group[0], [reason for reason, _, _ in group]
        what, words = in_a_line(first), {(in_a_line(shorten(r)), r.legal) for r in reasons}
        if first.legal and len(words) > 1:  # what is legal is left out
            what, words = f"played {first.played!r}", {(r.played, ()) for r in reasons}
        if first.kind == "strikes" and len(words) > 1:  # they differ by their counts
            what, words = TOO_MANY_RESTARTS, set()
        unsorted.append(
            Cause(
                kind="end" if in_end else first.kind,
                message=what + LIKE * (len(words) > 1),
                file=file_of(first, file),
                location=line_of(first) + LIKE * (len({line_of(one) for one in reasons}) > 1),
                remedy=remedy(first, file, beside),
                times=sum(times for _, times, _ in group),
                reason=first,
                first=example,
            )
        )
    causes, more = list[Cause](), Counter[str]()
    for cause in sorted(unsorted, key=_rank):
        if cause.message == UNTOLD and any(one.kind == cause.kind for one in causes):
            more[cause.kind] += cause.times
        else:
            causes.append(cause)
    causes = [cause._replace(times=cause.times + more.pop(cause.kind, 0)) for cause in causes]
    return sorted(causes, key=_rank)


def _rank(cause: Cause) -> tuple[int, bool, int]:
    return {"strikes": 1, "end": 2}.get(cause.kind, 0), cause.message == UNTOLD, -cause.times


def describe_forfeits(kinds: Counter[FaultKind], causes: Iterable[Cause] = ()) -> str:
    """Count the games that a bot forfeited: `540 games forfeited, 520 of them as its process
    was lost`; `does not load`, if that is the cause of no forfeit; "" without any.
    """
    total, restarts = kinds.total(), kinds["strikes"]
    if not total:
        return "does not load" if any(cause.kind == "load" for cause in causes) else ""
    lost = f", {restarts:,} of them as its process was lost" if 0 < restarts < total else ""
    return f"{amount(total, 'game')} forfeited{lost}"


def describe_end_failures(causes: Iterable[Cause]) -> str:
    """Count the failures of `end` in all, `end failed in 40 games`, or "" if it did not."""
    times = sum(cause.times for cause in causes if cause.kind == "end")
    return f"end failed in {amount(times, 'game')}" if times else ""


def summarize_bot(bot: FaultyBot) -> list[str]:
    """A bot's first reason in a line and its remedy, if known, in another; then the same of `end`,
    if that failed.
    """
    lines: list[str] = []
    faults = [cause for cause in bot.causes if cause.kind != "end"]
    ends = bot.causes[len(faults) :]
    for first in (*faults[:1], *ends[:1]):
        forfeits = f"{describe_forfeits(bot.kinds, faults)}; {first.kind}"
        summary = describe_end_failures(ends) if first.kind == "end" else forfeits
        lines.append(f"{bot.bot}: {summary}: {first.message}{first.place}")
        if first.remedy and first.remedy not in first.message:
            lines.append(f"    {first.remedy}")
    return lines
