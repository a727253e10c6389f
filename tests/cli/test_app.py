"""The command line: messages, exit codes, and what goes to which stream."""

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.cli.records import MOST_BYTES
from arena.store import schema
from arena.store.store import Store
from tests.leagues import BOTS, SMALL, THREE, arena, copied, main, make, pairs
from tests.places import EXAMPLES, EXPECTED, ROOT
from tests.sessions import FIRST


def complaint(*words: object, cwd: Path | None = None) -> str:
    done = main(*words, cwd=cwd)
    assert done.returncode == 2, (words, done.stderr.decode())
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    return done.stderr.decode()


def test_what_is_refused_is_so_in_the_kept_words(
    cup: Path, tmp_path: Path, check_kept: Callable[[str, Path], None]
) -> None:
    """A line of the kept file that begins with `$` is a command: `--regen-all` has it answered."""
    metas = [json.loads(line)["meta"] for line in main("records", cup).stdout.splitlines()]
    game = str(min(metas, key=lambda meta: meta["bots"])["id"])
    league = copied(cup.parents[1], tmp_path / "league")
    (league / "folder").mkdir()
    os.mkfifo(league / "pipe")
    for name in ("notes.txt", "My Bot.py"):
        (league / name).touch()
    (league / "link.py").symlink_to(league / "My Bot.py")
    (league / "examples.jsonl").write_bytes(EXAMPLES.read_bytes())
    file, told = EXPECTED / "refused.txt", list[str]()
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("$ "):
            words = shlex.split(line.replace("GAME", game))[2:]
            said = complaint(*words, cwd=league).replace(game, "GAME")
            told.append(f"{line}\n{said.replace(str(tmp_path), '')}")
    check_kept("".join(told), file)


def test_what_cannot_be_played_is_said_and_nothing_written(tmp_path: Path) -> None:
    for config, bots, words in (
        (SMALL, {"ann": FIRST}, "No Thanks! 3p needs 3"),
        ("seed = 5\n", BOTS, "games"),
        (SMALL.replace("deals = 2", "deels = 2"), BOTS, "did you mean 'deals'?"),
    ):
        assert words in complaint("tournament", make(tmp_path, config, bots))
    assert not (tmp_path / "results").exists()


def test_every_command_refuses_an_older_store_in_a_sentence_and_leaves_it(tmp_path: Path) -> None:
    config, results = make(tmp_path, SMALL, BOTS), tmp_path / "results" / "cup"
    Store.create_or_open(results).close()
    file = results / schema.FILE
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA user_version = 9")
    before = file.read_bytes()
    refusal = (
        f"{file}: has schema 9, and this arena reads only {schema.VERSION}; use the arena that "
        "wrote it, or start over in another folder"
    )
    of_results = ("verify", "standings", "publish", "history", "watch", "faults")
    for words in [
        ("tournament", config), ("explain", results, "0"), ("backup", results, tmp_path / "copy"),
        ("match", "ann", "--played", results), *((command, results) for command in of_results),
    ]:  # fmt: skip
        assert complaint(*words, cwd=tmp_path).splitlines()[-1] == refusal, words
    assert [*results.iterdir()] == [file]
    assert file.read_bytes() == before


def test_without_a_config_the_only_one_is_played_and_several_are_named(tmp_path: Path) -> None:
    said = partial(complaint, "tournament", cwd=tmp_path)
    assert said().startswith("tournaments/: no config there; name one (")
    make(tmp_path, pairs(1), THREE).with_name(".draft.toml").touch()
    assert main("tournament", "-q", cwd=tmp_path).returncode == 0
    assert (tmp_path / "results" / "cup" / "standings.json").exists()
    (tmp_path / "tournaments" / "a league.toml").touch()
    assert said() == (
        "tournaments/: 2 configs there; name one: arena tournament 'tournaments/a league.toml', "
        "arena tournament tournaments/cup.toml\n"
    )


