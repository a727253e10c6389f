"""The standings as the terminal shows them, in lines that fit.

Every string of the document is taken for hostile, names too, and goes through `arena.escape`.
"""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from arena.escape import visible
from arena.tables import fitting, layout
from arena.tables.columns import GIVES_WAY, Row, reach
from arena.tables.document import GameTable, PoolTable, Standings
from arena.tables.layout import Table
from arena.tables.values import two

ALL_COLUMNS = "`arena standings --format github`"


def plain(doc: Standings, width: int = 80) -> str:
    """Return what the terminal shows, in lines of at most `width` (60 or more) characters.

    Overall, then by game, then by pool, then the faults if there are any. Where a table is too
    wide, the columns that say least are left out, then names are cut.
    """
    out = [line for fact in (doc.name, *layout.facts(doc)) for line in _wrapped(fact, width)]
    rankings = layout.summaries(doc)
    shown = [_fitting(table, width) for table in rankings]
    for table in shown:
        out += _section(table, width)
    for game in doc.games:
        pools = [pool for pool in doc.pools if pool.game == game.game]
        if len(pools) == 1:
            (pool,) = pools
            rankings.append(layout.ranking(pool.title, pool.table, layout.pool_note(pool)))
            shown.append(_fitting(rankings[-1], width))
            out += _section(shown[-1], width)
        else:
            out += _by_pool(game, pools, width)
    unseen = {*GIVES_WAY} - {label for table in shown for label in table.head}
    notes = [*layout.legend(doc, unseen), *fitting.left_out(rankings, shown, ALL_COLUMNS)]
    out += ["", *(line for note in notes for line in _wrapped(note, width))]
    faulty = [entry for entry in doc.faults if entry.total]
    out += ["", "Faults"] if faulty else []
    for entry in faulty:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in entry.faults.items())
        out += _wrapped(f"{entry.bot}: {kinds}", width)
    return "\n".join(out) + "\n"


def sheet(
    title: str, facts: Iterable[str], tables: Iterable[Table], notes: Iterable[str], width: int
) -> str:
    """Return a title, facts, tables and notes as the terminal shows them, in lines that fit."""
    out = [line for text in (title, *facts) for line in _wrapped(text, width)]
    for table in tables:
        out += _section(_fitting(table, width), width)
    out += ["", *(line for note in notes for line in _wrapped(note, width))]
    return "\n".join(out) + "\n"


def _section(table: Table, width: int) -> list[str]:
    """Return a table that fits for the terminal: an empty line, its title, lines and notes."""
    out = ["", *_wrapped(table.title, width), *fitting.lines(table)]
    return out + [line for note in table.notes for line in _wrapped(note, width)]


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines, of which none begins with the sign of a percentage."""
    joined = visible(text).replace(" %", "\N{NO-BREAK SPACE}%")
    lines = wrap(joined, width, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}%", " %") for line in lines]


def _fitting(table: Table, width: int) -> Table:
    """Return a table without what is too wide for the terminal."""
    table = fitting.less_columns(table, width, GIVES_WAY)
    return fitting.with_names_cut(table, width) if fitting.too_wide(table, width) > 0 else table


def _by_pool(game: GameTable, pools: Sequence[PoolTable], width: int) -> list[str]:
    """Return the ratings of a game by bot and pool, and a line on each pool.

    In as many blocks of columns as it takes.
    """
    labels = _labels(pools)
    ratings = [{row.bot: _rating(row) for row in pool.table} for pool in pools]
    ranked = [row.bot for row in game.table]
    bots = [*ranked, *sorted({bot for own in ratings for bot in own} - {*ranked})]
    room = max((len(visible(bot)) for bot in bots), default=0)
    cells = [cell for own in ratings for cell in own.values()]
    columns = max(1, (width - min(room, 32)) // (2 + max(11, *map(len, (*labels, *cells)))))
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
    """Return a rating with its interval: `29.86 ±0.41`, `41.20 >33.98`."""
    half = reach(row)
    if half == "-":
        return two(row.mu)
    return f"{two(row.mu)} {'' if half[0] in '<>' else '±'}{half}"
