"""The bots of a results folder that something went wrong in, and what: what an author looks for
first. A fault costs a game; a failure of `end` costs none, and is told all the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from arena.author.causes import Cause, Mistake, causes, mistake, together, what
from arena.league.remedies import line_in, own_file, remedy
from arena.model import FaultKind, Reason
from arena.session.ends import failed_ends
from arena.store import logs
from arena.store.store import Store
from arena.words import amount

TEXTS = 10_000  # of a bot's faults that are read: each kind's first are among them


class EndCause(NamedTuple):
    """Failures of a bot's `end` that have one cause."""

    what: str  # in one line
    file: str  # as of a `Cause`
    where: str  # the innermost line of the bot's own: `line 8`; "" if nobody knows
    remedy: str  # in one line; "" where nobody knows
    times: int


class Faulty(NamedTuple):
    """A bot that forfeited games, or whose `end` failed."""

    bot: str
    faults: int
    strikes: int  # of these: games lost because its process had been lost too often
    causes: list[Cause]  # that with most faults first; strikes last
    ends: list[EndCause]  # that with most failures first


def faulty(
    store: Store,
    bots: Collection[str] | None = None,
    beside: Collection[str] = frozenset(),
    past: bool = False,
) -> Iterator[Faulty]:
    """Yield the bots that forfeited games, most first, then those whose `end` alone failed; only
    these `bots`, if given.

    `beside` names what lies in the league's folder, for the remedies; with `past`, games count that
    are in no table any more.
    """
    kept_of = logs.Logs(store, past)
    counts, notes = kept_of.fault_counts(), kept_of.notes()
    for name in [*counts, *(name for name in notes if name not in counts)]:
        if bots is not None and name not in bots:
            continue
        file = kept_of.file_of(name)
        kept = kept_of.faults_of(name, TEXTS)[0] if name in counts else []
        ends = end_causes(notes.get(name, ()), file, beside)
        if kept or ends:
            kinds = counts.get(name, Counter())
            by_cause = causes(kept, file, beside)
            yield Faulty(name, kinds.total(), kinds["strikes"], by_cause, ends)


def end_causes(
    notes: Iterable[str], file: str, beside: Collection[str] = frozenset()
) -> list[EndCause]:
    """Return the causes of failures of `end` that a bot's notes tell of, the most first."""
    found: dict[Mistake, EndCause] = {}
    for note in notes:
        failed = failed_ends(note)
        if failed is None:
            continue
        kind: FaultKind = "time" if failed.text.startswith("over the time limit") else "error"
        told = what(failed.text)
        key = mistake(kind, failed.text, told)
        known = found.get(key)
        if known is None:
            where = line_in(failed.text)[0]
            own, todo = own_file(file, failed.text), remedy(Reason(kind, failed.text), file, beside)
            known = EndCause(told, own, where, todo, 0)
        times = known.times + failed.times
        found[key] = known._replace(times=times, what=together(known.what, told))
    return sorted(found.values(), key=lambda cause: -cause.times)


def forfeits_in_words(each: Faulty) -> str:
    """Return how many games a bot forfeited: `540 games forfeit, of these 520 by strikes`."""
    by_strikes = f", of these {each.strikes:,} by strikes" if each.strikes < each.faults else ""
    return f"{amount(each.faults, 'game')} forfeit{by_strikes if each.strikes else ''}"


def ends_in_words(ends: Iterable[EndCause]) -> str:
    """Return how often `end` failed in all: `end failed in 40 games`."""
    return f"end failed in {amount(sum(cause.times for cause in ends), 'game')}"


def place(cause: Cause | EndCause) -> str:
    """Return where a cause is, in brackets: ` (thrifty.py line 8)`; or ""."""
    return f" ({cause.file} {cause.where})" if cause.where else ""


def in_short(each: Faulty) -> list[str]:
    """Return a bot's first reason in a line, and what to do in another where it is known; then the
    same of its `end`, if that failed.
    """
    lines: list[str] = []
    heads: list[tuple[Cause | EndCause, str]] = [
        (cause, f"{forfeits_in_words(each)}; {cause.kind}") for cause in each.causes[:1]
    ]
    heads += [(cause, ends_in_words(each.ends)) for cause in each.ends[:1]]
    for first, told in heads:
        lines.append(f"{each.bot}: {told}: {first.what}{place(first)}")
        if first.remedy and first.remedy not in first.what:
            lines.append(f"    {first.remedy}")
    return lines
