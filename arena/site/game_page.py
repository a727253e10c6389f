"""A game's pages: its pools, each with table, crosstables, seats and scores; and its rules."""

import re
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

import games
from arena.site import pages
from arena.site.histograms import Histogram
from arena.site.pages import Site
from arena.site.stats import Stats
from arena.site.stats_pool import PoolStats
from arena.tables.document import PoolTable, Seat, Standings
from arena.tables.notes import wins_by_seat
from arena.tables.overview import list_game, list_pool
from arena.tables.page import (
    MOST_IN_HEATMAP,
    Heatmap,
    Ranking,
    Scale,
    explain_headings,
    make_heatmaps,
    ranking_of,
    scale_of,
)

MOST_SCORES = 100
"""Bots of a pool whose scores are drawn: of more, those of the best places."""

OPEN = 20  # bots of a crosstable that stands open
CELLS, LEAST_CELLS = 9600, 2500  # of its crosstables, some 21 bytes each
CELLS_OF_A_LINE = 28
"""As many as one bot's lines in the other tables take room, so that a page stays below 300 kB."""


class PoolPart(NamedTuple):
    """A pool on a game's page."""

    ranking: Ranking
    heatmaps: list[Heatmap]
    seats: list[tuple[float | None, Seat]]  # by seat: its share of wins, a team's both the team's
    scale: Scale  # of these shares, in percent
    stats: PoolStats
    drawn: list[tuple[str, Histogram]]  # scores, by bot, best first


def make_game_page(site: Site, doc: Standings, stats: Stats, game: str) -> str:
    tables = [pool for pool in doc.pools if pool.game == game]
    (entry,) = (entry for entry in doc.games if entry.game == game)
    summary = None
    if entry.pool_count > 1:
        listing = list_game(doc, entry, "all", f"{games.title(game)}, all pools")
        summary = ranking_of(doc, listing)
    parts = [_part(doc, tables, table, stats) for table in tables]
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
        meanings=explain_headings(doc),
        is_folded=is_folded,
    )


def is_folded(table: Heatmap) -> bool:
    """True if a crosstable is large or mostly empty, and so shown on request."""
    cells = [cell for row in table.rows for cell in row]
    return len(table.rows) > OPEN or 2 * cells.count(None) > len(cells)


def _part(doc: Standings, of_game: list[PoolTable], table: PoolTable, stats: Stats) -> PoolPart:
    pool, id = stats.of(table), pages.pool_id(doc.pools, table)
    cells = CELLS - CELLS_OF_A_LINE * sum(len(one.table) for one in of_game)
    most = min(MOST_IN_HEATMAP, isqrt(max(cells, LEAST_CELLS) // (3 * len(of_game))))
    wins = wins_by_seat(table)
    even = 100 / len(pool.seats)
    shares = [*wins, *(end for seat in table.seats for end in seat.interval or ())]
    drawn = dict(zip(pool.names, pool.scores.bots, strict=True))
    return PoolPart(
        ranking_of(doc, list_pool(doc, table, id)),
        make_heatmaps(table, id, most),
        [*zip(wins, table.seats, strict=True)],
        scale_of([even, *(100 * share for share in shares if share is not None)], even),
        pool,
        [(row.bot, drawn[row.bot]) for row in table.table[:MOST_SCORES]],
    )


def make_rules_page(site: Site, game: str, rules: str) -> str:
    """The page of a game's rules, made of its page in Markdown; any HTML in that is text.

    A reference such as (S01) links to its ruling, which begins `- **S01**`.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    rulings = {*re.findall(r"^- \*\*([A-Z]\d\d)\*\*", rules, re.MULTILINE)}
    linked = re.sub(
        r"(?<!\*)\b[A-Z]\d\d\b",
        lambda match: f"[{match[0]}](#{match[0]})" if match[0] in rulings else match[0],
        rules,
    )
    tokens = markdown.parse(linked.replace("# ", "# Rules of ", 1))
    contents: list[tuple[str, str]] = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            contents.append((f"part-{len(contents) + 1}", inside.content))
            token.attrSet("id", contents[-1][0])
    text = markdown.renderer.render(tokens, markdown.options, {})
    text = re.sub(r"<li>(?=(?:<p>)?<strong>([A-Z]\d\d)<)", r'<li id="\1">', text)
    return pages.page(
        "rules.html",
        site=site,
        here=pages.rules_file(game),
        game=game,
        text=Markup(text),
        contents=contents,
    )
