"""Tables in the width of a terminal: what gives way where there is too little of it. Pure.

Every cell is taken for hostile, and goes through `arena.escape`.
"""

from collections.abc import Collection, Sequence
from itertools import zip_longest
from textwrap import wrap

from tabulate import tabulate

from arena.escape import visible
from arena.tables.layout import Table

EASY, LEAST = 24, 8
"""Characters that a column keeps whose texts go on in further lines: while other columns can be
left out, and at the least."""


def lines(table: Table) -> list[str]:
    """Return the lines of a table, the head underlined; all of one length if it ends in numbers."""
    # The head goes in as a row: as a head tabulate would give it room to spare.
    text = tabulate(
        [[visible(cell) for cell in row] for row in (table.head, *table.rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=table.aligned,
    )
    made = text.splitlines()
    return [made[0], "-" * max(map(len, made)), *made[1:]]


def too_wide(table: Table, width: int) -> int:
    """Return how many characters of a line have no room; 0 or less if all have."""
    return max(map(len, lines(table))) - width


def less_columns(table: Table, width: int, gives_way: Sequence[str]) -> Table:
    """Return the table without as many of the columns, in their order, as it takes to fit."""
    for label in gives_way:
        if too_wide(table, width) <= 0:
            return table
        table = _without(table, label)
    return table


def _without(table: Table, label: str) -> Table:
    """Return the table without a column, if it has that."""
    keep = [index for index, title in enumerate(table.head) if title != label]
    head, *rows = (tuple(line[index] for index in keep) for line in (table.head, *table.rows))
    return table._replace(head=head, rows=rows)


def with_names_cut(table: Table, width: int) -> Table:
    """Return the table with its longest names cut until it fits."""
    at = table.head.index("bot")
    room = max((len(visible(row[at])) for row in table.rows), default=0) - too_wide(table, width)
    rows = [(*row[:at], _cut(visible(row[at]), room), *row[at + 1 :]) for row in table.rows]
    return table._replace(rows=rows)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 2, 1)] + ".."


def whole_texts(
    table: Table, width: int, gives_way: Sequence[str], texts: Collection[str]
) -> list[str]:
    """Return the lines of a table of which no text may be cut: those of the columns `texts` go on
    in further lines. Where they would be too narrow to read, the columns `gives_way` are left out,
    and the last line says so.
    """
    room = _room(table, texts)
    spare = sum(max(0, wide - EASY) for wide in room.values())
    left = less_columns(table, width + spare, gives_way)
    return [*lines(_wrapped(left, width, texts)), *left_out([table], [left], "--json")]


def _room(table: Table, texts: Collection[str]) -> dict[int, int]:
    """Return how wide the columns of texts are, by their index."""
    return {
        at: max(len(visible(row[at])) for row in (table.head, *table.rows))
        for at, label in enumerate(table.head)
        if label in texts
    }


def _wrapped(table: Table, width: int, texts: Collection[str]) -> Table:
    """Return the table with the widest of the columns of texts narrower until it fits."""
    room, excess = _room(table, texts), too_wide(table, width)
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
    """Return a line on the columns that tables as shown do without, if any; `remedy` has them."""
    missing = dict.fromkeys(
        label
        for table, fitted in zip(tables, shown, strict=True)
        for label in table.head
        if label not in fitted.head
    )
    return [f"left out at this width: {', '.join(missing)}; {remedy} shows all"] if missing else []
