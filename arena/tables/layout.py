"""The standings as tables of plain strings: what every format shows, before any escaping."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from arena.model import FAULTS, FEW_DECKS, LEAST_DECKS
from arena.tables import caveats, settling
from arena.tables.columns import COLUMNS, Row, text_columns
from arena.tables.document import PoolTable, Standings
from arena.tables.values import (
    Counts,
    Shares,
    adding_up,
    between,
    count,
    in_prose,
    percent,
)
from arena.words import amount

AHEAD = (
    "How often the row's bot finished ahead of the column's, a tie half (and in how many games)."
)
WINS = "How often the row's bot won with the column's against it (and in how many games)."
LEFT = "How often the row's bot won with the column's to its left, who plays next (of how many)."


TEXTS = ("bot", "pool", "verdict", "and")
"""The columns that hold texts, in any table."""


class Table(NamedTuple):
    """A table of strings, not yet escaped."""

    title: str
    notes: tuple[str, ...]
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    @property
    def aligned(self) -> list[str]:
        """How its columns are aligned, as tabulate has it: texts to the left, numbers right."""
        return ["left" if label in TEXTS else "right" for label in self.head]


def facts(doc: Standings) -> list[str]:
    """What every format says beside the tables: size, seed, commitment, confinement and anchors."""
    seed = "given, deals not secret" if doc.seed == "given" else doc.seed
    size = f"{amount(len(doc.bots), 'bot')}, {amount(played(doc), 'game')}"
    committed = [f"commitment: {doc.commitment}"] if doc.commitment else []
    walls = f"confinement: {doc.confinement}"
    return [size, f"seed: {seed}", *committed, walls, *caveats.of_anchors(doc)]


def tables(doc: Standings) -> list[Table]:
    """All tables, from the widest view to the closest."""
    out = summaries(doc)
    for pool in doc.pools:
        out.append(ranking(pool.title, pool.table, pool_note(pool)))
        out += [seats(pool), *crosstables(pool)]
    return out + faults(doc)


def summaries(doc: Standings) -> list[Table]:
    """The overall table and those of games, without those that would repeat another."""
    out = []
    if len(doc.games) > 1:
        left = unlisted(doc)
        note = (f"Not listed, for not entering every game: {', '.join(left)}.",) if left else ()
        out.append(ranking("Overall", doc.overall, *note, *caveats.of_orders(doc)))
    notes = caveats.of_orders(doc) if len(doc.games) == 1 else []
    return out + [ranking(game.game, game.table, *notes) for game in doc.games if game.pools > 1]


def ranking(title: str, rows: Sequence[Row], *notes: str) -> Table:
    """A table of places, without scores where there are none."""
    columns = text_columns(rows)
    return Table(
        title,
        (*notes, *evidence(rows)),
        tuple(column.title for column in columns),
        [tuple(column.cell(row) for column in columns if column.cell) for row in rows],
    )


def evidence(rows: Sequence[Row]) -> list[str]:
    """Warnings to readers of a table's intervals: missing, rough or open. A pool's own note says
    which of its bots won or lost all.
    """
    of_pool = any(row.score is not None for row in rows)
    notes = [] if of_pool else [f"{words}." for words in one_sided(rows, " games of a pool")]
    without = [row.bot for row in rows if row.interval is None]
    if without:
        names = ", ".join(dict.fromkeys(without))  # a bot's own page has it in several rows
        whose = "" if len(without) == len(rows) else f" for {names}"
        why = f"on fewer than {LEAST_DECKS} decks they would mean nothing"
        return [*notes, f"No intervals{whose}: {why}."]
    if any(row.decks < FEW_DECKS for row in rows):
        return [*notes, f"Intervals are rough: some bots played fewer than {FEW_DECKS} decks."]
    return notes


def one_sided(rows: Sequence[Row], where: str) -> list[str]:
    """The words on bots whose interval is open: `a won all games of a pool: ...`."""
    won = [row.bot for row in rows if row.interval and row.interval[1] is None]
    lost = [row.bot for row in rows if row.interval and row.interval[0] is None]
    said = ((won, "won all", "upper"), (lost, "lost all", "lower"))
    return [
        f"{', '.join(bots)} {what}{where}: no {end} end of the rating is known"
        for bots, what, end in said
        if bots
    ]


def seats(pool: PoolTable) -> Table:
    """The table of wins by seat."""
    rows: list[tuple[str, ...]] = [
        (str(number), percent(wins), between(seat.interval))
        for number, (seat, wins) in enumerate(zip(pool.seats, wins_by_seat(pool), strict=True))
    ]
    return Table(f"{pool.title}: wins by seat", (), ("seat", "wins", "95 %"), rows)


def wins_by_seat(pool: PoolTable) -> list[float | None]:
    """The share of games that each seat won, as readers see it: all sides add up to 100.0 %. None
    without games.
    """
    wins = [seat.wins for seat in pool.seats if seat.wins is not None]
    if not wins:
        return [None] * len(pool.seats)
    teams = 2 if pool.partners else 1  # partners sit opposite, and have their team's wins both
    return [*adding_up(wins[: len(wins) // teams])] * teams


def crosstables(pool: PoolTable) -> list[Table]:
    """The tables by two bots, without those that would repeat another."""
    cross = pool.crosstable
    out = [_crosstable(pool, "finished ahead of", AHEAD, cross.ahead, cross.games)]
    if cross.left_wins and cross.left_games:
        out.append(_crosstable(pool, "wins by opponent", WINS, cross.wins, cross.games))
        title = "wins by left neighbour"
        out.append(_crosstable(pool, title, LEFT, cross.left_wins, cross.left_games))
    return out


def faults(doc: Standings) -> list[Table]:
    """The table of faults, if there are any."""
    faulty = [entry for entry in doc.faults if entry.total]
    seen = [kind for kind in kinds(doc) if any(kind in entry.faults for entry in faulty)]
    rows = [
        (entry.bot, *(count(entry.faults.get(kind, 0)) for kind in seen), count(entry.total))
        for entry in faulty
    ]
    return [Table("Faults", (), ("bot", *seen, "total"), rows)] if rows else []


def unlisted(doc: Standings) -> list[str]:
    """The names of the bots that are not in the overall table."""
    listed = {row.bot for row in doc.overall}
    return [bot.name for bot in doc.bots if bot.name not in listed]


def pool_note(pool: PoolTable) -> str:
    """What a pool's table leaves out: games, decks, ties, anchor, seats, doubts about ratings."""
    note = f"{amount(pool.games, 'game')} on {amount(pool.decks, 'deck')}"
    if pool.draw_probability is not None:
        sides = "teams" if pool.partners == "mixed" else "bots"
        note += f"; two equal {sides} would tie {in_prose(pool.draw_probability)} of games"
    if of_anchor := caveats.of_anchor(pool):
        note += f"; {of_anchor}"
    if not pool.converged:
        note += "; its ratings had not come to rest, so they are rough"
    if pool.games:
        by_seat = ", ".join(in_prose(wins) for wins in wins_by_seat(pool))
        note += f"; wins by seat: {by_seat}"
    if pool.line_ups_not_played:
        number = amount(pool.line_ups_not_played, "line-up")
        note += f"; not played: {number} of bots that do not load"
    if pool.partners == "mixed" and any(row.faults_total for row in pool.table):
        note += "; a forfeit costs the partner the game too"
    doubtful = one_sided(pool.table, "")
    note += "".join(f"; {words}" for words in doubtful)
    if doubtful and len(pool.table) > 2 and not pool.anchor:
        note += ", nor quite where the mean is: measure from an anchor to be surer of the others"
    if doubt := caveats.of_fit(pool.fit):
        note += f"; {doubt}"
    if pool.settle:
        note += f"; {settling.in_words(pool.settle)}"
    return note


