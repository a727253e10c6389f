"""Every command on macOS and on Windows: it works as on Linux, or says in a sentence that it takes
Linux, and what to do.
"""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli.app import app
from arena.store.plans import load_plan
from arena.store.store import Store
from tests.leagues import main
from tests.other_systems import MACOS, WINDOWS, run
from tests.places import EXAMPLES

WORKS, USAGE, LINUX = 0, 2, 4  # exit codes (README.md)

BY_END = {
    USAGE: (
        "", "no-such-command", "tournament tournaments/cup.toml --max-faults -1", "check nobody",
        "check ann", "match ann bob", "tournament", "tournament --dry-run",  # whose bots are they?
        "tune ann",
        "rerun results/cup ann", "explain results/cup ann", "audit results/cup",
        "verify results/cup --replay-bots 1",
        "tournament --results results/trial --publish", "publish results/match-ann-bob",  # trials
        "tournament tournaments/cup.toml --unconfined",  # where games in the sandbox are
        "play no_thanks human ann bob",  # takes a terminal
        "reveal results/cup --yes",  # whose deals come from a seed
    ),
    WORKS: (
        "--help", "--version", "init begun", "standings results/cup",
        "standings results/cup --json", "publish results/cup", "faults results/cup",
        "logs results/cup ann", "faults results/cup --as-test", "replay game.jsonl",
        "replay game.jsonl --at 3 --as-test", "replay game.jsonl --as 0 --as-test",
        "watch results/cup", "rules sixteen", "brief sixteen", "records results/cup",
        "games results/cup --bot ann", "judge game.jsonl", "verify results/cup",
        "export results/cup --to exported", "audit exported", "schema", "schema standings",
        "schema check", "schema match", "schema audit", "schema dry-run", "schema doctor",
        "history results/cup", "history results/cup ann --json", "backup results/cup copies",
        "match ann bob --game sixteen --games 20 --yes",
        "publish results/match-ann-bob --unconfined", "audit results/match-ann-bob --yes",
        "rerun results/cup ann --yes", "verify results/cup --replay-bots 1 --yes",
        "explain results/cup ann --seconds 1 --yes", "schema tune",
        "tournament --results results/trial --yes --publish", "records results/trial",
        "season close results/cup --yes", "new fresh", "collect handins.csv --yes",
    ),
    LINUX: ("doctor", "doctor --json", "tournament --cluster local:1"),
}  # fmt: skip
"""Commands, in the order in which they are run, by how they end."""
ENDS = {words: code for code, commands in BY_END.items() for words in commands}

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


def test_every_command_is_tried() -> None:
    program: Any = typer.main.get_command(app)
    assert program.commands.keys() <= {words.partition(" ")[0] for words in ENDS}


@pytest.mark.parametrize("system", [MACOS, WINDOWS])
def test_a_command_works_as_on_linux_or_says_that_it_takes_linux(system: str, league: Path) -> None:
    record = json.loads(EXAMPLES.read_text("utf-8").splitlines()[0])
    record["meta"]["bots"] = ["łódź", "bob", "cid"]  # which no code page of Western Europe has
    (league / "game.jsonl").write_text(json.dumps(record), "utf-8")
    (league / "handins.csv").write_text("pupil,bot\nKim Łódź,bots/ann.py\n", "utf-8")
    left = league / "results" / "cup" / ".site.arena-publish-abcd1234.draft"
    left.mkdir()  # by a publish that was killed
    here = {words: main(*words.split(), cwd=league).stdout.decode() for words in ALIKE}
    done = run(system, [words.split() for words in ENDS], league)
    ends = dict(zip(ENDS, done, strict=True))
    assert {words: did.code for words, did in ends.items()} == ENDS, "\n".join(
        f"{words}: {did.err}" for words, did in ends.items() if did.code != ENDS[words]
    )
    for words, did in ends.items():
        if did.code == LINUX:
            sentence = f"This command needs Linux, where Arena sandboxes bots; on {PLACES[system]}"
            assert (did.out, did.err) == ("", f"{sentence}\n"), words
        assert "Traceback" not in did.err, words
        if words in ALIKE:
            assert did.out == here[words], words
    assert ends["records results/trial"].out == here["records results/cup"]  # by one seed
    left_there = any((league / "results").rglob(left.name))  # the season's end has moved it
    assert left_there == (system == WINDOWS)  # where it cannot be told whether one is at work


def test_whoever_plays_in_a_game_is_asked_about_though_he_has_left(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    (league / "bots" / "dee.py").write_text("def decide(view):\n    return view.legal[-1]\n")
    (league / "bots" / "cid.py").rename(league / "cid.py")
    for name in ("ann", "bob"):  # which had cid's code
        with (league / "bots" / f"{name}.py").open("a") as file:
            file.write(f"# {name}\n")
    assert main("tournament", config, "-q").returncode == 0
    trusted = league.parent / ".home" / ".config" / "arena" / "trusted.txt"
    trusted.parent.mkdir(parents=True)
    with closing(Store.open(league / "results" / "cup")) as store:
        trusted.write_text("".join(f"{bot.hash}\n" for bot in load_plan(store).bots))
        games = {bot.name: row.id for row in store.games() for bot in row.line_up}
    words = [["explain", "results/cup", games[name], "--seconds", "1"] for name in ("cid", "dee")]
    gone, here = run(WINDOWS, words, league)
    assert (gone.code, ", cid\n" in gone.err) == (USAGE, True), gone
    assert here.code == WORKS, here.err


@pytest.mark.long
@pytest.mark.parametrize("system", [MACOS, WINDOWS])
def test_an_author_s_loop(system: str, tmp_path: Path) -> None:
    league = tmp_path / "cup"
    mine = league / "bots" / "mine.py"
    league.mkdir()

    def arena(*commands: str) -> list[tuple[int, str]]:
        """Return each one's exit code, and what it said in one line."""
        done = run(system, [words.split() for words in commands], league)
        print(*(f"{words}: {did}" for words, did in zip(commands, done, strict=True)), sep="\n")
        return [(did.code, " ".join(did.out.split())) for did in done]

    assert [code for code, _ in arena("init .")] == [WORKS]
    written = mine.read_text("utf-8")
    mine.write_text(written.replace("return ", "retrun ", 1), "utf-8")
    ((code, verdict),) = arena("check mine")
    assert (code, "mine is not sound: it does not load" in verdict) == (1, True)
    mine.write_text(written, "utf-8")
    (code, verdict), *rest = arena(
        "check mine", "match mine haggler --game sixteen --games 40", "tournament -q",
        "standings first", "explain first mine --seconds 1", "rerun first mine",
        "publish first --unconfined", "tune mine --game no_thanks --games 2000",
    )  # fmt: skip
    assert (code, "mine is sound" in verdict) == (WORKS, True)
    assert verdict.endswith("limits and sandbox were not tried here")
    assert [code for code, _ in rest] == [WORKS] * 7
