"""What `arena tournament --dry-run` says: what is to be played, and what more bots come to."""

import json as jsons
import os
import shutil
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.cli.progress import Display
from arena.cli.terminal import READABLE, near, out, say, width
from arena.model import MOST_GAMES
from arena.words import amount, duration, either, short, size

if TYPE_CHECKING:
    from arena.plan.plan import Plan
    from arena.runner.dry_run import DryRun
    from arena.runner.growth import Size

DAY_S = 86_400
NAMED = 3  # pools of which it is said how many line-ups to draw


def say_dry_run(plan: "Plan", fresh: bool, json: bool) -> None:
    """Find out what a plan comes to, and print it."""
    from arena.runner.dry_run import dry_run
    from arena.runner.growth import by_pool
    from arena.tables.identical import identical, in_words

    with Display() as steps:
        found = dry_run(plan, fresh, steps.say, steps)
    for line in found.news:
        say(line)
    for names in identical(plan.bots):
        say(f"{in_words(names)}; if that is not meant, leave out all but one")
    if json:
        grown = by_pool(found.sizes)
        out(
            jsons.dumps(
                [
                    pool._asdict() | {"pool": pool.pool.title, "growth": grown.get(pool.pool, [])}
                    for pool in found.pools
                ]
            )
        )
        return
    out(*_as_planned(plan, found))
    out("", f"{amount(plan.workers, 'worker')}; results go to {near(plan.folder)}/")
    if len(found.sizes) > 1:
        out("", *_grown(plan, found.sizes))
    elif not found.sizes and any(pool.played == pool.games for pool in found.pools):
        out(
            *_running(
                "What more bots would come to is told from games of each pool, and one has none "
                "left; `--dry-run --fresh` plays some of each, and sets nothing aside."
            )
        )


def _as_planned(plan: "Plan", found: "DryRun") -> list[str]:
    from arena.tables.fitting import whole_texts
    from arena.tables.layout import Table

    pools = found.pools
    rows = [
        (p.pool.title, f"{p.bots:,}", f"{p.line_ups:,}", f"{p.seatings:,}", f"{p.games:,}",
         f"{p.played:,}", duration(p.seconds / plan.workers))
        for p in pools
    ]  # fmt: skip
    games, played = sum(p.games for p in pools), sum(p.played for p in pools)
    rows.append(("all", "", "", "", f"{games:,}", f"{played:,}", duration(found.seconds)))
    heads = ("pool", "bots", "line-ups", "seatings", "games", "played", "time left")
    table, gives_way = Table("", (), heads, rows), ("seatings", "line-ups", "bots")
    return whole_texts(table, width(), gives_way, ("pool",))


def _grown(plan: "Plan", sizes: Sequence["Size"]) -> Iterator[str]:
    """Yield what a tournament comes to with more bots: a table, and what there is to say of it."""
    from arena.tables.fitting import whole_texts
    from arena.tables.layout import Table

    rows = [
        (_label(each), short(each.games), short(each.cpu_s / 3600), duration(each.wall_s),
         size(each.store_bytes), size(each.memory_bytes), short(each.messages))
        for each in sizes
    ]  # fmt: skip
    heads = ("bots", "games", "CPU hours", "time", "store", "memory", "messages")
    yield "All of it, and with more bots like these:"
    yield ""
    yield from whole_texts(Table("", (), heads, rows), width(), ("messages", "time"), ())
    yield ""
    for line in _notes(plan, sizes):
        yield from _running(line)


def _label(each: "Size") -> str:
    return f"{each.bots:,} drawn" if each.drawn else f"{each.bots:,}"


def _running(line: str) -> list[str]:
    return wrap(line, min(width(), READABLE), break_on_hyphens=False)


def _notes(plan: "Plan", sizes: Sequence["Size"]) -> Iterator[str]:
    """Yield what the table does not say by itself, a paragraph each."""
    from arena.plan.keys import MOST_LINE_UPS
    from arena.runner.cluster_costs import SCHEDULER_HOST_BYTES, SCHEDULER_MIB

    last = sizes[-1]
    if last.drawn:
        most = max(each.field.line_ups for each in last.shares)
        less = f", {MOST_LINE_UPS:,} at most" if most == MOST_LINE_UPS else ""
        yield f"drawn: line-ups are, as many a bot as now{less}, by {_drawn(plan, last)}."
    if any(wanted.entry.settle for wanted in plan.wanted):
        yield "games: at most, where `settle` ends a pool sooner."
    cores = ceil(last.cpu_s / DAY_S)
    yield (
        f"time: with {amount(plan.workers, 'worker')}, a core each; on twice as many half. To play "
        f"{_label(last)} in a day takes {short(cores)} core{'' if cores == 1 else 's'}."
    )
    yield from _too_much(plan, sizes)
    yield (
        f"messages: through a cluster's scheduler, for {_label(last)} with "
        f"{size(last.scheduler_moved_bytes)} and {duration(last.scheduler_cpu_s)} of its CPU time. "
        f"It holds {size(SCHEDULER_MIB * 2**20)}, and {size(SCHEDULER_HOST_BYTES)} for each host, "
        "however many games."
    )


def _drawn(plan: "Plan", last: "Size") -> str:
    """Return which `lineups` draw as many line-ups a bot as there are now."""
    own = {wanted.entry.pool for wanted in plan.wanted if wanted.line_ups is None}
    told = [
        f"`lineups = {each.field.line_ups}` in {each.pool.title}"
        for each in last.shares
        if each.pool in own
    ]
    more = [f"{len(told) - NAMED} more, in --json"] if len(told) > NAMED else []
    return ", ".join([*told[:NAMED], *more])


def _too_much(plan: "Plan", sizes: Sequence["Size"]) -> Iterator[str]:
    """Yield what this machine has not, and what no store counts."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if over := [_label(each) for each in sizes if each.memory_bytes > memory]:
        yield (
            f"memory: this machine has {size(memory)}, too little for {either(over)}. Tables need "
            "it: for all games of a pool, and for each two bots that met as often as it has bots."
        )
    disk = shutil.disk_usage(_existing(plan.folder)).free
    if over := [_label(each) for each in sizes if each.store_bytes > disk]:
        yield f"store: {size(disk)} are free here, too little for {either(over)}."
    most = {_label(each): max(own.field.games for own in each.shares) for each in sizes}
    if over := [label for label, games in most.items() if games > MOST_GAMES]:
        yield f"games: {short(MOST_GAMES)} of a pool at most are counted; {either(over)} has more."


def _existing(folder: Path) -> Path:
    """Return the nearest folder upwards that is there."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
