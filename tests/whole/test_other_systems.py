"""Every command on macOS and on Windows: it works as on Linux, or says in a sentence that it takes
Linux, and what to do.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli.app import app
from arena.cli.help import read_page
from tests.leagues import main
from tests.other_systems import MACOS, WINDOWS, run
from tests.places import EXAMPLES

WORKS, USAGE, LINUX = 0, 2, 4  # exit codes (README.md)

ENDS = {
    "": (USAGE, USAGE),
    "--help": (WORKS, WORKS),
    "--version": (WORKS, WORKS),
    "no-such-command": (USAGE, USAGE),
    "tournament tournaments/cup.toml": (LINUX, LINUX),
    "tournament tournaments/cup.toml --unconfined": (LINUX, LINUX),
    "tournament tournaments/cup.toml --dry-run": (LINUX, LINUX),
    "tournament tournaments/cup.toml --max-faults -1": (USAGE, USAGE),
    "tournament": (LINUX, LINUX),
    "check ann": (LINUX, LINUX),
    "check nobody": (USAGE, USAGE),
    "new fresh": (WORKS, WORKS),
    "init begun": (WORKS, WORKS),
    "match ann bob": (LINUX, LINUX),
    "match ann": (USAGE, USAGE),
    "standings results/cup": (WORKS, WORKS),
    "standings results/cup --json": (WORKS, WORKS),
    "publish results/cup": (WORKS, WORKS),
    "faults results/cup": (WORKS, WORKS),
    "logs results/cup ann": (WORKS, WORKS),
    "faults results/cup --as-test": (WORKS, WORKS),
    "rerun results/cup ann": (LINUX, LINUX),
    "replay game.jsonl": (WORKS, WORKS),
    "replay game.jsonl --at 3 --as-test": (WORKS, WORKS),
    "replay game.jsonl --as 0 --as-test": (WORKS, WORKS),
    "play no_thanks human ann bob": (LINUX, LINUX),
    "watch results/cup": (WORKS, WORKS),
    "rules sixteen": (WORKS, WORKS),
    "brief sixteen": (WORKS, WORKS),
    "records results/cup": (WORKS, WORKS),
    "games results/cup --bot ann": (WORKS, WORKS),
    "judge game.jsonl": (WORKS, WORKS),
    "verify results/cup": (WORKS, WORKS),
    "verify results/cup --replay-bots 1": (LINUX, LINUX),
    "audit results/cup": (LINUX, LINUX),
    "export results/cup --to exported": (WORKS, WORKS),
    "audit exported": (WORKS, WORKS),  # no game of a copy is played again
    "reveal results/cup --yes": (USAGE, LINUX),  # read, and found to have no secret
    "schema": (WORKS, WORKS),
    "schema standings": (WORKS, WORKS),
    "schema dry-run": (WORKS, LINUX),
    "schema check": (WORKS, WORKS),
    "schema match": (WORKS, WORKS),
    "schema audit": (WORKS, WORKS),
    "schema doctor": (WORKS, LINUX),
    "doctor": (LINUX, LINUX),
    "history results/cup": (WORKS, WORKS),
    "history results/cup ann --json": (WORKS, WORKS),
    "backup results/cup copies": (WORKS, LINUX),
    "season close results/cup": (USAGE, LINUX),  # without a terminal it takes --yes
    "doctor --json": (LINUX, LINUX),
    "explain results/cup ann": (LINUX, LINUX),
}
"""How each ends on macOS, and on Windows."""

ALIKE = (
    "standings results/cup --json",
    "replay game.jsonl",
    "records results/cup",
    "brief sixteen",
)
"""Whose output is compared with that on Linux."""

SENTENCES = {
    MACOS: "This command needs Linux, where Arena sandboxes bots; on macOS use a container or a "
    "virtual machine.\n",
    WINDOWS: "This command needs Linux, where Arena sandboxes bots; on Windows use WSL, a "
    "container or a virtual machine.\n",
}


def test_the_help_names_the_exit_code_of_a_command_that_takes_linux() -> None:
    ends_so = {words.partition(" ")[0] for words, codes in ENDS.items() if LINUX in codes}
    program: Any = typer.main.get_command(app)
    pages = {name: read_page(command.help)[2] for name, command in program.commands.items()}
    assert {name for name, codes in pages.items() if LINUX in codes} == ends_so


def test_every_command_is_tried() -> None:
    assert {each.name for each in app.registered_commands} <= {
        words.partition(" ")[0] for words in ENDS
    }


@pytest.mark.parametrize("system", [MACOS, WINDOWS])
def test_a_command_works_as_on_linux_or_says_that_it_takes_linux(system: str, league: Path) -> None:
    record = json.loads(EXAMPLES.read_text("utf-8").splitlines()[0])
    record["meta"]["bots"] = ["łódź", "bob", "cid"]  # which no code page of Western Europe has
    (league / "game.jsonl").write_text(json.dumps(record), "utf-8")
    left = league / "results" / "cup" / ".site.arena-publish-abcd1234.draft"
    left.mkdir()  # by a publish that was killed
    done = run(system, [words.split() for words in ENDS], league)
    ends = dict(zip(ENDS, done, strict=True))
    assert {words: did.code for words, did in ends.items()} == {
        words: codes[system == WINDOWS] for words, codes in ENDS.items()
    }, "\n".join(did.err for did in ends.values() if did.code == 1)
    for words, did in ends.items():
        if did.code == LINUX:
            assert (did.out, did.err) == ("", SENTENCES[system]), words
        assert "Traceback" not in did.err, words
        if words in ALIKE:
            assert did.out == main(*words.split(), cwd=league).stdout.decode(), words
    assert left.exists() == (system == WINDOWS)  # where it cannot be told whether one is at work
