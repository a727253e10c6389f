"""The pages of `--help`: one sentence each for what a command, an argument and an option do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli import app
from tests.leagues import main
from tests.places import EXPECTED

PROGRAM: Any = typer.main.get_command(app.app)
COMMANDS = ("", *PROGRAM.commands)


def words() -> Iterator[str]:
    """Yield what the pages say, in their order, without the frames that typer draws."""
    yield f"arena: {PROGRAM.help}"
    for name, command in PROGRAM.commands.items():
        yield f"\narena {name}: {command.help}"
        with typer.Context(command, help_option_names=app.NAMES["help_option_names"]) as ctx:
            params = command.get_params(ctx)
        for param in params:
            names = sorted(name for name in param.opts if name[:1] == "-")
            title = " ".join([", ".join(names), param.metavar or ""]).strip()
            yield f"  {title}: {param.help}"


def page(*given: str, columns: int = 80) -> str:
    done = main(*given, environment={"NO_COLOR": "1", "COLUMNS": str(columns)})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_words_are_the_kept_ones(check_kept: Callable[[str, Path], None]) -> None:
    check_kept("\n".join(words()) + "\n", EXPECTED / "help.txt")


def test_every_line_of_help_is_one_sentence_that_ends_so() -> None:
    for line in words():
        _, _, told = line.partition(": ")
        assert told.endswith("."), line
        assert told[0].isupper(), line
        assert len(told) <= 84, line


@pytest.mark.parametrize("command", COMMANDS)
def test_h_is_short_for_help(command: str) -> None:
    assert page(*command.split(), "-h") == page(*command.split(), "--help")


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_fits_and_names_no_type_beside_a_flag(command: str, columns: int) -> None:
    shown = page(*command.split(), "--help", columns=columns)
    assert "<bool>" not in shown
    assert "…" not in shown  # where rich cuts a word
    assert max(map(len, shown.splitlines())) <= columns
