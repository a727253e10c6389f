"""Where a bot stands in every table that it is in, its intervals on one scale. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.site import pages
from arena.site.pages import Site
from arena.tables.charts import Scale, scale_of
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.page import Line, line_of

MEAN = 25.0  # of a pool's ratings, where no anchor moves them


class Standing(NamedTuple):
    """Where the bot stands in one of the tables."""

    title: str
    href: str  # of the table
    of: int  # bots in it
    line: Line


def standing(site: Site, doc: Standings, bot: str) -> tuple[list[Standing], Scale]:
    """Return where the bot stands: overall, then by game, in each game its pools; and the scale of
    all its ratings.
    """
    tables: list[tuple[str, str, Sequence[Row]]] = []
    if len(doc.games) > 1:
        tables.append(("Overall", "index.html#overall", doc.overall))
    for game in doc.games:
        page = site.games[game.game]
        if game.pools > 1:
            tables.append((f"{game.game}, all pools", f"{page}#all", game.table))
        tables += [
            (pool.title, f"{page}#{pages.pool_id(doc.pools, pool)}", pool.table)
            for pool in doc.pools
            if pool.game == game.game
        ]
    found = [
        (title, href, len(rows), row)
        for title, href, rows in tables
        for row in rows
        if row.bot == bot
    ]
    ends = [end for *_, row in found for end in (row.mu, *(row.interval or ()))]
    anchored = any(pool.anchor and not pool.anchor.refused for pool in doc.pools)
    scale = scale_of(ends, None if anchored else MEAN)  # else tables differ in their mean
    return [Standing(title, href, of, line_of(row, scale)) for title, href, of, row in found], scale
