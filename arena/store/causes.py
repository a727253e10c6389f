"""Groups a bot's faults by cause: one mistake may cost ten thousand games.

A fault costs a game. A failure of `end` costs none, and is reported all the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from arena.model import FailedEnds, Fault, FaultKind, Reason
from arena.reasons import file_of, in_a_line, line_of, published
from arena.store.logs import KeptFault, Logs
from arena.store.remedies import remedy
from arena.store.store import Store
from arena.words import amount

TEXTS = 10_000  # faults that are read of a bot, each kind's first among them
LIKE = " and the like"  # added where faults of one mistake differ

STRUCK_OUT = "its process was lost too often, so it forfeited the rest of these sessions"

Mistake = tuple[str, str, str]
"""Kind of fault, what went wrong, where."""


class Cause(NamedTuple):
    """Faults of a bot, or failures of its `end`, that have the same cause as far as is known."""

    kind: FaultKind | Literal["end"]
    what: str  # the first's in one line: `KeyError: 35 and the like`, `played 'PASS'; legal is ..`
    file: str  # the author's file it is in, if known; else the bot's
    where: str  # the first's innermost line of the bot's own: `line 8`; "" if unknown
    remedy: str  # in one line; "" if unknown
    times: int
    reason: Reason  # of the first
    first: KeptFault | None  # of the faults given; None for `end`

    @property
    def place(self) -> str:
        """The place in brackets, ` (thrifty.py line 8)`, or "" if unknown."""
        return f" ({self.file} {self.where})" if self.where else ""


class FaultyBot(NamedTuple):
    """A bot that forfeited games, did not load when it was last tried, or whose `end` failed."""

    bot: str
    kinds: Counter[FaultKind]  # its faults
    causes: list[Cause]  # most faults first; strikes after the others, `end` last


def find_faulty_bots(
    store: Store,
    bots: Collection[str] | None = None,
    beside: Collection[str] = frozenset(),
    past: bool = False,
    public: bool = False,
) -> Iterator[FaultyBot]:
    """Find the bots that forfeited games, most forfeits first, then those that do not load, and
    those whose `end` alone failed; only these `bots`, if given.

    `beside` names what lies in the league's folder, for the remedies. With `past`, games that are
    in no table any more count too. `public` tells no more than everybody may read.
    """
    logs = Logs(store, past)
    counts, loads, ends = logs.fault_counts(), logs.loads(), logs.ends()
    for name in dict.fromkeys([*counts, *loads, *ends]):
        if bots is None or name in bots:
            kept = logs.faults_of(name, TEXTS)[0] if name in counts else []
            failed, unloaded = ends.get(name, []), loads.get(name)
            if public:
                kept = [each._replace(fault=_publish(each.fault)) for each in kept]
                failed = [FailedEnds(each.times, published(each.reason)) for each in failed]
                unloaded = unloaded and published(unloaded)
            by_cause = group_by_cause(kept, logs.file_of(name), beside, failed, unloaded)
            yield FaultyBot(name, counts.get(name, Counter()), by_cause)


def _publish(fault: Fault) -> Fault:
    return fault._replace(reason=published(fault.reason))


def group_by_cause(
    faults: Iterable[KeptFault],
    file: str,
    beside: Collection[str] = frozenset(),
    ends: Iterable[FailedEnds] = (),
    unloaded: Reason | None = None,
) -> list[Cause]:
    """Group a bot's faults by cause: most faults first, equal ones in the order given. Strikes come
    after the others, as they follow from them, and failures of `end` last. That it is `unloaded` is
    a cause, even of no fault.

    `file` is the bot's, as its author calls it, and `beside` names what else lies in that folder.
    """
    groups: dict[tuple[Mistake, bool], list[tuple[Reason, int, KeptFault | None]]] = {}
    for fault in faults:
        reason = fault.fault.reason
        groups.setdefault((mistake_of(reason), False), []).append((reason, 1, fault))
    if unloaded:
        groups.setdefault((mistake_of(unloaded), False), []).append((unloaded, 0, None))
    for end in ends:
        groups.setdefault((mistake_of(end.reason), True), []).append((end.reason, end.times, None))
    found = []
    for (_, in_end), group in groups.items():
        reasons = [reason for reason, _, _ in group]
        (first, _, kept), words = group[0], [in_a_line(reason) for reason in reasons]
        if first.legal and len(set(words)) > 1:  # what is legal is left out
            words = [f"played {reason.played!r}" for reason in reasons]
        if first.kind == "strikes" and len(set(words)) > 1:  # they differ by their counts
            words = [STRUCK_OUT]
        found.append(
            Cause(
                kind="end" if in_end else first.kind,
                what=_alike(words),
                file=file_of(first, file),
                where=_alike([line_of(reason) for reason in reasons]),
                remedy=remedy(first, file, beside),
                times=sum(times for _, times, _ in group),
                reason=first,
                first=kept,
            )
        )
    last = {"strikes": 1, "end": 2}
    return sorted(found, key=lambda cause: (last.get(cause.kind, 0), -cause.times))


def _alike(texts: Sequence[str]) -> str:
    return texts[0] + (LIKE if len(set(texts)) > 1 else "")


def mistake_of(reason: Reason) -> Mistake:
    """The key under which reasons count as one mistake.

    A key, a number, a word and the legal decisions differ from game to game. So an exception raised
    at a known line is identified by its type and that line alone. Strikes are always one.
    """
    what, place = in_a_line(reason), reason.place
    if reason.kind == "time":
        return reason.kind, what, place.function if place else ""  # a loop has many lines
    if reason.legal or reason.kind == "strikes":
        what = ""
    elif place and reason.error:
        what = reason.error
    return reason.kind, what, f"{place.file} {place.line}" if place else ""


def describe_forfeits(kinds: Counter[FaultKind], causes: Iterable[Cause] = ()) -> str:
    """How many games a bot forfeited: `540 games forfeited, 520 of them by strikes`; `does not
    load`, if that is the cause of no forfeit; "" without any.
    """
    total, strikes = kinds.total(), kinds["strikes"]
    if not total:
        return "does not load" if any(cause.kind == "load" for cause in causes) else ""
    by_strikes = f", {strikes:,} of them by strikes" if 0 < strikes < total else ""
    return f"{amount(total, 'game')} forfeited{by_strikes}"


def describe_end_failures(causes: Iterable[Cause]) -> str:
    """How often `end` failed in all, `end failed in 40 games`, or "" if it did not."""
    times = sum(cause.times for cause in causes if cause.kind == "end")
    return f"end failed in {amount(times, 'game')}" if times else ""


def summarize_bot(bot: FaultyBot) -> list[str]:
    """A bot's first reason in a line and its remedy, if known, in another; then the same of `end`,
    if that failed.
    """
    lines: list[str] = []
    faults = [cause for cause in bot.causes if cause.kind != "end"]
    heads = [
        (cause, f"{describe_forfeits(bot.kinds, faults)}; {cause.kind}") for cause in faults[:1]
    ]
    ends = bot.causes[len(faults) :]
    heads += [(cause, describe_end_failures(ends)) for cause in ends[:1]]
    for first, summary in heads:
        lines.append(f"{bot.bot}: {summary}: {first.what}{first.place}")
        if first.remedy and first.remedy not in first.what:
            lines.append(f"    {first.remedy}")
    return lines
