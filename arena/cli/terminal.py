"""The terminal: what is printed there, and what a person is asked; how wide it is, and what it can.

A game's table is drawn from the zones that any game describes: by `rich`, in colour, cards as
cards; or in plain lines, which a screen reader can read, where no terminal is or NO_COLOR or
TERM=dumb asks for it.
"""

import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import typer

from arena.cli.commands import load_commands
from arena.errors import FAILED, UsageError
from arena.system.abilities import WINDOWS
from arena.words import visible

if TYPE_CHECKING:
    from rich.text import Text

    from games import Zone

COLUMNS, ROWS = 40, 12  # the least that a table is drawn on
WIDEST = 100
BLANK = "░░"
READABLE = 90  # columns of running text

_COMMAND = re.compile(r"(?<![\w./-])(?:bot)?arena(?= (--|\w+))")


def say(*lines: str) -> None:
    """Print messages for people, to stderr."""
    _echo(map(rewrite_commands, lines), err=True)


def out(*lines: str) -> None:
    """Print results, to stdout."""
    _echo(lines, err=False)


def rewrite_commands(text: str) -> str:
    """Write the commands in a text as its reader can type them."""
    known = {"--", "COMMAND", *load_commands()}
    return _COMMAND.sub(lambda it: find_program() if it[1] in known else it[0], text)


def find_program() -> str:
    """The words that called this program: `arena`, `uvx botarena`, `python3 -m arena` or a path."""
    place, name = Path(os.path.abspath(sys.argv[0])), os.path.basename(sys.argv[0])
    if name == "__main__.py":
        return quote(sys.orig_argv[0], "-m", "arena")
    if name not in ("arena", "botarena"):
        return "arena"  # somebody else's process
    if re.search(r"/archive-v\d+/", place.as_posix()):  # of uv's cache
        return "uvx botarena"
    if re.search(r"/pipx/(\.cache/)?[0-9a-f]{15}/", place.as_posix()):
        return "pipx run botarena"
    command = shutil.which(name)  # on Windows with .exe, which the program's own name lacks
    is_command = command is not None and Path(command).with_suffix("") == place
    return name if sys.argv[0] == name or is_command else quote(str(place))


def page(markdown: str) -> None:
    """Print a page of our own: on a terminal laid out, and a screenful at a time; elsewhere as it
    is.
    """
    if not sys.stdout.isatty():
        out(*markdown.splitlines())
        return
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    styles = dict.fromkeys(("code", "table.header", "h2", "h3"), "bold") | {"table.border": "dim"}
    theme = Theme({f"markdown.{part}": style for part, style in styles.items()})
    columns, rows = shutil.get_terminal_size()
    console = Console(width=min(columns - 1, READABLE), theme=theme)
    with console.capture() as laid_out:
        console.print(Markdown(markdown))
    lines = laid_out.get().splitlines(keepends=True)
    at_once = max(rows - 1, 1) if sys.stdin.isatty() and not is_dumb() else len(lines)
    with suppress(EOFError):
        for start in range(0, len(lines), at_once):
            if start and input(f"{start} of {len(lines)} lines; Enter: more, q: end > ").strip():
                return
            paint("".join(lines[start : start + at_once]))


def _echo(lines: Iterable[str], err: bool) -> None:
    """Print lines for `say` and `out`, the only ones that print.

    Of text that strangers wrote, no unprintable character reaches the terminal, and no line end
    starts a line.
    """
    typer.echo("".join(f"{visible(line)}\n" for line in lines), nl=False, err=err)


def is_dumb() -> bool:
    """True if the terminal can only print, or is unknown."""
    return os.environ.get("TERM", "dumb") in ("dumb", "unknown")


def confirm(warning: Iterable[str], question: str, nothing: str) -> None:
    """Ask the person at the terminal after a warning; `nothing` says that it was not done.

    Raises UsageError where there is no terminal to ask at, typer.Exit if the answer is no.
    """
    if not sys.stdin.isatty():
        raise UsageError(*warning, f"{nothing}; add --yes to confirm")
    say(*warning)
    agreed = False
    with suppress(typer.Abort):  # at the end of input
        agreed = typer.confirm(question, err=True)
    if not agreed:
        say(f"{nothing}.")
        raise typer.Exit(FAILED)


def draw(line: str) -> None:
    """Draw a line on the terminal at stderr, over the one before; "" clears it."""
    room = shutil.get_terminal_size((80, 24)).columns - 1
    sys.stderr.write("\r\x1b[2K" + visible(line)[:room])
    sys.stderr.flush()


def paint(codes: str) -> None:
    """Write text with the terminal's own codes to stdout, without an end of line.

    The codes are ours, as strangers' text went through `visible` when it was drawn.
    """
    typer.echo(codes, nl=False)


def in_ascii() -> bool:
    """True if standard output has no characters to draw bars with."""
    try:
        "·─●".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return True
    return False


