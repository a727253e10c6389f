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

import games
from arena.faults.kinds import CauseKind, name_kind
from arena.typed_json import Count, Number, means
from arena.values import OpenInterval
from arena.words import amount, duration

VERSION: Final = 4
ENOUGH = 1 / 3  # of the games that a quick bot plays

BotKind = Literal["", "decide", "Bot", "decide_many"]
Amount = Annotated[float, Meta(ge=0)]


class Load(Struct, frozen=True, kw_only=True):
    """The cost of loading the bot once, alone."""

    interface: Annotated[BotKind, means("What the file defines; empty if it does not load.")]
    cpu_ms: Annotated[Amount, means("CPU time.")]
    cpu_limit_ms: Annotated[Number, means("Limit of CPU time.")]
    memory_mib: Annotated[
        Amount | None, means("Memory above what every bot starts with; null if unknown.")
    ]
    memory_limit_mib: Annotated[Number, means("Limit of memory, for loading and playing.")]


Untried = Literal["limits", "sandbox"]
UNTRIED = (
    "", "; the sandbox was not tried here", "; limits and sandbox were not tried here",
)  # fmt: skip


class Shown(Struct, frozen=True, kw_only=True):
    """A question that the bot was asked."""

    game: str
    view: Annotated[dict[str, Any], means("The view's fields, in their order.")]
    legal: Annotated[tuple[str, ...], means("The legal decisions, in the view's order.")]


class CheckFault(Struct, frozen=True, kw_only=True):
    """A mistake of the bot, however often it made it."""

    kind: Annotated[
        CauseKind,
        means("Kind of fault; `end`: in the bot's `end`, which costs no game."),
    ]
    count: Annotated[Number, means("Games that it cost; for `end`, how often it happened.")]
    message: Annotated[str, means("The error in one line.")]
    file: Annotated[str | None, means("The author's file; null if unknown.")]
    line: Annotated[Number | None, means("The line in that file; null if unknown.")]
    code: Annotated[str | None, means("The code in that line; null if unknown.")]
    remedy: Annotated[str | None, means("What to do; null if unknown.")]
    pool: Annotated[
        str | None, means("Title of the pool where it first happened; null: while loading.")
    ]
    question: Annotated[Shown | None, means("The question it was answering; null if none.")]
    details: Annotated[str, means("All details: a traceback, a limit.")]


class PoolPlayed(Struct, frozen=True, kw_only=True):
    """A pool: one game with one number of players."""

    title: str
    game: str
    players: Annotated[Number, means("Seats.")]
    games: Annotated[Count, means("Games played, forfeits included.")]
    decisions: Annotated[Count, means("Decisions that were timed.")]
    forfeits: Annotated[Count, means("Seats that the bot forfeited.")]


class Cost(Struct, frozen=True, kw_only=True):
    """CPU time per decision, when asked one question at a time."""

    game: str
    phase: Annotated[str, means("The view's phase.")]
    decisions: Number
    median_ms: Amount
    p99_ms: Annotated[Amount, means("The 99th percentile.")]
    worst_ms: Amount


class Differed(Struct, frozen=True, kw_only=True):
    """The first decision that differed when games were replayed."""

    pool: str
    decision_number: Annotated[Number, means("Its number in that game, from 1.")]
    first_answer: Annotated[str, means("The first answer; empty: no decision.")]
    second_answer: Annotated[str, means("The second answer; empty: no decision.")]
    question: Shown


class Repeats(Struct, frozen=True, kw_only=True):
    """A comparison of decisions with the same seeds."""

    games: Annotated[Count, means("Games that were played twice without a limit ending them.")]
    reproduced: Annotated[bool | None, means("Null if there is no such game.")]
    mismatches: Annotated[Count, means("Games in which a decision differed.")]
    first_mismatch: Differed | None


class Chances(Struct, frozen=True, kw_only=True):
    """The rarest faults that these games show with 95 %: once in so many; 0: unseen."""

    games: Annotated[Count, means("Games of a pool: a fault of any kind, in any of the pools.")]
    decisions: Annotated[Count, means("Decisions: a fault of any kind.")]
    replays: Annotated[Count, means("Games: one that goes otherwise when replayed.")]


class Prints(Struct, frozen=True, kw_only=True):
    """The bot's prints."""

    lines: Count
    first: Annotated[tuple[str, ...], means("The first lines.")]


