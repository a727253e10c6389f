"""What the commands share of the terminal: words for people, its width, the command typed."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

Results = Annotated[Path, typer.Argument(help="A results folder (results/NAME), or its file.")]
"""The argument of all commands that read results."""


def say(text: str) -> None:
    """Print words for people."""
    typer.echo(text, err=True)


def width() -> int:
    """Return the columns there are, 60 at least and 120 at most."""
    return max(60, min(shutil.get_terminal_size((80, 24)).columns, 120))


def again() -> str:
    """Return the command that goes on: the same, but for --fresh."""
    return shlex.join(["arena", *(word for word in sys.argv[1:] if word != "--fresh")])