def width() -> int:
    """The columns for tables, 60 to 120.

    They come from `COLUMNS`, else from the terminal at any of the standard streams, even where
    output goes through a pipe; else 120.
    """
    columns = int(word) if (word := os.environ.get("COLUMNS", "")).isdecimal() else 0
    for stream in (1, 2, 0):
        with suppress(OSError):  # no terminal
            columns = columns or os.get_terminal_size(stream).columns
    return max(60, min(columns or 120, 120))


def fit_table(
    heads: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    gives_way: Sequence[str],
    texts: Sequence[str] = ("pool",),
) -> list[str]:
    """Lay out a table as wide as the terminal: of the columns `gives_way` some may be left out, and
    `texts` go on in further lines.
    """
    from arena.tables.terminal import fit_whole_texts

    return fit_whole_texts(heads, rows, width(), gives_way, texts)


def wrap_indented(line: str) -> list[str]:
    """A line as wide as the terminal at most: what is left over goes on below its text."""
    indent = len(line) - len(line.lstrip("0123456789. "))
    return wrap(line, width(), subsequent_indent=" " * min(indent, 6), break_on_hyphens=False)


def near(path: Path) -> str:
    """A path as one would type it here: relative to the current folder, if it lies inside."""
    from_here = Path(os.path.relpath(path))
    typed = (path if ".." in from_here.parts[:1] else from_here).as_posix()
    return quote(f"./{typed}" if typed.startswith("-") else typed)


def quote(*words: str) -> str:
    """Words of a command as this system's shell takes them."""
    if not WINDOWS:
        return shlex.join(words)
    from subprocess import list2cmdline  # slow to load

    return list2cmdline(words)


def again() -> str:
    """The command that resumes: the same as now, without --fresh."""
    return quote("arena", *(word for word in sys.argv[1:] if word != "--fresh"))


def check_room() -> None:
    """Raise UsageError where a table has no room."""
    columns, rows = shutil.get_terminal_size((80, 24))
    if columns < COLUMNS or rows < ROWS:
        raise UsageError(f"Terminal too small ({columns}×{rows}); need at least {COLUMNS}×{ROWS}.")


def draw_table(zones: Sequence["Zone"], names: Sequence[str], turn: int | None) -> list[str]:
    """Draw a table as lines, in colour or plain; `names` by seat, `turn` the seat to decide."""
    columns = max(COLUMNS, shutil.get_terminal_size().columns)
    if is_dumb() or os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return _in_words(zones, names, turn, columns)
    return _in_colour(zones, names, turn, columns)


def _in_words(
    zones: Sequence["Zone"], names: Sequence[str], turn: int | None, columns: int
) -> list[str]:
    # here: loads all that reads records, which `--help` does not need
    from arena.records.replay import describe_zones

    lines = [describe_zones(zone for zone in zones if zone.seat is None)]
    for seat, name in enumerate(names):
        who = f"{'> ' if seat == turn else '  '}{seat} {name}".rstrip()
        seat_zones = describe_zones(zone for zone in zones if zone.seat == seat)
        lines.append(f"{who}: {seat_zones}" if seat_zones else who)
    return [
        part
        for line in lines
        for part in wrap(line, columns, subsequent_indent="    ", break_on_hyphens=False)
    ]


def _in_colour(
    zones: Sequence["Zone"], names: Sequence[str], turn: int | None, columns: int
) -> list[str]:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from arena.records.replay import describe_zone

    middle = Table.grid(padding=(0, 2))
    middle.add_column(no_wrap=True, style="dim")
    middle.add_column()
    columns = min(columns, WIDEST)
    numbers = [Text()]  # by line
    for zone in (zone for zone in zones if zone.seat is None):
        if zone.is_cards:
            middle.add_row(Text(visible(zone.name)), _cards(zone))
        else:
            number = Text.assemble((f"{visible(zone.name)} ", "dim"), (describe_zone(zone), "bold"))
            if numbers[-1] and numbers[-1].cell_len + number.cell_len + 3 > columns:
                numbers.append(Text())
            numbers[-1].append_text(Text("   ") + number if numbers[-1] else number)
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
        file=text, width=columns, force_terminal=True, highlight=False, markup=False,
        color_system="standard",
    )  # fmt: skip
    console.print(Group(middle, *numbers, Text(""), seats))
    return text.getvalue().rstrip("\n").split("\n")


def _cards(zone: "Zone") -> "Text":
    from rich.text import Text

    from arena.records.replay import describe_zone

    if not zone.is_cards:
        return Text(describe_zone(zone), "dim" if zone.pieces[0].is_hidden else "bold")
    text = Text()
    for piece in zone.pieces:
        if piece.is_hidden and not piece.text:
            text.append(BLANK, "blue")
        else:
            style = "dim" if piece.is_hidden else "black on white"
            text.append(visible(piece.text), style)
        text.append(" ")
    return text if zone.pieces else Text("-", "dim")