class Stands(Struct, frozen=True, kw_only=True):
    """The bot's rough place among the house bots, from the games of this check."""

    game: Annotated[str | None, means("Null: all games together.")]
    place: Number
    bots: Annotated[Number, means("Number of bots, including this one.")]
    place_range: Annotated[
        tuple[Number, Number] | None,
        means("Best and worst likely place (95 %); null with too few games."),
    ]
    mu: Annotated[float, means("Rating; the mean is 25.")]
    interval: Annotated[
        OpenInterval | None,
        means("Its 95 % interval; null with too few games; an open end is null."),
    ]


class Checked(Struct, frozen=True, kw_only=True):
    """The result of checking a bot."""

    version: Annotated[Literal[4], means("Version of this format.")]
    bot: str
    hash: Annotated[str, means("SHA-256 of its files' paths and bytes, in hex.")]
    sound: Annotated[bool, means("Whether no problem was found.")]
    enough_games: Annotated[bool, means("Whether it played a third of `planned_games` or more.")]
    planned_games: Annotated[Count, means("Games that a quick bot plays.")]
    same_name: Annotated[
        tuple[str, ...],
        means("Other bots with the same name, such as a folder: a tournament accepts only one."),
    ]
    seconds: Annotated[Amount, means("Duration of the check.")]
    load: Load
    pools: Annotated[tuple[PoolPlayed, ...], means("In the order of play.")]
    faults: Annotated[tuple[CheckFault, ...], means("Most costly first.")]
    cpu: Annotated[tuple[Cost, ...], means("By game and phase.")]
    cpu_limit_ms: Annotated[Number, means("Limit of CPU time per decision.")]
    memory_mib: Annotated[Amount, means("Peak memory while playing.")]
    wait_s: Annotated[
        Amount | None,
        means("Wall time that a game waits for the bot's decisions; null if none was played."),
    ]
    slowdown: Annotated[
        Amount | None,
        means("Duration of a game with this bot, relative to games of house bots only."),
    ]
    reproducibility: Annotated[Repeats | None, means("Null if not tried.")]
    detectable: Annotated[Chances | None, means("Null if a pool was not played.")]
    output: Prints
    rough_places: Annotated[tuple[Stands, ...], means("Overall first, then by game.")]
    not_placed_reason: Annotated[str | None, means("Why `rough_places` is empty, or null.")]
    untried: Annotated[
        tuple[Untried, ...],
        means("Left out: the sandbox by --unconfined; on other systems than Linux, limits too."),
    ] = ()


COLUMN = 10  # width of a line's heading
LEGAL = 12  # most legal decisions shown
VIEW_LINES = 6
NEAR = 0.5  # of the time to load: a machine half as fast refuses the bot
SLOW = 10
"""Times as long as games among house bots: an organiser would want to know."""


def describe_fault(fault: CheckFault) -> str:
    where = "" if fault.file is None else f" ({fault.file} line {fault.line})"
    return f"{name_kind(fault.kind)}: {fault.message}{where}"


def format_report(checked: Checked, width: int) -> list[str]:
    """The lines of the page; the verdict comes last."""
    parts = [
        [*_load(checked, width), *_games(checked, width), *_time(checked, width)],
        *([*_fault(fault, width)] for fault in checked.faults),
        [*_costs(checked)],
        [*_repeats(checked, width), *_chances(checked, width), *_prints(checked, width)],
        [*_stands(checked, width)],
        [*_near(checked, width)],
        wrap(verdict(checked), width),
    ]
    return [line for part in parts if part for line in ("", *part)][1:]


def format_summary(checked: Checked, width: int) -> list[str]:
    """The verdict, then each mistake and its remedy."""
    faults = (line for fault in checked.faults for line in _fault_in_short(fault, width))
    return [*wrap(verdict(checked), width), *faults, *_near(checked, width)]


def verdict(checked: Checked) -> str:
    """Return in one line that the bot is sound, or why not."""
    return _judge(checked) + UNTRIED[len(checked.untried)]


