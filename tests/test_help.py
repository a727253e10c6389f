"""The pages of `--help`: one sentence each for what a command, an argument and an option do; then
examples that work as they stand there, and the exit codes that the command can end with.
"""

import json
import re
import shlex
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli import app
from arena.cli.help import CODES, read_page
from tests.leagues import main
from tests.places import EXPECTED

PROGRAM: Any = typer.main.get_command(app.app)
COMMANDS = ("", *PROGRAM.commands)
PAGES = {name: read_page(command.help) for name, command in PROGRAM.commands.items()}
EXAMPLES = [(name, line) for name, page in PAGES.items() for line in page[1]]
FIRST = ("init", "tournament", "records")  # whose examples make what the others read
NOT_RUN = {"play", "close", "--played", "--class", "--replay-bots", "n*"}
"""Words of examples that take a person, a fault, a change, or long, or end the season."""
NAMED = {"mine", "haggler", "novice", "champion"}
"""Bots of examples: of the league that `init` makes, they alone play, and a few games."""


def words() -> Iterator[str]:
    """Yield what the pages say, in their order, without the frames that typer draws."""
    yield f"arena: {PROGRAM.help}"
    for name in PAGES:
        yield f"\narena {name}: {PAGES[name][0]}"
        for param in params_of(name):
            names = sorted(name for name in param.opts if name[:1] == "-")
            title = " ".join([", ".join(names), param.metavar or ""]).strip()
            yield f"  {title}: {param.help}"


def params_of(name: str) -> list[Any]:
    command = PROGRAM.commands[name]
    with typer.Context(command, help_option_names=["--help", "-h"]) as ctx:
        return list(command.get_params(ctx))


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
    assert max(map(len, shown.splitlines())) <= columns


def test_arena_alone_is_half_a_screen_that_names_every_command() -> None:
    done = main()
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (2, b"")
    assert len(shown.splitlines()) <= 20
    assert [name for name in PAGES if f" {name}," not in shown and f" {name}\n" not in shown] == []


@pytest.mark.parametrize("command", PAGES)
def test_a_page_ends_with_an_example_and_the_exit_codes(command: str) -> None:
    _, examples, codes = PAGES[command]
    shown = page(command, "--help", columns=60)
    assert 1 <= len(examples) <= 2
    assert all(f"\n  {example}\n" in shown for example in examples)
    assert list(codes) == sorted(codes)
    assert {0, 1, 2, 130} <= {*codes} <= {*CODES}
    assert (3 in codes) == (command == "tournament")
    _, _, told = shown.partition("\nExit codes:\n")
    assert re.findall(r"^  (\d+) ", told, re.MULTILINE) == [str(code) for code in codes]


@pytest.mark.parametrize(("command", "line"), EXAMPLES)
def test_an_example_is_read_as_that_command(
    command: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results" / "first").mkdir(parents=True)
    program, name, *words = shlex.split(line, comments=True)
    assert (program, name) == ("arena", command)
    PROGRAM.commands[command].make_context(
        command, words, help_option_names=["--help", "-h"]
    )  # raises where a word is wrong


@pytest.mark.whole
def test_examples_work_in_a_league_that_init_made(tmp_path: Path) -> None:
    league = tmp_path / "my-league"
    for command, line in sorted(EXAMPLES, key=lambda each: (*map(each[0].__ne__, FIRST),)):
        words = shlex.split(line, comments=True)[1:]
        if NOT_RUN & {*words}:
            continue
        if "0106d9d8" in words:  # as it stands for any
            game = json.loads((league / "games.jsonl").read_text().splitlines()[0])["meta"]["id"]
            words[words.index("0106d9d8")] = game
        more = {
            "check": ["--seconds", "1"],
            "explain": ["--seconds", "1"],
            "match": ["--games", "40", "--game", "sixteen"],
            "tune": ["--games", "2000"],
            "reveal": ["--yes"],
        }
        done = main(*words, *more.get(command, ()), cwd=tmp_path if command == "init" else league)
        assert done.returncode == 0, (line, done.stderr.decode())
        if command == "init":
            with zipfile.ZipFile(league / "hand-ins.zip", "w") as archive:
                archive.write(
                    league / "bots" / "adder.py", "Kim Lee_7_assignsubmission_file_/bot.py"
                )
            for bot in {*(league / "bots").glob("*.py")}:
                if bot.stem not in NAMED:
                    bot.unlink()


def test_the_default_of_an_option_is_the_one_that_its_text_names() -> None:
    for command in PAGES:
        for param in params_of(command):
            default = param.default
            if default in (None, False, "", "{}") or callable(default):
                continue
            named = re.findall(r"default: ([^)]*)\)", param.help)
            assert named == [str(default)], (command, param.help)
