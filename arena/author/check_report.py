"""The report of a check: what `arena check --json` prints, and the same in words. Pure.

`Checked` has the types of all keys of the JSON, in their order; `arena schema check` describes
them. A key that is renamed or changes its meaning needs a new `VERSION`. `format_report` makes of
it a page for the bot's author, as wide as the terminal.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from tabulate import tabulate

from arena.model import FaultKind
from arena.tables import OpenInterval
from arena.typed_json import Count, Number, means
from arena.words import amount, duration, interval

VERSION: Final = 2

BotKind = Literal["", "decide", "Bot", "decide_many"]
Amount = Annotated[float, Meta(ge=0)]


class Load(Struct, frozen=True, kw_only=True):
    """What it took to load the bot, once and alone."""

    kind: Annotated[BotKind, means("What it defines; empty if it cannot be loaded.")]
    cpu_ms: Annotated[Amount, means("CPU time.")]
    cpu_limit_ms: Annotated[Number, means("What it may take.")]
    memory_mib: Annotated[
        Amount | None, means("Memory beside what all bots begin with; null where it is unknown.")
    ]
    memory_limit_mib: Annotated[Number, means("What it may have, loading and playing.")]


class Shown(Struct, frozen=True, kw_only=True):
    """A question that the bot was asked."""

    game: str
    view: Annotated[dict[str, Any], means("The view's fields, in their order.")]
    legal: Annotated[tuple[str, ...], means("The legal decisions, in the view's order.")]


class CheckFault(Struct, frozen=True, kw_only=True):
    """A mistake of the bot, however often it made it."""

    kind: Annotated[FaultKind | Literal["end"], means("Of fault; end: in `end`, costs no game.")]
    times: Annotated[Number, means("Games that it cost; of `end`, how often it was seen.")]
    what: Annotated[str, means("The error in one line.")]
    file: Annotated[str | None, means("The author's file it is in; null where it is unknown.")]
    line: Annotated[Number | None, means("The line there; null where it is unknown.")]
    code: Annotated[str | None, means("What stands there; null where it is unknown.")]
    remedy: Annotated[str | None, means("What to do about it; null where it is unknown.")]
    pool: Annotated[str | None, means("Where it was seen first: the pool's title; null: loading.")]
    shown: Annotated[Shown | None, means("What it was asked then; null if nothing.")]
    text: Annotated[str, means("All that is known: a traceback, a limit.")]


class PoolPlayed(Struct, frozen=True, kw_only=True):
    """A pool: one game with one number of players."""

    title: str
    game: str
    players: Annotated[Number, means("Seats.")]
    games: Annotated[Count, means("Games played; each also counts where the bot forfeited it.")]
    decisions: Annotated[Count, means("Decisions of the bot that were measured.")]
    forfeits: Annotated[Count, means("Seats that the bot forfeited.")]


class Cost(Struct, frozen=True, kw_only=True):
    """CPU time a decision, where the bot is asked one question at a time."""

    game: str
    phase: Annotated[str, means("The view's.")]
    decisions: Number
    median_ms: Amount
    p99_ms: Annotated[Amount, means("99 of 100 decisions took no longer.")]
    worst_ms: Amount


class Differed(Struct, frozen=True, kw_only=True):
    """The first decision that differed when the same games were played again."""

    pool: str
    decision: Annotated[Number, means("Which one of that game, from 1.")]
    first: Annotated[str, means("What it played the first time; empty: no decision.")]
    second: Annotated[str, means("What it played the second time; empty: no decision.")]
    shown: Shown


class Repeats(Struct, frozen=True, kw_only=True):
    """Whether the same seeds give the same decisions."""

    games: Annotated[Count, means("Games that were played twice and say something.")]
    alike: Annotated[bool | None, means("Null where no game says anything.")]
    different: Annotated[Count, means("Games that went another way.")]
    differed: Differed | None


class Prints(Struct, frozen=True, kw_only=True):
    """What the bot printed."""

    lines: Count
    first: Annotated[tuple[str, ...], means("The first lines of them.")]


class Stands(Struct, frozen=True, kw_only=True):
    """Where the bot would stand among the house bots, by the games of this check."""

    game: Annotated[str | None, means("Null: over all games.")]
    place: Number
    of: Annotated[Number, means("Bots, this one among them.")]
    places: Annotated[
        tuple[Number, Number] | None,
        means("First and last place it may have, with 95 %; null on too few games."),
    ]
    mu: Annotated[float, means("Its rating; the mean is 25.")]
    interval: Annotated[
        OpenInterval | None,
        means("Both ends of its 95 % interval; null on too few games, an end where it is open."),
    ]


class Checked(Struct, frozen=True, kw_only=True):
    """What a check found out about a bot."""

    version: Annotated[Literal[2], means("Of this format.")]
    bot: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]
    sound: Annotated[bool, means("Whether nothing is wrong with it.")]
    twins: Annotated[
        tuple[str, ...],
        means("Bots beside it of the same name, such as a folder: a tournament takes one at most."),
    ]
    whole: Annotated[bool, means("False where --first ended the check at the first fault.")]
    seconds: Annotated[Amount, means("What the check took.")]
    load: Load
    pools: Annotated[tuple[PoolPlayed, ...], means("In the order of play.")]
    faults: Annotated[tuple[CheckFault, ...], means("The one that cost most games first.")]
    cpu: Annotated[tuple[Cost, ...], means("By game and phase.")]
    cpu_limit_ms: Annotated[Number, means("What a decision may take.")]
    memory_mib: Annotated[Amount, means("The most that it had while it played.")]
    game_s: Annotated[
        Amount | None,
        means("By the clock, how long a game waits for its decisions; null where none was played."),
    ]
    slower: Annotated[
        Amount | None, means("How many times as long a game takes with it as among house bots.")
    ]
    repeats: Annotated[Repeats | None, means("Null where it was not tried.")]
    prints: Prints
    stands: Annotated[tuple[Stands, ...], means("Overall first, then by game.")]
    not_placed: Annotated[str | None, means("Why `stands` is empty; null where it is not.")]


COLUMN = 10  # width of a line's heading
LEGAL = 12  # most legal decisions shown
VIEW_LINES = 6
SLOW = 10
"""Times as long as games among house bots: an organiser would want to know."""


def describe_fault(fault: CheckFault) -> str:
    """A mistake in one line."""
    where = "" if fault.file is None else f" ({fault.file} line {fault.line})"
    return f"{fault.kind}: {fault.what}{where}"


def format_report(checked: Checked, width: int) -> list[str]:
    """The lines of the page; the verdict comes last."""
    parts = [
        [*_load(checked, width), *_games(checked, width), *_time(checked, width)],
        *([*_fault(fault, width)] for fault in checked.faults),
        [*_costs(checked)],
        [*_repeats(checked, width), *_prints(checked, width)],
        [*_stands(checked, width)],
        wrap(verdict(checked), width),
    ]
    return [line for part in parts if part for line in ("", *part)][1:]


def format_summary(checked: Checked, width: int) -> list[str]:
    """The verdict, then each mistake and its remedy."""
    faults = (line for fault in checked.faults for line in _fault_in_short(fault, width))
    return [*wrap(verdict(checked), width), *faults]


def verdict(checked: Checked) -> str:
    """Whether the bot is sound, and if not why, in one line."""
    games = amount(sum(pool.games for pool in checked.pools), "game")
    wrong = []
    if checked.load.kind == "":
        wrong.append("it cannot be loaded")
    elif lost := sum(pool.forfeits for pool in checked.pools):
        wrong.append(f"it forfeits {lost:,} of {games}")
    if any(fault.kind == "end" for fault in checked.faults):
        wrong.append("its `end` fails")
    if checked.repeats and checked.repeats.alike is False:
        wrong.append("it does not repeat itself")
    if checked.twins:
        twins = " and ".join(checked.twins)
        wrong.append(f"{twins} beside it has its name, and a tournament takes one: rename one")
    if not checked.whole:
        wrong.append("the check ended at the first fault")
    took = f"{checked.seconds:.0f} s"
    if wrong:
        return f"{checked.bot} is not sound: {'; '.join(wrong)} ({took})"
    slow = ""
    if checked.slower is not None and checked.slower >= SLOW:
        slow = f", but makes its games {checked.slower:,.0f} times as long"
    return f"{checked.bot} is sound{slow} ({games}, {took})"


def _part(head: str, text: str, width: int) -> list[str]:
    """A paragraph that begins with its heading in a column of its own."""
    return _wrapped(text, width, f"{head:<{COLUMN}}", " " * COLUMN)


def _hung(text: str, width: int, indent: int) -> list[str]:
    return _wrapped(text, width, " " * indent, " " * (indent + 2))


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _load(checked: Checked, width: int) -> list[str]:
    load, most = checked.load, checked.memory_mib
    memory = "" if load.memory_mib is None else f" and {_mib(load.memory_mib)} of memory"
    limits = f"; it may take {load.cpu_limit_ms:,} ms and {load.memory_limit_mib} MiB"
    used = f"{load.cpu_ms:,.0f} ms of CPU time{memory}{limits}"
    if not load.kind:
        return _part("load", f"failed after {used}", width)
    playing = f"; {_mib(most)} at most while it played" if most >= 1 else ""
    return _part("load", f"{used}{playing}", width)


def _mib(amount: float) -> str:
    return f"{amount:,.0f} MiB" if amount >= 1 else "under 1 MiB"


def _games(checked: Checked, width: int) -> list[str]:
    if not checked.pools:
        return []
    by_game: dict[str, list[str]] = {}
    for pool in checked.pools:
        by_game.setdefault(pool.game, []).append(f"{pool.title.split()[1]} {pool.games}")
    total = sum(pool.games for pool in checked.pools)
    listed = "; ".join(f"{game} {', '.join(pools)}" for game, pools in sorted(by_game.items()))
    return _part("games", f"{total:,} against house bots: {listed}", width)


def _time(checked: Checked, width: int) -> list[str]:
    if checked.game_s is None or checked.slower is None:
        return []
    text = f"1,000 games wait {duration(1000 * checked.game_s)} for its decisions"
    if checked.slower >= SLOW:
        text += f"; with it a game takes {checked.slower:,.0f} times as long as among house bots"
        if not checked.faults and _sleeps(checked, checked.game_s):
            text += (
                ". Most of that it does not compute: does it sleep? A tournament asks many games "
                "at once, and who sleeps longer than one decision may take forfeits"
            )
    return _part("time", text, width)


def _sleeps(checked: Checked, game_s: float) -> bool:
    """Whether a bot computes for less than half of the time that it takes."""
    decisions = sum(cost.decisions for cost in checked.cpu)
    computed_ms = sum(cost.median_ms * cost.decisions for cost in checked.cpu) / decisions
    a_game = sum(pool.decisions / pool.games for pool in checked.pools) / len(checked.pools)
    return computed_ms < 1000 * game_s / a_game / 2


def _fault_in_short(fault: CheckFault, width: int) -> Iterator[str]:
    times = "" if fault.kind == "load" else f"{fault.times:,} x "
    yield from _hung(f"{times}{describe_fault(fault)}", width, 2)
    if fault.code:
        yield f"    {fault.code}"
    if fault.remedy and fault.remedy not in fault.what:
        yield from _hung(f"do: {fault.remedy}", width, 4)


def _fault(fault: CheckFault, width: int) -> Iterator[str]:
    yield from _fault_in_short(fault, width)
    if fault.pool:
        yield f"    first seen in {fault.pool}" + (", where it was shown" if fault.shown else "")
    if fault.shown:
        yield from _shown(fault.shown, width)


def _shown(shown: Shown, width: int) -> Iterator[str]:
    """A view, cut to what one reads, and the legal decisions."""
    fields = [f"{key}={value!r}" for key, value in shown.view.items() if key != "table"]
    lines = _hung(", ".join(fields), width, 6)
    yield from lines[:VIEW_LINES]
    if len(lines) > VIEW_LINES:
        yield "        ..."
    more = len(shown.legal) - LEGAL
    legal = ", ".join(shown.legal[:LEGAL]) + (f" and {more} more" if more > 0 else "")
    yield from _hung(f"legal: {legal}", width, 6)


def _costs(checked: Checked) -> Iterator[str]:
    if checked.cpu:
        yield f"CPU time a decision, in ms; the limit is {checked.cpu_limit_ms}"
        rows: list[tuple[str, ...]] = [("game", "phase", "decisions", "median", "p99", "worst")]
        for cost in checked.cpu:
            ms = (f"{value:,.2f}" for value in (cost.median_ms, cost.p99_ms, cost.worst_ms))
            rows.append((cost.game, cost.phase, f"{cost.decisions:,}", *ms))
        yield from _table(rows, words=2)


def _repeats(checked: Checked, width: int) -> Iterator[str]:
    repeats = checked.repeats
    if repeats is None:
        return
    if repeats.alike is None:
        yield from _part("repeats", "no game to tell by: a limit ended each of them", width)
    elif repeats.alike:
        games = amount(repeats.games, "game")
        yield from _part("repeats", f"itself: {games} played again, every decision alike", width)
    elif differed := repeats.differed:
        first, second = (
            repr(word) if word else "nothing" for word in (differed.first, differed.second)
        )
        text = (
            f"itself NOT: {repeats.different} of {amount(repeats.games, 'game')} went another way. "
            f"In {differed.pool}, decision {differed.decision}, it played {first}, "
            f"and the next time {second}; it was shown"
        )
        yield from _part("repeats", text, width)
        yield from _shown(differed.shown, width)
        yield from _hung(
            "do: draw from the random module only, and keep nothing from one game to the next; "
            "no clock, no os.urandom, no id()",
            width,
            4,
        )


def _prints(checked: Checked, width: int) -> Iterator[str]:
    prints = checked.prints
    yield from _part("prints", amount(prints.lines, "line") if prints.lines else "nothing", width)
    for line in prints.first:
        yield "    " + (line if len(line) <= width - 4 else line[: width - 7] + "...")
    if prints.lines > len(prints.first):
        yield "    ..."


def _stands(checked: Checked, width: int) -> Iterator[str]:
    if checked.not_placed and checked.pools:
        yield from _part("place", f"unknown: {checked.not_placed}", width)
    if not checked.stands:
        return
    yield f"Where it would stand among {checked.stands[0].of} bots, by these few games"
    rows = [("game", "place", "may be", "rating", "may be")]
    for stands in checked.stands:
        places = f"{stands.places[0]} to {stands.places[1]}" if stands.places else "?"
        reach = interval(*(stands.interval or (None, None)), ".1f") or "?"
        rows.append((stands.game or "all", str(stands.place), places, f"{stands.mu:.1f}", reach))
    yield from _table(rows, words=1)


def _table(rows: Sequence[Sequence[str]], words: int) -> Iterator[str]:
    """The lines of a table whose first `words` columns are words and the others numbers."""
    aligned = ["left"] * words + ["right"] * (len(rows[0]) - words)
    text = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=aligned)
    yield from (f"  {line.rstrip()}" for line in text.splitlines())
