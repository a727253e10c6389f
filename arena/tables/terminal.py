"""Tables that fit a terminal: the standings, CPU times, and any other table, in lines of its width.

Where a table is too wide, columns are left out, then names are cut; or texts go on in further
lines. Every string is taken for hostile, names too, and goes through `arena.words`. Pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap

from tabulate import tabulate

import games
from arena.model import Limits, Timing
from arena.tables import layout
from arena.tables.columns import GIVES_WAY, Row, show_reach
from arena.tables.document import GameTable, PoolTable, Standings
from arena.tables.layout import Table
from arena.tables.values import two
from arena.words import short_duration, visible

BOTS_TIMED = 10  # those nearest their limit
ALL_COLUMNS = "`arena standings --format github`"
EASY, LEAST = 24, 8
"""Characters that a column keeps whose texts go on in further lines: while other columns can be
left out, and at the least."""


def plain(doc: Standings, width: int = 80) -> str:
    """The standings for the terminal, in lines of at most `width` (60 or more) characters.

    Overall, then by game, then by pool, then the faults if there are any. Where a table is too
    wide, the columns that say least are left out, then names are cut.
    """
    out = _wrapped((doc.name, *layout.list_facts(doc)), width)
    rankings = layout.summaries(doc)
    shown = [_fitted(table, width) for table in rankings]
    for table in shown:
        out += _section(table, width)
    for game in doc.games:
        pools = [pool for pool in doc.pools if pool.game == game.game]
        if len(pools) == 1:
            (pool,) = pools
            rankings.append(layout.ranking(pool.title, pool.table, layout.pool_note(pool)))
            shown.append(_fitted(rankings[-1], width))
            out += _section(shown[-1], width)
        else:
            out += _by_pool(game, pools, width)
    unseen = {*GIVES_WAY} - {label for table in shown for label in table.head}
    notes = [*layout.legend(doc, unseen), *left_out(rankings, shown, ALL_COLUMNS)]
    out += ["", *_wrapped(notes, width)]
    faulty = [entry for entry in doc.faults if entry.total]
    out += ["", "Faults"] if faulty else []
    for entry in faulty:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in entry.faults.items())
        out += _wrapped([f"{entry.bot}: {kinds}"], width)
    return "\n".join(out) + "\n"


def sheet(
    title: str, facts: Iterable[str], tables: Iterable[Table], notes: Iterable[str], width: int
) -> str:
    """A title, facts, tables and notes for the terminal, in lines of at most `width` characters."""
    out = _wrapped((title, *facts), width)
    for table in tables:
        out += _section(_fitted(table, width), width)
    return "\n".join([*out, "", *_wrapped(notes, width)]) + "\n"


def _section(table: Table, width: int) -> list[str]:
    """A table that fits, for the terminal: an empty line, its title, lines and notes."""
    return ["", *_wrapped([table.title], width), *lines(table), *_wrapped(table.notes, width)]


def _wrapped(texts: Iterable[str], width: int) -> list[str]:
    """Wrap each text, so that no line begins with the sign of a percentage."""
    out = []
    for text in texts:
        joined = visible(text).replace(" %", "\N{NO-BREAK SPACE}%")
        out += wrap(joined, width, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}%", " %") for line in out]


def _fitted(table: Table, width: int) -> Table:
    """Leave out columns, then cut the longest names, until the table fits the terminal."""
    table = _with_fewer_columns(table, width, GIVES_WAY)
    excess = _excess(table, width)
    if excess <= 0:
        return table
    at = table.head.index("bot")
    names = [visible(row[at]) for row in table.rows]
    room = max(map(len, names), default=0) - excess
    cut = (name if len(name) <= room else name[: max(room - 2, 1)] + ".." for name in names)
    rows = [(*row[:at], name, *row[at + 1 :]) for row, name in zip(table.rows, cut, strict=True)]
    return table._replace(rows=rows)


def _by_pool(game: GameTable, pools: Sequence[PoolTable], width: int) -> list[str]:
    """A game's ratings by bot and pool, in as many blocks of columns as it takes, and a line on
    each pool.
    """
    labels = _labels(pools)
    ratings = [{row.bot: _rating(row) for row in pool.table} for pool in pools]
    ranked = [row.bot for row in game.table]
    bots = [*ranked, *sorted({bot for of_pool in ratings for bot in of_pool} - {*ranked})]
    room = max((len(visible(bot)) for bot in bots), default=0)
    cells = [cell for of_pool in ratings for cell in of_pool.values()]
    columns = max(1, (width - min(room, 32)) // (2 + max(11, *map(len, (*labels, *cells)))))
    out: list[str] = []
    for start in range(0, len(pools), columns):
        block = slice(start, start + columns)
        rows = [(bot, *(of_pool.get(bot, "-") for of_pool in ratings[block])) for bot in bots]
        title = f"{games.title(game.game)}: ratings by pool"
        out += _section(_fitted(Table(title, (), ("bot", *labels[block]), rows), width), width)
    for label, pool in zip(labels, pools, strict=True):
        options = "" if pool.options == "{}" else f" {pool.options}"
        out += _wrapped([f"{label}{options}: {layout.pool_note(pool)}"], width)
    return out


def _labels(pools: Sequence[PoolTable]) -> list[str]:
    """A short name for each pool of one game: `3p`; `3p 1` and `3p 2` where two would have it."""
    kinds = {"": "", "same": "2v2", "mixed": "2v2 mixed"}
    short = [kinds[pool.partners] or f"{pool.players}p" for pool in pools]
    return [
        f"{label} {short[: index + 1].count(label)}" if short.count(label) > 1 else label
        for index, label in enumerate(short)
    ]


def _rating(row: Row) -> str:
    """A rating with its interval: `29.86 ±0.41`, `41.20 >33.98`."""
    reach = show_reach(row.interval)
    if reach == "-":
        return two(row.mu)
    return f"{two(row.mu)} {'' if reach[0] in '<>' else '±'}{reach}"


def cpu_times(timings: Sequence[Timing], limits: Limits, late: Mapping[str, int]) -> str:
    """A table of the bots that used most of their limit, all pools together; empty if none decided.

    `late` is how many games each bot forfeited for its time. Such bots come first, since what they
    used when they were stopped is in no batch.
    """
    used = []
    for name in {timing.bot for timing in timings}:
        of_bot = [timing for timing in timings if timing.bot == name]
        decisions = sum(timing.decisions for timing in of_bot)
        faults = late.get(name, 0)
        if decisions or faults:
            worst_s = max(timing.worst_s for timing in of_bot)
            mean = sum(timing.cpu_s for timing in of_bot) / decisions if decisions else None
            used.append((-faults, -worst_s, name, mean))
    if not used:
        return ""
    rows = [
        {
            "bot": visible(name),
            "time faults": f"{-faults:,}",
            "worst batch": short_duration(-worst_s) if worst_s else "-",
            "mean with loading": "-" if mean_s is None else short_duration(mean_s),
        }
        for faults, worst_s, name, mean_s in sorted(used)[:BOTS_TIMED]
    ]
    if not any(late.values()):
        for row in rows:
            del row["time faults"]
    aligned = ("left", *["right"] * (len(rows[0]) - 1))
    text = tabulate(rows, "keys", colalign=aligned, disable_numparse=True)
    more = f"\nand {len(used) - BOTS_TIMED} more, in timing.csv" if len(used) > BOTS_TIMED else ""
    return f"CPU time per decision, limit {limits.cpu_ms} ms:\n{text}{more}"


def lines(table: Table) -> list[str]:
    """A table's lines, the head underlined; all of one length if the last column holds numbers."""
    # The head goes in as a row: as a head tabulate would give it room to spare.
    text = tabulate(
        [[visible(cell) for cell in row] for row in (table.head, *table.rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=table.aligned,
    )
    made = text.splitlines()
    return [made[0], "-" * max(map(len, made)), *made[1:]]


def _excess(table: Table, width: int) -> int:
    """By how many characters the longest line is too long; 0 or less if the table fits."""
    return max(map(len, lines(table))) - width


def _with_fewer_columns(table: Table, width: int, gives_way: Sequence[str]) -> Table:
    """Leave out columns, in the order of `gives_way`, until the table fits."""
    for label in gives_way:
        if _excess(table, width) <= 0:
            break
        keep = [index for index, title in enumerate(table.head) if title != label]
        head, *rows = (tuple(line[index] for index in keep) for line in (table.head, *table.rows))
        table = table._replace(head=head, rows=rows)
    return table


def fit_whole_texts(
    heads: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    width: int,
    gives_way: Sequence[str],
    texts: Collection[str],
) -> list[str]:
    """A table's lines with no text cut: those of the columns `texts` go on in further lines. Where
    they would be too narrow to read, the columns `gives_way` are left out, and the last line says
    so.
    """
    table = Table("", (), tuple(heads), rows)
    room = _room(table, texts)
    spare = sum(max(0, wide - EASY) for wide in room.values())
    left = _with_fewer_columns(table, width + spare, gives_way)
    return [*lines(_narrowed(left, width, texts)), *left_out([table], [left], "--json")]


def _room(table: Table, texts: Collection[str]) -> dict[int, int]:
    """The widths of the columns of texts, by their index."""
    return {
        at: max(len(visible(row[at])) for row in (table.head, *table.rows))
        for at, label in enumerate(table.head)
        if label in texts
    }


def _narrowed(table: Table, width: int, texts: Collection[str]) -> Table:
    """Narrow the widest columns of texts, to `LEAST` characters at least, until the table fits."""
    room, excess = _room(table, texts), _excess(table, width)
    while excess > 0 and max(room.values(), default=0) > LEAST:
        room[max(room, key=room.__getitem__)] -= 1
        excess -= 1
    rows: list[tuple[str, ...]] = []
    for row in table.rows:
        parts = [
            wrap(visible(cell), room[at], break_on_hyphens=False) if at in room else [cell]
            for at, cell in enumerate(row)
        ]
        rows += zip_longest(*parts, fillvalue="")
    return table._replace(rows=rows)


def left_out(tables: Sequence[Table], shown: Sequence[Table], remedy: str) -> list[str]:
    """A line that names the columns which the tables as shown do without, if any; `remedy` is what
    shows them.
    """
    missing = dict.fromkeys(
        label
        for table, fitted in zip(tables, shown, strict=True)
        for label in table.head
        if label not in fitted.head
    )
    return [f"left out at this width: {', '.join(missing)}; {remedy} shows all"] if missing else []
