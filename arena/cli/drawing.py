"""A game's table drawn on a terminal, from the zones that any game describes.

`rich` draws it in colour, cards as cards. Without a terminal, or if NO_COLOR or TERM=dumb asks for
it, it is plain lines, which a screen reader can read.
"""

import io
import os
import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.errors import UsageError
from arena.escape import visible
from games import Zone

if TYPE_CHECKING:
    from rich.text import Text

COLUMNS, ROWS = 40, 12  # the least that a table is drawn on
WIDEST = 100
BLANK = "░░"
NARROW = "\N{NO-BREAK SPACE}"  # so that no line ends within a card


def size() -> tuple[int, int]:
    """The terminal's columns and rows. Raises UsageError where a table has no room."""
    columns, rows = shutil.get_terminal_size((80, 24))
    if columns < COLUMNS or rows < ROWS:
        raise UsageError(
            f"the terminal has {columns} columns and {rows} rows; a table takes {COLUMNS} and "
            f"{ROWS}: make the window larger"
        )
    return columns, rows


def is_plain() -> bool:
    """Whether tables are drawn in plain lines."""
    dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown")
    return dumb or bool(os.environ.get("NO_COLOR")) or not sys.stdout.isatty()


def drawn(
    zones: Sequence[Zone], names: Sequence[str], turn: int | None, columns: int, plain: bool
) -> list[str]:
    """Draw a table as lines of at most `columns`; `names` by seat, `turn` the seat to decide.

    Lines that are not `plain` have colour codes.
    """
    return _plain(zones, names, turn, columns) if plain else _rich(zones, names, turn, columns)


def _plain(
    zones: Sequence[Zone], names: Sequence[str], turn: int | None, columns: int
) -> list[str]:
    from arena.records.replay import (
        describe_zones,  # here: loads all that reads records, which `--help` does not need
    )

    lines = _wrapped(describe_zones(zone for zone in zones if zone.seat is None), columns)
    for seat, name in enumerate(names):
        mark = "> " if seat == turn else "  "
        zones_text = describe_zones(zone for zone in zones if zone.seat == seat)
        who = f"{mark}{seat} {name}".rstrip()
        lines += _wrapped(f"{who}: {zones_text}" if zones_text else who, columns)
    return lines


def _wrapped(line: str, columns: int) -> list[str]:
    return wrap(line, columns, subsequent_indent="    ", break_on_hyphens=False) if line else []


def _rich(zones: Sequence[Zone], names: Sequence[str], turn: int | None, columns: int) -> list[str]:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from arena.records.replay import describe_zone

    middle = Table.grid(padding=(0, 2))
    middle.add_column(no_wrap=True, style="dim")
    middle.add_column()
    numbers = [zone for zone in zones if zone.seat is None and not zone.cards]
    for zone in zones:
        if zone.seat is None and zone.cards:
            middle.add_row(Text(visible(zone.name)), _cards(zone))
    line = Text("   ").join(
        Text.assemble((visible(zone.name) + " ", "dim"), (describe_zone(zone), "bold"))
        for zone in numbers
    )
    heads = list(dict.fromkeys(zone.name for zone in zones if zone.seat is not None))
    seats = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    seats.add_column("", no_wrap=True)
    for head in heads:
        seats.add_column(Text(visible(head)))
    by_place = {(zone.name, zone.seat): zone for zone in zones}
    for seat, name in enumerate(names):
        mark = "▶" if seat == turn else " "
        who = Text(f"{mark} {seat} {name}", "bold" if seat == turn else "")
        seat_zones = [by_place.get((head, seat)) for head in heads]
        seats.add_row(who, *(_cards(zone) if zone else Text("") for zone in seat_zones))
    text = io.StringIO()
    console = Console(
        file=text, width=min(columns, WIDEST), force_terminal=True, highlight=False, markup=False,
        color_system="standard",
    )  # fmt: skip
    console.print(Group(middle, line, Text(""), seats))
    return text.getvalue().rstrip("\n").split("\n")


def _cards(zone: Zone) -> "Text":
    """A zone's pieces, cards as cards."""
    from rich.text import Text

    from arena.records.replay import describe_zone

    if not zone.cards:
        return Text(describe_zone(zone), "dim" if zone.pieces[0].back else "bold")
    text = Text()
    for piece in zone.pieces:
        if piece.back and not piece.text:
            text.append(BLANK, "blue")
        else:
            text.append(
                f"{NARROW}{visible(piece.text)}{NARROW}", "dim" if piece.back else "black on white"
            )
        text.append(" ")
    return text if zone.pieces else Text("-", "dim")
