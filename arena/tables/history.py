"""The week that a tournament's tables make: what a league remembers of them. Pure."""

from hashlib import sha256

from arena.model import Week, WeekRow
from arena.tables import formats
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.overview import Listing, list_tables


def make_week(document: Standings, at: str, label: str = "") -> Week:
    """The week of these tables, kept `at` this time; number and name are the store's to give
    (`arena.store.history`).
    """
    listings = list_tables(document)
    by_table = [_rows(listing) for listing in listings]
    return Week(
        number=1,
        name="",
        label=label,
        at=at,
        games=sum(pool.games for pool in document.pools),
        tables=sha256(formats.json(document).encode()).hexdigest(),
        titles=tuple(listing.title for listing in listings),
        bots={bot.name: bot.hash for bot in document.bots},
        rows={bot.name: tuple(rows.get(bot.name) for rows in by_table) for bot in document.bots},
    )


def _rows(listing: Listing) -> dict[str, WeekRow]:
    """The lines of a table by bot, with places as readers see them."""
    ranked = {row.bot: _row(row, row.place) for row in listing.ranked}
    return ranked | {row.bot: _row(row, None) for row in (*listing.broken, *listing.aside)}


def _row(row: Row, place: int | None) -> WeekRow:
    places = None if place is None else row.places
    return WeekRow(place, places, row.mu, row.interval, row.games, row.faults_total)
