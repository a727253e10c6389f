"""The standings as the terminal shows them, in lines that fit.

Every string of the document is taken for hostile, names too, and goes through `arena.escape`.
"""

from collections.abc import Sequence
from textwrap import wrap

from tabulate import tabulate

from arena.escape import visible
from arena.tables import layout
from arena.tables.document import GameTable, PoolTable, Row, Standings
from arena.tables.layout import Table

GIVES_WAY = ("low", "next", "group", "faults", "games", "score", "places")
"""The columns that a narrow terminal does without, those that say least first."""


def plain(doc: Standings, width: int = 80) -> str:
    """Return what the terminal shows, in lines of at most `width` (60 or more) characters.

    Overall, then by game, then by pool, then the faults if there are any. Where a table is too
    wide, the columns that say least are left out, then names are cut.
    """
    out = [line for fact in (doc.name, *layout.facts(doc)) for line in _wrapped(fact, width)]
    rankings = [_fitting(table, width) for table in layout.summaries(doc)]
    for table in rankings:
        out += _section(table, width)
    for game in doc.games:
        pools = [pool for pool in doc.pools if pool.game == game.game]
        if len(pools) == 1:
            (pool,) = pools
            ranking = layout.ranking(pool.title, pool.table, layout.pool_note(pool))
            rankings.append(_fitting(ranking, width))
            out += _section(rankings[-1], width)
        else:
            out += _by_pool(game, pools, width)
    left_out = {*GIVES_WAY} - {label for table in rankings for label in table.head}
    out += ["", *(line for note in layout.legend(doc, left_out) for line in _wrapped(note, width))]
    faulty = [entry for entry in doc.faults if entry.total]
    out += ["", "Faults"] if faulty else []
    for entry in faulty:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in entry.faults.items())
        out += _wrapped(f"{entry.bot}: {kinds}", width)
    return "\n".join(out) + "\n"


def _section(table: Table, width: int) -> list[str]:
    """Return a table that fits for the terminal: an empty line, its title, lines and notes."""
    out = ["", *_wrapped(table.title, width), *_lines(table)]
    return out + [line for note in table.notes for line in _wrapped(note, width)]


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(visible(text), width, subsequent_indent="  ", break_on_hyphens=False)


def _fitting(table: Table, width: int) -> Table:
    """Return a table without what is too wide for the terminal."""
    too_wide = _width(table) - width
    for label in GIVES_WAY:
        if too_wide <= 0:
            return table
        table = _without(table, label)
        too_wide = _width(table) - width
    return table if too_wide <= 0 else _with_names_cut(table, too_wide)


def _without(table: Table, label: str) -> Table:
    """Return the table without a column, if it has that."""
    keep = [index for index, title in enumerate(table.head) if title != label]
    head, *rows = (tuple(line[index] for index in keep) for line in (table.head, *table.rows))
    return table._replace(head=head, rows=rows)


def _with_names_cut(table: Table, too_wide: int) -> Table:
    """Return the table with its longest names shorter by so many characters."""
    at = table.head.index("bot")
    room = max(len(visible(row[at])) for row in table.rows) - too_wide
    rows = [(*row[:at], _cut(visible(row[at]), room), *row[at + 1 :]) for row in table.rows]
    return table._replace(rows=rows)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 2, 1)] + ".."


def _width(table: Table) -> int:
    return len(_lines(table)[0])


def _lines(table: Table) -> list[str]:
    """Return the lines of a table, all of one length, the head underlined."""
    # The head goes in as a row: as a head tabulate would give it room to spare.
    text = tabulate(
        [[visible(cell) for cell in row] for row in (table.head, *table.rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=table.aligned,
    )
    lines = text.splitlines()
    return [lines[0], "-" * len(lines[0]), *lines[1:]]


def _by_pool(game: GameTable, pools: Sequence[PoolTable], width: int) -> list[str]:
    """Return the ratings of a game by bot and pool, and a line on each pool.

    In as many blocks of columns as it takes.
    """
    labels = _labels(pools)
    ratings = [{row.bot: _rating(row) for row in pool.table} for pool in pools]
    ranked = [row.bot for row in game.table]
    bots = [*ranked, *sorted({bot for own in ratings for bot in own} - {*ranked})]
    room = max((len(visible(bot)) for bot in bots), default=0)
    columns = max(1, (width - min(room, 32)) // (2 + max(11, *map(len, labels))))
    out: list[str] = []
    for start in range(0, len(pools), columns):
        block = slice(start, start + columns)
        rows = [(bot, *(own.get(bot, "-") for own in ratings[block])) for bot in bots]
        title = f"{game.game}: ratings by pool"
        out += _section(_fitting(Table(title, (), ("bot", *labels[block]), rows), width), width)
    for label, pool in zip(labels, pools, strict=True):
        options = "" if pool.options == "{}" else f" {pool.options}"
        out += _wrapped(f"{label}{options}: {layout.pool_note(pool)}", width)
    return out


def _labels(pools: Sequence[PoolTable]) -> list[str]:
    """Return a short name for each pool of one game: `3p`, and `3p 1`, `3p 2` where two have it."""
    short = [_label(pool) for pool in pools]
    return [
        f"{label} {short[: index + 1].count(label)}" if short.count(label) > 1 else label
        for index, label in enumerate(short)
    ]


def _label(pool: PoolTable) -> str:
    if not pool.partners:
        return f"{pool.players}p"
    return "2v2" if pool.partners == "same" else f"2v2 {pool.partners}"


def _rating(row: Row) -> str:
    """Return a rating with its interval: `29.86 ±0.41`."""
    return layout.two(row.mu) + (f" ±{layout.reach(row)}" if row.interval else "")