def _judge(checked: Checked) -> str:
    played = sum(pool.games for pool in checked.pools)
    games, wrong = amount(played, "game"), list[str]()
    if checked.load.interface == "":
        wrong.append("it does not load")
    elif lost := sum(pool.forfeits for pool in checked.pools):
        wrong.append(f"it forfeits {lost:,} of {games}")
    if any(fault.kind == "end" for fault in checked.faults):
        wrong.append("its `end` fails")
    if checked.reproducibility and checked.reproducibility.reproduced is False:
        wrong.append("its decisions are not repeatable")
    if checked.same_name:
        twins = " and ".join(checked.same_name)
        wrong.append(f"{twins} has the same name, and a tournament accepts only one: rename one")
    took = f"{checked.seconds:.0f} s"
    if wrong:
        return f"{checked.bot} is not sound: {'; '.join(wrong)} ({took})"
    slow = ""
    if checked.slowdown is not None and checked.slowdown >= SLOW:
        slow = f" makes its games {checked.slowdown:,.0f} times as long"
    if not checked.enough_games:
        few = f"no fault found in {played} of {checked.planned_games:,} games ({took})"
        needs = int(checked.seconds * ENOUGH * checked.planned_games / max(played, 1)) + 1
        return f"{checked.bot}{slow}: {few}; for a verdict, give about --seconds {needs}"
    return f"{checked.bot} is sound{slow and f', but{slow}'} ({games}, {took})"


def _part(head: str, text: str, width: int) -> list[str]:
    """A paragraph that begins with its heading in a column of its own."""
    return _wrap(text, width, f"{head:<{COLUMN}}", " " * COLUMN)


def _hang(text: str, width: int, indent: int) -> list[str]:
    return _wrap(text, width, " " * indent, " " * (indent + 2))


