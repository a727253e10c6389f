"""A bot's page: where it stands, its opponents, its pools, its CPU time, its faults. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.model import Limits
from arena.site import bot_opponents, bot_pools, pages
from arena.site.bot_standing import standing
from arena.site.facts import Facts, pool_of
from arena.site.facts_bot import opponents
from arena.site.facts_cpu import SHARES, Cpu
from arena.site.facts_pool import Forfeits
from arena.site.pages import Site
from arena.site.watch_page import GameLink, link_to
from arena.store.faults import Steps
from arena.store.logs import KeptFault
from arena.tables import layout
from arena.tables.charts import Scale
from arena.tables.columns import page_columns
from arena.tables.document import Standings
from arena.tables.page import FAULT_WORDS
from arena.words import short_duration

SIDE_BY_SIDE = 40
"""Bots of a league up to which the pools stand side by side in the table of opponents."""

LINES = 60  # of a fault's text that are shown
PERCENT = Scale(0.0, 100.0, (0.0, 50.0, 100.0), 50.0)


class Cost(NamedTuple):
    """A time, and in words."""

    seconds: float
    words: str


class CpuLine(NamedTuple):
    """What the bot's decisions cost, in a pool or in all."""

    title: str
    cpu: Cpu
    costs: tuple[Cost | None, ...]
    """The mean; quantiles of sessions' means, then of their worst batches: of one session no others
    than the most."""
    used: float | None  # the worst of all as a share of the limit; None without a limit


class FaultLine(NamedTuple):
    """The bot's faults of a kind in a pool."""

    title: str
    kind: str
    total: int
    games: tuple[GameLink, ...]  # the first of them, each at the step at which it failed
    more: int  # games


class FaultText(NamedTuple):
    """A fault whose text is shown."""

    kept: KeptFault
    game: GameLink  # at the step at which it failed


def page_of(
    site: Site, doc: Standings, found: Facts, bot: str, kept: Sequence[KeptFault] = ()
) -> str:
    """Return the page of one of the bots; `kept` are faults of it whose texts are to be shown."""
    entered = [table for table in doc.pools if any(row.bot == bot for row in table.table)]
    facts = [found.of(table) for table in entered]
    met = opponents(bot, entered, facts)
    side_by_side = len(doc.bots) <= SIDE_BY_SIDE and len(entered) > 1
    parts = [
        bot_pools.part(table, own, pages.pool_id(doc.pools, table), bot, site.watched)
        for table, own in zip(entered, facts, strict=True)
    ]
    faults = [
        _fault_line(table.title, forfeits, found.failed_at, site.watched)
        for table, own in zip(entered, facts, strict=True)
        for forfeits in own.forfeits[own.names.index(bot)]
    ]
    standings, scale = standing(site, doc, bot)
    rows = [each.line.row for each in standings]
    contents = [("standings", "Where it stands"), ("opponents", "Opponents")]
    contents += [(part.id, part.title) for part in parts]
    (hash,) = (each.hash for each in doc.bots if each.name == bot)
    return pages.page(
        "bot.html",
        site=site,
        here=site.bots[bot],
        bot_name=bot,
        hash=hash,
        same=[name for group in doc.identical if bot in group for name in group if name != bot],
        games=sum(row.games for table in doc.pools for row in table.table if row.bot == bot),
        faults_total=sum(line.total for line in faults),
        standings=standings,
        scale=scale,
        columns=[each for each in page_columns(rows) if each.title not in ("#", "bot")],
        meanings=layout.meanings(doc),
        evidence=layout.evidence(rows),
        said=bot_opponents.said(met),
        opponents=[bot_opponents.line(each, side_by_side) for each in met],
        rated=any(each.expected is not None for each in met),
        titles=[table.title for table in entered] if side_by_side else [],
        parts=parts,
        cpu=_cpu(found, doc, bot),
        limits=found.limits,
        faults=faults,
        texts=[
            FaultText(each, link_to(each.game, site.watched, each.fault.action, each.fault.seat))
            for each in kept
        ],
        lines=LINES,
        fault_words=FAULT_WORDS,
        percent_scale=PERCENT,
        contents=[*contents, ("cpu", "CPU time"), ("faults", "Faults")],
    )


def _fault_line(
    title: str, forfeits: Forfeits, failed_at: Steps, viewers: Mapping[str, str]
) -> FaultLine:
    """Return the bot's faults of a kind in a pool, each with its game as the bot saw it fail."""
    games = tuple(
        link_to(game, viewers, failed_at.get((game, seat)), seat) for game, seat in forfeits.games
    )
    more = forfeits.total - len(games)
    return FaultLine(title, forfeits.kind, forfeits.total, games, more)


def _cpu(found: Facts, doc: Standings, bot: str) -> list[CpuLine]:
    """Return what the bot's decisions cost, in all and by pool."""
    overall, pools = found.cpu_overall.get(bot), found.cpu.get(bot, {})
    lines = [("All pools", overall)] if overall and len(pools) > 1 else []
    lines += [(table.title, cpu) for table in doc.pools if (cpu := pools.get(pool_of(table)))]
    return [_cpu_line(title, cpu, found.limits) for title, cpu in lines]


def _cpu_line(title: str, cpu: Cpu, limits: Limits) -> CpuLine:
    limit = limits.cpu_ms / 1000
    means, worst = (
        [None if cpu.sessions == 1 and share < 1 else _cost(each) for share, each in told]
        for told in (zip(SHARES, own, strict=True) for own in (cpu.means_s, cpu.worst_s))
    )
    return CpuLine(
        title,
        cpu,
        (_cost(cpu.mean_s), *means, *worst),
        cpu.worst_s[-1] / limit if limit else None,
    )


def _cost(seconds: float) -> Cost:
    """Return a time with two digits or more: `3.1 µs`, `42 µs`, `1.8 ms`."""
    return Cost(seconds, short_duration(seconds))
