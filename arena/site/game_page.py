"""A game's page: each of its pools with table, crosstables, seats and scores. Pure."""

from typing import NamedTuple

from arena.site import histograms, pages
from arena.site.facts import Facts
from arena.site.facts_pool import PoolFacts
from arena.site.histograms import Axis, Histogram
from arena.site.pages import Site
from arena.tables import caveats, charts, layout
from arena.tables.charts import Heatmap, Scale, scale_of
from arena.tables.document import PoolTable, Standings
from arena.tables.page import Ranking, meanings_of, ranking_of

MOST_SCORES = 100
"""Bots of a pool whose scores are drawn: of more, those of the best places."""

CELLS, LEAST_CELLS = 9600, 2500  # of its crosstables
CELLS_OF_A_LINE = 26
"""As many as one bot's lines in the other tables take room, so that a page stays below 300 kB."""


class SeatLine(NamedTuple):
    """What a seat was worth."""

    seat: int
    wins: float | None
    low: float | None  # of its 95 % interval
    high: float | None


class PoolPart(NamedTuple):
    """A pool on a game's page."""

    ranking: Ranking
    heatmaps: tuple[Heatmap, ...]
    seats: tuple[SeatLine, ...]
    seat_scale: Scale  # in percent
    even: float  # a seat's share of wins were all alike, 0 to 1
    axis: Axis
    scores: tuple[tuple[str, Histogram], ...]  # by bot, best first
    low_wins: bool
    watched: int  # games
    watch: str  # where these are listed


def page_of(site: Site, doc: Standings, found: Facts, game: str) -> str:
    """Return the page of one of the games."""
    tables = [pool for pool in doc.pools if pool.game == game]
    (entry,) = (each for each in doc.games if each.game == game)
    summary = None
    if entry.pools > 1:
        notes = [f"The mean of the ratings of {entry.pools} pools."]
        notes += caveats.of_orders(doc) if len(doc.games) == 1 else []
        summary = ranking_of(doc, "all", f"{game}, all pools", entry.table, notes)
    parts = [_part(site, doc, table, found) for table in tables]
    contents = [("all", "All pools")] if summary else []
    contents += [(part.ranking.id, part.ranking.title) for part in parts]
    return pages.page(
        "game.html",
        site=site,
        here=site.games[game],
        game=game,
        games=sum(table.games for table in tables),
        summary=summary,
        parts=parts,
        contents=[*contents, ("legend", "How to read this")],
        meanings=meanings_of(doc),
    )


def _part(site: Site, doc: Standings, table: PoolTable, found: Facts) -> PoolPart:
    own, id = found.of(table), pages.pool_id(doc.pools, table)
    note = f"{layout.pool_note(table)}."
    of_game = [each for each in doc.pools if each.game == table.game]
    cells = CELLS - CELLS_OF_A_LINE * sum(len(each.table) for each in of_game)
    most = charts.most_for(3 * len(of_game), max(cells, LEAST_CELLS))
    seats = _seats(table)
    even = 1 / len(own.seats)
    ends = [
        100 * end for line in seats for end in (line.wins, line.low, line.high) if end is not None
    ]
    return PoolPart(
        ranking_of(doc, id, table.title, table.table, [note]),
        tuple(charts.heatmaps(table, id, most)),
        seats,
        scale_of([*ends, 100 * even], 100 * even),
        even,
        histograms.axis_of(own.scores),
        _scores(table, own),
        own.low_wins,
        sum(each.pool == table.title for each in found.watched),
        site.lists.get(table.title, ""),
    )


def _seats(table: PoolTable) -> tuple[SeatLine, ...]:
    shares = layout.wins_by_seat(table)
    return tuple(
        SeatLine(number, wins, *(seat.interval or (None, None)))
        for number, (seat, wins) in enumerate(zip(table.seats, shares, strict=True))
    )


def _scores(table: PoolTable, own: PoolFacts) -> tuple[tuple[str, Histogram], ...]:
    spreads = dict(zip(own.names, own.scores.bots, strict=True))
    return tuple(
        (row.bot, histograms.histogram(own.scores, spreads[row.bot]))
        for row in table.table[:MOST_SCORES]
    )