def legend(doc: Standings, left_out: Container[str] = ()) -> list[str]:
    """What the rankings' columns mean whose titles do not say it, except those left out; and which
    bots are identical.
    """
    if not doc.pools:
        return []
    words = meanings(doc)
    titles = [column.title for column in COLUMNS if column.in_legend]
    columns = [f"{title}: {words[title]}" for title in titles if title not in left_out]
    return [
        f"{'; '.join(columns)}.",
        *(f"{caveats.of_identical(names)}." for names in doc.identical),
    ]


def meanings(doc: Standings) -> dict[str, str]:
    """What the rankings' columns mean in these standings, by their titles."""
    words = {column.title: column.meaning for column in COLUMNS}
    words["±"] += f" (from {count(doc.refits)} refits)" if doc.refits else ""
    if any(row.interval and None in row.interval for pool in doc.pools for row in pool.table):
        words["±"] += ", its one end (> or <) where a bot won or lost all"
        words["±"] += " (refits cannot help there: none turns out otherwise)" if doc.refits else ""
    if any(pool.anchor and not pool.anchor.refused for pool in doc.pools):
        words["rating"] += ", or its anchor is what was set"
    return words


def kinds(doc: Standings) -> list[str]:
    """The kinds of fault, in the order of the tables."""
    seen = {kind for entry in doc.faults for kind in entry.faults}
    return [*FAULTS, *sorted(seen - set(FAULTS))]


def played(doc: Standings) -> int:
    """How many games were played."""
    return sum(pool.games for pool in doc.pools)


def _crosstable(pool: PoolTable, title: str, note: str, shares: Shares, games: Counts) -> Table:
    rows = []
    for number, bot in enumerate(pool.crosstable.bots, 1):
        of_row = zip(shares[number - 1], games[number - 1], strict=True)
        cells = (f"{percent(share)} ({count(met)})" if met else "-" for share, met in of_row)
        rows.append((str(number), bot, *cells))
    head = ("", "bot", *(str(number) for number in range(1, len(rows) + 1)))
    return Table(f"{pool.title}: {title}", (note,), head, rows)