def _wrap(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _load(checked: Checked, width: int) -> list[str]:
    load, most = checked.load, checked.memory_mib
    memory = "" if load.memory_mib is None else f" and {_mib(load.memory_mib)} of memory"
    limits = f"; the limits are {load.cpu_limit_ms:,} ms and {load.memory_limit_mib} MiB"
    used = f"{load.cpu_ms:,.0f} ms of CPU time{memory}{limits}"
    if not load.interface:
        return _part("load", f"failed after {used}", width)
    playing = f"; peak while playing {_mib(most)}" if most >= 1 else ""
    return _part("load", f"{used}{playing}", width)


def _near(checked: Checked, width: int) -> Iterator[str]:
    load = checked.load
    if load.interface and load.cpu_ms > load.cpu_limit_ms * NEAR:
        text = (
            f"loading takes {load.cpu_ms:,.0f} of {load.cpu_limit_ms:,} ms of CPU time; on a "
            "slower machine the bot may not load. Import less; compute tables once, keep them in a "
            "data file next to bot.py in its folder, and read it at import (json, pickle, np.load)"
        )
        yield from _part("warning", text, width)


def _mib(amount: float) -> str:
    return f"{amount:,.0f} MiB" if amount >= 1 else "under 1 MiB"


def _games(checked: Checked, width: int) -> list[str]:
    if not checked.pools:
        return []
    by_game: dict[str, list[str]] = {}
    for pool in checked.pools:
        name = games.title(pool.game)
        shape = pool.title.removeprefix(f"{name} ")
        by_game.setdefault(name, []).append(f"{shape} {pool.games}")
    total = sum(pool.games for pool in checked.pools)
    listed = "; ".join(f"{game} {', '.join(pools)}" for game, pools in by_game.items())
    return _part("games", f"{total:,} against house bots: {listed}", width)


def _time(checked: Checked, width: int) -> list[str]:
    if checked.wait_s is None or checked.slowdown is None:
        return []
    text = f"in 1,000 games, its decisions take {duration(1000 * checked.wait_s)}"
    if checked.slowdown >= SLOW:
        text += f"; its games take {checked.slowdown:,.0f} times as long as games of house bots"
        if not checked.faults and _sleeps(checked, checked.wait_s):
            text += (
                ". Most of that time it does not compute: does it sleep? In a "
                "tournament, many games wait at once, and a bot that sleeps longer "
                "than the limit of a decision forfeits"
            )
    return _part("time", text, width)


def _sleeps(checked: Checked, game_s: float) -> bool:
    """True if a bot computes for less than half of the time that it takes."""
    decisions = sum(cost.decisions for cost in checked.cpu)
    computed_ms = sum(cost.median_ms * cost.decisions for cost in checked.cpu) / decisions
    games = [pool.decisions / pool.games for pool in checked.pools if pool.decisions]
    return computed_ms < 1000 * game_s * len(games) / sum(games) / 2


def _fault_in_short(fault: CheckFault, width: int) -> Iterator[str]:
    times = "" if fault.kind == "load" else f"{fault.count:,} x "
    yield from _hang(f"{times}{describe_fault(fault)}", width, 2)
    if fault.code:
        yield f"    {fault.code}"
    if fault.remedy and fault.remedy not in fault.message:
        yield from _hang(f"hint: {fault.remedy}", width, 4)


def _fault(fault: CheckFault, width: int) -> Iterator[str]:
    yield from _fault_in_short(fault, width)
    if fault.pool:
        yield f"    first seen in {fault.pool}" + (", with this view" if fault.question else "")
    if fault.question:
        yield from _show_view(fault.question, width)


def _show_view(shown: Shown, width: int) -> Iterator[str]:
    fields = [f"{key}={value!r}" for key, value in shown.view.items() if key != "table"]
    lines = _hang(", ".join(fields), width, 6)
    yield from lines[:VIEW_LINES]
    if len(lines) > VIEW_LINES:
        yield "        ..."
    more = len(shown.legal) - LEGAL
    legal = ", ".join(shown.legal[:LEGAL]) + (f" and {more} more" if more > 0 else "")
    yield from _hang(f"legal: {legal}", width, 6)


def _costs(checked: Checked) -> Iterator[str]:
    if checked.cpu:
        yield f"CPU time per decision, in ms; the limit is {checked.cpu_limit_ms}"
        rows: list[tuple[str, ...]] = [("game", "phase", "decisions", "median", "p99", "worst")]
        for cost in checked.cpu:
            ms = (f"{value:,.2f}" for value in (cost.median_ms, cost.p99_ms, cost.worst_ms))
            rows.append((games.title(cost.game), cost.phase, f"{cost.decisions:,}", *ms))
        yield from _table(rows, words=2)


def _repeats(checked: Checked, width: int) -> Iterator[str]:
    repeats = checked.reproducibility
    if repeats is None:
        return
    if repeats.reproduced is None:
        yield from _part("repeats", "unknown: every game was ended by a limit", width)
    elif repeats.reproduced:
        games = amount(repeats.games, "game")
        yield from _part("repeats", f"yes: {games} replayed, every decision the same", width)
    elif differed := repeats.first_mismatch:
        first, second = (
            repr(word) if word else "nothing"
            for word in (differed.first_answer, differed.second_answer)
        )
        text = (
            f"NO: {repeats.mismatches} of {amount(repeats.games, 'game')} differed "
            f"when replayed. In {differed.pool}, decision {differed.decision_number} was "
            f"{first}, then {second}, with the same view"
        )
        yield from _part("repeats", text, width)
        yield from _show_view(differed.question, width)
        yield from _hang(
            "hint: take random numbers only from the random module, and keep no data between "
            "games; use no os.urandom or id(), and a clock only as a guard that normally never "
            "fires: do a fixed number of playouts",
            width,
            4,
        )


def _chances(checked: Checked, width: int) -> Iterator[str]:
    if chances := checked.detectable:
        text = (
            f"with 95 %, what goes wrong in 1 of {chances.games:,} games of a pool, or in 1 of "
            f"{chances.decisions:,} decisions"
        )
        if chances.replays:
            text += f"; what changes in 1 of {chances.replays:,} games when replayed"
        yield from _part("seen", f"{text}; what is rarer may be missed", width)


def _prints(checked: Checked, width: int) -> Iterator[str]:
    prints = checked.output
    yield from _part("prints", amount(prints.lines, "line") if prints.lines else "nothing", width)
    for line in prints.first:
        yield "    " + (line if len(line) <= width - 4 else line[: width - 7] + "...")
    if prints.lines > len(prints.first):
        yield "    ..."


def _stands(checked: Checked, width: int) -> Iterator[str]:
    if checked.not_placed_reason and checked.pools:
        yield from _part("place", f"unknown: {checked.not_placed_reason}", width)
    if not checked.rough_places:
        return
    whole = checked.rough_places[0]
    if whole.place_range in (None, (1, whole.bots)):
        text = f"not known yet: {whole.place} of {whole.bots} in so few games, which allow any"
        yield from _part("place", f"{text}; a tournament tells", width)
        return
    yield f"Rough place among {whole.bots} bots, from these few games"
    rows = [("game", "place", "likely")]
    for stands in checked.rough_places:
        likely = (
            f"{stands.place_range[0]} to {stands.place_range[1]}" if stands.place_range else "?"
        )
        name = games.title(stands.game) if stands.game else "all"
        rows.append((name, str(stands.place), likely))
    yield from _table(rows, words=1)


def _table(rows: Sequence[Sequence[str]], words: int) -> Iterator[str]:
    """The lines of a table whose first `words` columns are words and the others numbers."""
    aligned = ["left"] * words + ["right"] * (len(rows[0]) - words)
    text = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=aligned)
    yield from (f"  {line.rstrip()}" for line in text.splitlines())