@pytest.mark.whole
def test_another_package_called_games_is_said_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "games" / "__init__.py"
    file.parent.mkdir()
    assert arena("rules", "sixteen", cwd=tmp_path).returncode == 0  # without Python, no package
    file.write_text("raise SystemExit('it was imported')\n")
    done = arena("rules", "sixteen", cwd=tmp_path)
    said = (
        f"{file}: Python finds this package `games` before Arena's; rename or "
        "uninstall it, or run Arena where it is not on Python's path\n"
    )
    assert (done.returncode, done.stderr.decode()) == (2, said)
    command = [sys.executable, "-c", "import arena.testing"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert done.stderr.decode().endswith(f"ImportError: {said}")


def test_a_python_that_was_built_without_a_part_is_named(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['_sqlite3'] = None; sys.argv = ['arena', 'standings', 'r']\n"
        "from arena.__main__ import main; main()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"{sys.executable} was built without _sqlite3: install what")


@pytest.mark.whole
def test_pytest_runs_in_a_project_with_a_package_called_games(tmp_path: Path) -> None:
    (tmp_path / "games.py").touch()
    (tmp_path / "test_it.py").write_text("import games\n\ndef test_it(): assert games.__file__\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_judge_names_line_action_and_reason_also_as_json(tmp_path: Path) -> None:
    done = main("judge", EXAMPLES)
    assert (done.returncode, done.stdout) == (0, b"records: 6 of 6 follow the rules\n")
    records = [json.loads(line) for line in EXAMPLES.read_text().splitlines()]
    records[3]["actions"][7] = [3, "take"]
    records[0]["v"] = "x" * 100_000
    file = tmp_path / "some.jsonl"
    file.write_text("\n\n".join(map(json.dumps, records)))
    done = main("judge", file)
    long, *others = done.stdout.decode().splitlines()
    assert (done.returncode, len(long) < 600 + len(str(file))) == (1, True)
    wrong = f"{file}:7: action 7: it is the turn of seat 4, not 3"  # blank lines count
    assert others == [wrong, "records: 4 of 6 follow the rules"]
    told = [json.loads(line) for line in main("judge", file, "--json").stdout.splitlines()]
    assert [one["valid"] for one in told] == [False, True, True, False, True, True]
    assert (told[1]["state"]["over"], told[3]["action_number"]) == ("complete", 7)


@pytest.mark.parametrize("text", ["{", "[1]", '"x"', "[" * 100_000, b"\xff"])
def test_judge_calls_what_is_no_json_object_unreadable(text: str | bytes) -> None:
    done = main("judge", "-", stdin=text if isinstance(text, bytes) else text.encode())
    assert (done.returncode, b"standard input:1: not " in done.stderr) == (2, True)


@pytest.mark.parametrize("words", [["judge", "-"], ["judge", "-", "--json"]])
def test_judge_reads_a_line_up_to_a_cap_and_nothing_after_it(words: list[str]) -> None:
    record = EXAMPLES.read_bytes().splitlines()[0]
    longest = record + b" " * (MOST_BYTES - len(record)) + b"\n"
    assert b"records: 2 of 2 follow the rules" in b"".join(main(*words, stdin=longest * 2)[1:])
    done = main(*words, stdin=longest + b" " + longest + longest)
    assert done.returncode == 2
    assert b"records: 1 of 1 follow the rules" in done.stdout + done.stderr
    assert done.stderr.startswith(b"standard input:2: longer than 8 MiB, the maximum for a record;")


@pytest.mark.whole
@pytest.mark.parametrize("command", ["judge", "replay", "tournament"])
def test_a_file_without_an_end_is_read_no_further(tmp_path: Path, command: str) -> None:
    make(tmp_path)
    file = tmp_path / "endless"
    file.symlink_to("/dev/zero")
    done = subprocess.run(
        ["prlimit", f"--as={2 << 30}", sys.executable, "-m", "arena", command, file],
        cwd=ROOT, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    said = r"longer than \d MiB[;,] |cannot be read: not a regular file"
    assert re.match(rf"{file}(:1)?: ({said})", done.stderr.decode())
    assert done.returncode == 2


def test_replay_shows_a_record_of_a_file_and_stops_where_asked() -> None:
    words = ("replay", EXAMPLES, "--line", 3)
    shown = main(*words).stdout.decode().splitlines()
    over = "Game over: seat 1 wins with 21 points, then seat 2 with 83, seat 0 with 104."
    assert (shown[0], shown[-1]) == ("No Thanks!, 3 players: 0, 1, 2", over)
    state = json.loads(main(*words, "--at", 2, "--json").stdout)["state"]
    assert (state["to_act"], state["pot"], state["chips"]) == (0, 2, [11, 10, 10])
    game = json.loads(main(*words, "--json").stdout)
    record = json.loads(EXAMPLES.read_text().splitlines()[2])
    assert [[step["seat"], step["action"]] for step in game["steps"]] == record["actions"]
    assert shown[2].split(maxsplit=1)[1] == game["steps"][0]["description"]


def test_a_record_of_another_version_is_not_read_whatever_it_has(tmp_path: Path) -> None:
    record = json.loads(EXAMPLES.read_text().splitlines()[0]) | {"v": 2, "cards": []}
    later = tmp_path / "later.jsonl"
    later.write_text(json.dumps(record))
    found = "v: found 2; this arena reads 1"
    for more in ((), ("--at", 3), ("--json",), ("--as", 0), ("--at", 3, "--as-test")):
        assert found in complaint("replay", later, *more)
    judged = main("judge", later)  # its verdict: it has read the file
    assert (judged.returncode, judged.stdout.count(found.encode())) == (1, 1)


@pytest.mark.parametrize(
    "meta", [5, None, [], {"id": [], "bots": 5}, {"faults": 5}, {"faults": [[0], [[], {}, 0], 7]}]
)
def test_what_a_record_says_beside_the_rules_may_be_anything(tmp_path: Path, meta: Any) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps(json.loads(EXAMPLES.read_text().splitlines()[2]) | {"meta": meta}))
    for more in ((), ("--json",), ("--at", 3, "--as-test"), ("--as-test", "--as", 0)):
        done = main("replay", file, *more)
        assert done.returncode == 0, done.stderr.decode()


def test_the_version_is_told() -> None:
    assert main("--version").stdout.startswith(b"arena ")


@pytest.mark.whole
def test_records_of_one_bot_or_game_are_those_of_all_that_fit(played: Path) -> None:
    results = played / "results" / "cup"
    every = main("records", results).stdout.splitlines()
    bot, game = json.loads(every[0])["meta"]["bots"][0], json.loads(every[-1])["game"]
    fits = [line for line in every if bot in json.loads(line)["meta"]["bots"]]
    assert main("records", results, "--bot", bot).stdout.splitlines() == fits
    fits = [line for line in every if json.loads(line)["game"] == game]
    assert main("records", results, "--game", game).stdout.splitlines() == fits


@pytest.mark.whole
def test_three_games_are_named_and_all_as_json(played: Path) -> None:
    results = played / "results" / "cup"
    every = json.loads(main("games", results, "--json").stdout)["games"]
    three = main("games", results)
    assert f"{len(every)} games, 3 shown; --bot, --game, " in three.stderr.decode()
    assert len(re.findall(r"^[0-9a-f]{8}  ", three.stdout.decode(), re.MULTILINE)) == 3
    lost = main("games", results, "--bot", "ann", "--lost")
    first = lost.stdout.split(b"\n")[2].split()[0].decode()
    assert f"{first}:ann` says why the first one was lost.\n" in lost.stderr.decode()


@pytest.mark.whole
def test_results_go_to_a_folder_or_nothing_is_played(tmp_path: Path) -> None:
    config = make(tmp_path)
    file, other = tmp_path / "FILE", tmp_path / "other"
    other.mkdir()
    for kept in (file, other / "thesis.txt"):
        kept.write_text("keep me")
    into = partial(complaint, "tournament", config, "--results")
    for place in (file, file / "in" / "it"):
        assert into(place) == into(place, "--dry-run") == (
            f"{file}: is a file, not a folder; choose another folder with --results\n"
        )  # fmt: skip
    assert "not empty" in into(other)
    for place in (file, other):
        assert "no arena.sqlite in it" in into(place, "--dry-run", "--fresh")
    match = ("match", "ann", "bob", "--game", "sixteen", "--results", file)
    assert "is a file, not a folder" in complaint(*match, cwd=tmp_path)
    assert into("/proc/none").endswith("choose another folder with --results\n")
    assert file.read_text() == "keep me"
    assert {path.name for path in tmp_path.iterdir()} == {"FILE", "bots", "other", "tournaments"}


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere: run it as an ordinary user")
def test_a_folder_that_may_not_be_written_is_wrong_usage(tmp_path: Path) -> None:
    config = make(tmp_path)
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "dark").mkdir(mode=0o000)
    closed, no_access = f"{tmp_path}/closed: not writable; ", f"{tmp_path}/dark/x: no access; "
    for more in ((), ("--dry-run",)):
        for place, said in (("closed", closed), ("closed/x", closed), ("dark/x", no_access)):
            results = ("--results", tmp_path / place)
            assert complaint("tournament", config, *results, *more).startswith(said)
    main("tournament", config, "-q")
    (store := tmp_path / "results" / "cup" / "arena.sqlite").chmod(0o400)
    assert complaint("tournament", config).startswith(f"{store}: not writable; ")


@pytest.mark.whole
def test_with_standard_output_closed_nothing_is_said_and_nothing_fails() -> None:
    words = ["sh", "-c", '"$@" >&-', "sh", sys.executable, "-m", "arena", "--help"]
    told = subprocess.run(words, stderr=subprocess.PIPE, cwd=ROOT)
    assert (told.returncode, told.stderr) == (0, b"")
