"""What commands share: messages, results, options, and the terminal's width."""

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from arena.errors import UsageError
from arena.escape import visible

READABLE = 90  # columns of running text

UNCONFINED = (
    "warning: --unconfined: bots run with your rights, behind no walls; play only bots you trust"
)

SHELF = Path("results")


def results_at(given: Path) -> Path:
    """Find the results that are meant: a bare NAME may stand for results/NAME.

    Raises UsageError where there is nothing.
    """
    try:
        places = [given, SHELF / given][: 2 if len(given.parts) == 1 else 1]
        there = next((place for place in places if place.exists()), None)
        if there:
            return there
        from arena.store.schema import FILE
        from arena.words import nearest

        beside = [file.parent for at in (given.parent, SHELF) for file in at.glob(f"*/{FILE}")]
    except PermissionError:
        return given  # opening it will report this
    near = nearest(given.name, [each.name for each in beside])
    suggested = next((each for each in beside if each.name == near), None)
    hint = f"did you mean {suggested}?" if suggested else "a results folder is results/NAME"
    raise UsageError(f"{given}: no such folder or file; {hint}")


Results = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS", callback=results_at,
        help="Results folder (results/NAME, or NAME alone), or its store.",
    ),
]  # fmt: skip
"""The argument of all commands that read results."""

Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Worker processes; default: one per core."),
]
NoPin = Annotated[bool, typer.Option("--no-pin", help="Let workers and bots run on any core.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start anew; the old results are kept under another name.")
]
Unconfined = Annotated[
    bool,
    typer.Option("--unconfined", help="Play without walls, with limits only: for bots you trust."),
]
"""The options of all commands that play."""

Past = Annotated[
    bool,
    typer.Option("--all", help="Count earlier runs too: bots that were changed or removed since."),
]
ItsLimits = Annotated[
    bool,
    typer.Option("--its-limits", help="Give bots the store's limits, also beyond 1 GiB and 5 s."),
]
"""The option of all commands that run bots under a store's limits."""


def say(*lines: str) -> None:
    """Print messages for people, to stderr."""
    _echo(lines, err=True)


def committed(commitment: str) -> None:
    """Tell the organiser the hash to publish, before the first game is played."""
    say(
        f"commitment: {commitment}",
        "publish it now: it shows later that deals were fixed before the first game",
    )


def out(*lines: str) -> None:
    """Print results, to stdout."""
    _echo(lines, err=False)


def page(markdown: str) -> None:
    """Print a page of our own: laid out on a terminal, elsewhere as it is."""
    if not sys.stdout.isatty():
        out(*markdown.splitlines())
        return
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    words = {
        "code": "bold",
        "table.header": "bold",
        "table.border": "dim",
        "h2": "bold",
        "h3": "bold",
    }
    console = Console(
        width=min(width(), READABLE),
        theme=Theme({f"markdown.{what}": style for what, style in words.items()}),
    )
    console.print(Markdown(markdown))


def _echo(lines: Iterable[str], err: bool) -> None:
    """Print lines for `say` and `out`, the only ones that print.

    Of text that strangers wrote, no unprintable character reaches the terminal, and no line end
    starts a line.
    """
    typer.echo("".join(f"{visible(line)}\n" for line in lines), nl=False, err=err)


def confirmed(warning: Iterable[str], question: str) -> bool | None:
    """Ask the person at the terminal after a warning; None if there is no terminal to ask at."""
    if not sys.stdin.isatty():
        return None
    say(*warning)
    return typer.confirm(question, err=True)


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


def width() -> int:
    """The columns for tables, 60 to 120.

    They come from `COLUMNS`, else from the terminal at any of the standard streams, even where
    output goes through a pipe; else 120.
    """
    columns = int(word) if (word := os.environ.get("COLUMNS", "")).isdecimal() else 0
    for stream in (1, 2, 0):
        with contextlib.suppress(OSError):  # no terminal
            columns = columns or os.get_terminal_size(stream).columns
    return max(60, min(columns or 120, 120))


def near(path: Path) -> str:
    """A path as one would type it here: relative to the current folder, if it lies inside."""
    from_here = os.path.relpath(path)
    return shlex.quote(str(path) if from_here.startswith("..") else from_here)


def again() -> str:
    """The command that resumes: the same as now, without --fresh."""
    return shlex.join(["arena", *(word for word in sys.argv[1:] if word != "--fresh")])
