"""The standings as tables of plain strings and the notes beside them: what every format shows,
before any escaping. Pure.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.faults.kinds import KINDS, name_kind
from arena.tables.columns import COLUMNS_SHOWN, Row, columns_of
from arena.tables.document import PoolTable, Standings
from arena.tables.notes import CROSSTABLE_WORDS, wins_by_seat
from arena.tables.overview import Listing, list_tables
from arena.values import Counts, Shares, count, percent

TEXTS = (
    "bot", "pool", "verdict", "and", "strength", "version", "week", "first week", "last week",
    "first three", "since the week before", "forfeited", "first to last", "how it ended",
    "decision", "pupil", "written", "why",
)  # fmt: skip
"""The columns that hold texts, in any table."""


class Table(NamedTuple):
    """A table of strings, not yet escaped."""

    title: str
    notes: tuple[str, ...]
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    unranked: int = 0  # rows at the end that stand below a line

    @property
    def aligned(self) -> list[str]:
        """Alignment of its columns, as tabulate has it: texts to the left, numbers right."""
        return ["left" if label.split("\n")[0] in TEXTS else "right" for label in self.head]


def tables(doc: Standings) -> list[Table]:
    """All tables, from the widest view to the closest."""
    out, pools = [], {f"pool-{number}": pool for number, pool in enumerate(doc.pools, 1)}
    for listing in list_tables(doc):
        out.append(ranking(listing))
        if pool := pools.get(listing.id):
            out += [seats(pool), *crosstables(pool)]
    return out + faults(doc)


def ranking(
    listing: Listing, draw: Callable[[Row], str] | None = None, every: bool = True
) -> Table:
    """A table of places, with all columns and notes, or those alone that come first. A bar of
    strength is in it where `draw` draws one.
    """
    rows = listing.rows
    head: list[str] = []
    cells: list[list[str]] = [[] for _ in rows]
    for column in columns_of(rows, COLUMNS_SHOWN):
        show = draw if column.drawn else column.text if column.cell else None
        if not show or not (column.leads or every):
            continue
        head.append(column.title)
        for row, line in zip(rows, cells, strict=True):
            line.append("-" if column.drawn and row.failed else show(row))
        if column.key == "place_range":  # which come last of the first
            head += [part.title for part in listing.parts]
            for row, line in zip(rows, cells, strict=True):
                line += [part.places.get(row.bot, "-") for part in listing.parts]
    notes = [*listing.notes.plain, *(listing.notes.details if every else ())]
    ranked = len(listing.ranked)
    below = len(rows) - ranked if ranked else 0
    return Table(listing.title, tuple(notes), tuple(head), [*map(tuple, cells)], below)


def seats(pool: PoolTable) -> Table:
    rows = []
    for number, (seat, wins) in enumerate(zip(pool.seats, wins_by_seat(pool), strict=True)):
        ends = " to ".join(map(percent, seat.interval)) if seat.interval else "-"
        rows.append((str(number), percent(wins), ends))
    return Table(f"{pool.title}: wins by seat", (), ("seat", "wins", "95 %"), rows)


def crosstables(pool: PoolTable) -> list[Table]:
    """The tables by two bots, without those that would repeat another."""
    bots, out = pool.crosstable.bots, []
    head = ("", "bot", *(str(number) for number in range(1, len(bots) + 1)))
    for what, title, shares, games in results_by_two(pool):
        rows = []
        for number, bot in enumerate(bots):
            of_row = zip(shares[number], games[number], strict=True)
            cells = (f"{percent(share)} ({count(met)})" if met else "-" for share, met in of_row)
            rows.append((str(number + 1), bot, *cells))
        title = f"{pool.title}: {title[:1].lower()}{title[1:]}"
        note = f"{CROSSTABLE_WORDS[what]} In percent (and in how many games)."
        out.append(Table(title, (note,), head, rows))
    return out


def results_by_two(pool: PoolTable) -> list[tuple[str, str, Shares, Counts]]:
    """A pool's crosstables: a word for what each tells, its title, shares and games.

    Who finished ahead of whom; then, with three sides or more, wins by opponent and by left
    neighbour. With two sides these would say the same again.
    """
    cross = pool.crosstable
    out = [("ahead", "Finished ahead of", cross.ahead_share, cross.games)]
    if cross.left_seat_win_share and cross.left_seat_games:
        out.append(("wins", "Wins by opponent", cross.win_share, cross.games))
        out.append(
            ("left", "Wins by left neighbour", cross.left_seat_win_share, cross.left_seat_games)
        )
    return out


def faults(doc: Standings) -> list[Table]:
    """The table of faults, if there are any."""
    faulty = [entry for entry in doc.faults if entry.total]
    seen = [kind for kind in KINDS if any(kind in entry.faults for entry in faulty)]
    rows = [
        (entry.bot, *(count(entry.faults.get(kind, 0)) for kind in seen), count(entry.total))
        for entry in faulty
    ]
    return [Table("Faults", (), ("bot", *map(name_kind, seen), "total"), rows)] if rows else []
