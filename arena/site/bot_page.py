"""A bot's page: where it stands, its opponents, its pools, its CPU time, its faults."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.reasons import with_view
from arena.site import pages
from arena.site.games_to_watch import lead_in_words
from arena.site.opponents import find_opponents, record_in_words, remarks
from arena.site.pages import Site
from arena.site.stats import SHARES, Cpu, Stats, pool_of
from arena.site.stats_pool import PoolStats, Seat
from arena.store import KeptFault
from arena.tables import layout
from arena.tables.columns import COLUMNS_OF_PAGES, Row, columns_of
from arena.tables.document import PoolTable, Standings
from arena.tables.page import FAULT_WORDS, Line, Scale, heat, line_of, scale_of

SIDE_BY_SIDE = 40
"""Bots of a league up to which the pools stand side by side in the table of opponents."""

LINES = 60  # of a fault's text that are shown
PERCENT = Scale(0.0, 100.0, (0.0, 50.0, 100.0), 50.0)
MEAN = 25.0  # of a pool's ratings, where no anchor moves them


class Standing(NamedTuple):
    """Where the bot stands in one of the tables."""

    title: str
    href: str  # of the table
    of: int  # bots in it
    line: Line


class PoolPart(NamedTuple):
    """The bot in one of its pools."""

    id: str  # of the part of the page
    table: PoolTable
    stats: PoolStats
    number: int  # of the bot, in the statistics
    seats: list[Seat]
    scale: Scale  # of the seats' shares, in percent


def make_bot_page(
    site: Site, doc: Standings, stats: Stats, bot: str, kept: Sequence[KeptFault] = ()
) -> str:
    """The page of one of the bots; `kept` are its faults whose texts are to be shown."""
    entered = [table for table in doc.pools if any(row.bot == bot for row in table.table)]
    parts = [_part(doc, table, stats.of(table), bot) for table in entered]
    opponents = find_opponents(bot, entered, [part.stats for part in parts])
    standings, scale = _standings(site, doc, bot)
    rows = [standing.line.row for standing in standings]
    faults = [
        (part.table.title, forfeits)
        for part in parts
        for forfeits in part.stats.forfeits[part.number]
    ]
    contents = [("standings", "Where it stands"), ("opponents", "Opponents")]
    contents += [(part.id, part.table.title) for part in parts]
    (hash,) = (version.hash for version in doc.bots if version.name == bot)
    return pages.page(
        "bot.html",
        site=site,
        here=site.bots[bot],
        bot_name=bot,
        hash=hash,
        same=[name for group in doc.identical if bot in group for name in group if name != bot],
        games=sum(row.games for table in doc.pools for row in table.table if row.bot == bot),
        standings=standings,
        scale=scale,
        columns=[c for c in columns_of(rows, COLUMNS_OF_PAGES) if c.title not in ("#", "bot")],
        meanings=layout.meanings(doc),
        evidence=layout.evidence(rows),
        remarks=remarks(opponents),
        opponents=opponents,
        rated=any(opponent.expected is not None for opponent in opponents),
        side_by_side=len(doc.bots) <= SIDE_BY_SIDE and len(entered) > 1,
        heat=heat,
        record_in_words=record_in_words,
        parts=parts,
        lead_in_words=lead_in_words,
        cpu=_cpu(stats, doc, bot),
        cpu_times=cpu_times,
        limits=stats.limits,
        faults=faults,
        faults_total=sum(forfeits.total for _, forfeits in faults),
        failed_at=stats.failed_at,
        kept=[
            (id, fault, with_view(fault.reason, seat=fault.seat).splitlines()[:LINES])
            for id, fault in kept
        ],
        fault_words=FAULT_WORDS,
        percent_scale=PERCENT,
        contents=[*contents, ("cpu", "CPU time"), ("faults", "Faults")],
    )


def _standings(site: Site, doc: Standings, bot: str) -> tuple[list[Standing], Scale]:
    """Where the bot stands: overall, then by game, in each game its pools; and the scale of all its
    ratings.
    """
    tables: list[tuple[str, str, Sequence[Row]]] = []
    if len(doc.games) > 1:
        tables.append(("Overall", "index.html#overall", doc.overall))
    for game in doc.games:
        file = site.games[game.game]
        if game.pools > 1:
            tables.append((f"{game.game}, all pools", f"{file}#all", game.table))
        tables += [
            (pool.title, f"{file}#{pages.pool_id(doc.pools, pool)}", pool.table)
            for pool in doc.pools
            if pool.game == game.game
        ]
    rows = [
        (title, href, len(table), row)
        for title, href, table in tables
        for row in table
        if row.bot == bot
    ]
    ends = [end for *_, row in rows for end in (row.mu, *(row.interval or ()))]
    anchored = any(pool.anchor and not pool.anchor.refused for pool in doc.pools)
    scale = scale_of(ends, None if anchored else MEAN)  # else tables differ in their mean
    return [Standing(title, href, of, line_of(row, scale)) for title, href, of, row in rows], scale


def _part(doc: Standings, table: PoolTable, stats: PoolStats, bot: str) -> PoolPart:
    number, seats = stats.names.index(bot), stats.by_seat(bot)
    even = 100 / max(len(seats), 1)
    shares = [table.seats[seat.seats[0]].wins for seat in seats]
    shares += [end for seat in seats for end in (seat.wins.mean, *(seat.wins.interval() or ()))]
    return PoolPart(
        pages.pool_id(doc.pools, table),
        table,
        stats,
        number,
        seats,
        scale_of([even, *(100 * share for share in shares if share is not None)], even),
    )


def _cpu(stats: Stats, doc: Standings, bot: str) -> list[tuple[str, Cpu]]:
    """The CPU time of the bot's decisions, in all and by pool, each with its title."""
    used = [(table.title, stats.cpu.get((bot, pool_of(table)))) for table in doc.pools]
    known = [(title, cpu) for title, cpu in used if cpu]
    return [("All pools", stats.cpu[bot, None]), *known] if len(known) > 1 else known


def cpu_times(cpu: Cpu) -> list[float | None]:
    """The times that are shown, in seconds: the mean; quantiles of sessions' means, then of their
    worst batches. Of a single session only the greatest are shown, with None for the others.
    """
    return [
        cpu.mean_s,
        *(
            None if cpu.sessions == 1 and share < 1 else time
            for times in (cpu.means_s, cpu.worst_s)
            for share, time in zip(SHARES, times, strict=True)
        ),
    ]
