"""What `arena tournament --dry-run` says: what is left to be played, and what it will show."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.cli.progress import Display
from arena.cli.terminal import READABLE, near, out, say, width
from arena.words import amount, duration, size

if TYPE_CHECKING:
    from arena.plan import Plan
    from arena.runner.dry_run import Forecast, PoolForecast
    from arena.runner.executor import Hire

MISS = "play may take a third less, or twice as long where others use this machine"
"""In twelve trials of 10 to 100 s on two cores that others used, it took 0.69 to 2.0 times as long
as was said, 1.0 in the median."""


def say_dry_run(plan: "Plan", hire: "Hire", fresh: bool, json: bool) -> None:
    """Find out what a plan comes to, and print it."""
    from arena.runner.dry_run import forecast
    from arena.tables.caveats import group_identical, of_identical
    from arena.typed_json import encode

    with Display() as steps:
        found = forecast(plan, fresh, steps.say, steps, hire)
    for line in found.news:
        say(line)
    for names in group_identical(plan.bots):
        say(f"{of_identical(names)}; if that is not meant, leave out all but one")
    if json:
        out(encode(found.pools))
        return
    out(*_work_left(plan, found))
    out("", f"{amount(plan.workers, 'worker')}; results go to {near(plan.folder)}/")
    for line in _notes_on_work(plan, found):
        out(*_running(line))
    out("", *_told_apart(found.pools), "")
    for line in _notes_on_power(found.pools):
        out(*_running(line))


def _work_left(plan: "Plan", found: "Forecast") -> list[str]:
    """Return the table of what is left to be played."""
    from arena.tables.layout import Table
    from arena.tables.terminal import whole_texts

    pools = found.pools
    rows = [
        (pool.pool, f"{pool.bots:,}", f"{pool.line_ups:,}", *_amounts(pool.games, pool.left,
         pool.sessions, pool.seconds / plan.workers, pool.disk_bytes))
        for pool in pools
    ]  # fmt: skip
    games, left, sessions, disk_bytes = map(
        sum, zip(*((p.games, p.left, p.sessions, p.disk_bytes) for p in pools), strict=True)
    )
    rows.append(("all", "", "", *_amounts(games, left, sessions, found.seconds, disk_bytes)))
    heads = ("pool", "bots", "line-ups", "games", "left", "sessions", "time", "disk")
    return whole_texts(Table("", (), heads, rows), width(), ("line-ups", "bots"), ("pool",))


def _amounts(games: int, left: int, sessions: int, seconds: float, disk_bytes: int) -> list[str]:
    return [f"{games:,}", f"{left:,}", f"{sessions:,}", duration(seconds), size(disk_bytes)]


def _notes_on_work(plan: "Plan", found: "Forecast") -> Iterator[str]:
    """Yield what the table of what is left does not say by itself, a paragraph each."""
    if found.sampled:
        yield f"time: from {amount(found.sampled, 'game')} played now; {MISS}."
    if any(wanted.entry.settle for wanted in plan.wanted):
        yield "games: at most, where `settle` ends a pool sooner."
    free = shutil.disk_usage(_existing(plan.folder)).free
    if sum(pool.disk_bytes for pool in found.pools) > free:
        yield f"disk: only {size(free)} are free in {near(plan.folder)}/."


def _notes_on_power(pools: Sequence["PoolForecast"]) -> Iterator[str]:
    """Yield whether neighbours will be told apart, and what the columns mean by an example: the
    pool that lacks most.
    """
    short = [pool.pool for pool in pools if pool.power.too_few]
    if not short:
        yield "Neighbours in the table will usually be told apart."
    else:
        where = "any pool" if len(short) == len(pools) else " or ".join(short)
        yield f"Too few decks to tell neighbours apart in {where}: raise `deals` there."
    pool = min(pools, key=lambda each: each.power.decks / each.power.decks_needed)
    power = pool.power
    told = (
        "too few for any two to be told apart" if power.apart_mu is None else
        f"two bots {power.apart_mu:.1f} mu apart would be told apart in half of such leagues"
    )  # fmt: skip
    yield (
        f"{pool.pool}: {amount(power.decks, 'deck')} a bot; {told}. Neighbours among "
        f"{amount(pool.bots, 'bot')} are usually {power.neighbours_mu:.1f} mu apart, which takes "
        f"{amount(power.decks_needed, 'deck')} a bot: `deals = {power.deals_needed}`."
    )


def _told_apart(pools: Sequence["PoolForecast"]) -> list[str]:
    """Return the table of which bots each pool will tell apart."""
    from arena.tables.layout import Table
    from arena.tables.terminal import whole_texts

    rows = []
    for pool, power in ((each.pool, each.power) for each in pools):
        apart = "none" if power.apart_mu is None else f"{power.apart_mu:.1f} mu"
        usual = f"{power.neighbours_mu:.1f} mu"
        needed, deals = f"{power.decks_needed:,}", f"{power.deals_needed:,}"
        rows.append((pool, f"{power.decks:,}", apart, usual, needed, deals))
    heads = ("pool", "decks", "told apart", "neighbours", "needed", "deals")
    table, gives_way = Table("", (), heads, rows), ("deals",)
    return whole_texts(table, width(), gives_way, ("pool",))


def _existing(folder: Path) -> Path:
    """Return the nearest folder upwards that is there."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())


def _running(line: str) -> list[str]:
    return wrap(line, min(width(), READABLE), break_on_hyphens=False)
