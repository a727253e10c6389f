"""Every command on macOS and on Windows: it works as on Linux, or says in a sentence that it takes
Linux, and what to do.
"""

import json
import re
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

BY_END: dict[tuple[int, int], tuple[str, ...]] = {
    (USAGE, USAGE): (
        "", "no-such-command", "tournament tournaments/cup.toml --max-faults -1",
        "check nobody", "match ann",
    ),
    (WORKS, WORKS): (
        "--help", "--version", "new fresh", "init begun", "standings results/cup",
        "standings results/cup --json", "publish results/cup", "faults results/cup",
        "logs results/cup ann", "faults results/cup --as-test", "replay game.jsonl",
        "replay game.jsonl --at 3 --as-test", "replay game.jsonl --as 0 --as-test",
        "watch results/cup", "rules sixteen", "brief sixteen", "records results/cup",
        "games results/cup --bot ann", "judge game.jsonl", "verify results/cup",
        "export results/cup --to exported", "audit exported", "schema", "schema standings",
        "schema check", "schema match", "schema audit", "history results/cup",
        "history results/cup ann --json",
    ),
    (LINUX, LINUX): (
        "tournament tournaments/cup.toml",
        "tournament tournaments/cup.toml --dry-run", "tournament", "check ann", "match ann bob",
        "rerun results/cup ann", "play no_thanks human ann bob",
        "verify results/cup --replay-bots 1", "audit results/cup", "doctor", "doctor --json",
        "explain results/cup ann",
    ),
    (USAGE, LINUX): (
        "reveal results/cup --yes", "season close results/cup",
    ),
    (WORKS, LINUX): (
        "schema dry-run", "schema doctor", "backup results/cup copies",
        "tournament tournaments/cup.toml --unconfined", "rerun results/cup ann --unconfined",
        "match ann bob --game sixteen --games 20 --unconfined",
        "verify results/cup --replay-bots 1 --unconfined",
        "explain results/cup ann --seconds 1 --unconfined",
    ),
}  # fmt: skip
"""Commands by how they end on macOS, and on Windows; of a copy no game is played again."""
ENDS = {words: codes for codes, commands in BY_END.items() for words in commands}

ALIKE = {
    "standings results/cup --json",
    "replay game.jsonl",
    "records results/cup",
    "brief sixteen",
}
"""Whose output is compared with that on Linux."""

PLACES = {
    MACOS: "macOS use a container or a virtual machine.",
    WINDOWS: "Windows use WSL, a container or a virtual machine.",
}


def test_every_command_is_tried_and_its_help_names_the_code_where_it_takes_linux() -> None:
    ends_so = {words.partition(" ")[0] for words, codes in ENDS.items() if LINUX in codes}
    program: Any = typer.main.get_command(app)
    pages = {name: read_page(command.help)[2] for name, command in program.commands.items()}
    assert {name for name, codes in pages.items() if LINUX in codes} == ends_so
    assert pages.keys() <= {words.partition(" ")[0] for words in ENDS}


@pytest.mark.parametrize("system", [MACOS, WINDOWS])
def test_a_command_works_as_on_linux_or_says_that_it_takes_linux(system: str, league: Path) -> None:
    record = json.loads(EXAMPLES.read_text("utf-8").splitlines()[0])
    record["meta"]["bots"] = ["łódź", "bob", "cid"]  # which no code page of Western Europe has
    (league / "game.jsonl").write_text(json.dumps(record), "utf-8")
    left = league / "results" / "cup" / ".site.arena-publish-abcd1234.draft"
    left.mkdir()  # by a publish that was killed
    here = {words: main(*words.split(), cwd=league).stdout.decode() for words in ALIKE}
    done = run(system, [words.split() for words in ENDS], league)
    ends = dict(zip(ENDS, done, strict=True))
    assert {words: did.code for words, did in ends.items()} == {
        words: codes[system == WINDOWS] for words, codes in ENDS.items()
    }, "\n".join(did.err for did in ends.values() if did.code == 1)
    for words, did in ends.items():
        if did.code == LINUX:
            sentence = f"This command needs Linux, where Arena sandboxes bots; on {PLACES[system]}"
            instead = "( --unconfined runs bots that you trust without a sandbox.)?"
            assert did.out == "", words
            assert re.fullmatch(re.escape(sentence) + instead + "\n", did.err), words
        assert "Traceback" not in did.err, words
        if words in ALIKE:
            assert did.out == here[words], words
    assert left.exists() == (system == WINDOWS)  # where it cannot be told whether one is at work
