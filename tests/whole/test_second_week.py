"""The second week of a league: bots were mended, removed, added, and what was is told as past."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.sessions import CHANCE, FIRST

pytestmark = pytest.mark.xdist_group("second week")  # `league` is played once

CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 2
"""
FAILS = "def decide(view):\n    print('asked')\n    return view.legal[1 // 0]\n"
WEEKS = (
    {"ann": FIRST, "bob": CHANCE, "ida": f"import randon\n{FIRST}", "old": FAILS},
    {"ann": FIRST, "bob": CHANCE, "ida": FIRST, "new": CHANCE},
)
GAMES = 48  # of four bots: four line-ups, six seatings, two deals


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The league's folder after the second week, and what each week's last words were."""
    folder, said = tmp_path_factory.mktemp("weeks"), []
    for bots in WEEKS:
        config = make(folder, CONFIG, bots)
        for name in {path.stem for path in (folder / "bots").glob("*.py")} - bots.keys():
            (folder / "bots" / f"{name}.py").unlink()
        done = main("tournament", config)
        assert done.returncode == 0, done.stderr.decode()
        said.append(done.stderr.decode())
    return folder, said


def test_a_run_ends_with_the_faults_of_the_bots_that_played(weeks: tuple[Path, list[str]]) -> None:
    _, (first, second) = weeks
    assert "ida: forfeits all 36 games" in first
    assert "old: forfeits all 36 games" in first
    assert "forfeits" not in second


def test_faults_are_those_of_the_tables_unless_all_are_asked_for(
    weeks: tuple[Path, list[str]],
) -> None:
    results = weeks[0] / "results" / "cup"
    document = json.loads((results / "standings.json").read_text())
    assert all(not row["faults"] for row in document["overall"])
    now = main("faults", results)
    assert (now.stdout, now.stderr) == (b"", b"No faults.\n")
    everything = main("faults", results, "--all")
    assert everything.stderr == b""  # no hint to repeat what was mended or removed
    past = everything.stdout.decode()
    assert re.findall(r"^\w+: .*", past, re.MULTILINE) == [
        "ida: 36 games forfeited", "old: 36 games forfeited",
    ]  # fmt: skip
    assert json.loads(main("faults", results, "ida", "--json").stdout)["causes"] == []
    past = json.loads(main("faults", results, "ida", "--all", "--json").stdout)["causes"]
    assert len(past) == 1


def test_logs_are_of_the_file_that_is_there(weeks: tuple[Path, list[str]]) -> None:
    results = weeks[0] / "results" / "cup"
    assert main("logs", results, "ida").stderr == b"ida: 0 faults, 0 lines printed\n"
    assert b"ida: 36 faults" in main("logs", results, "ida", "--all").stderr
    refused = main("logs", results, "old")
    assert refused.returncode == 2
    assert (
        b"old did not play in the last run; for earlier runs, use `arena faults" in refused.stderr
    )
    assert b"asked" in main("logs", results, "old", "--all").stdout


def test_lines_that_were_printed_in_games_that_count_no_more_are_past(tmp_path: Path) -> None:
    """A bot that stays plays on in the same session beside others that were mended since."""
    says = "def decide(view):\n    print('asked')\n    return view.legal[0]\n"
    for others in ({"ann": FAILS, "bob": CHANCE}, {"ann": FIRST, "bob": CHANCE}):
        config = make(tmp_path, CONFIG, {**others, "eve": says})
        assert main("tournament", config).returncode == 0
    results = tmp_path / "results" / "cup"
    there = {
        json.loads(line)["meta"]["id"] for line in main("records", results).stdout.splitlines()
    }
    lines = main("logs", results, "eve", "--most", 10_000).stdout.decode().splitlines()
    assert {re.findall(r"game (\w+)", line)[0] for line in lines} == there
    past = main("logs", results, "eve", "--most", 10_000, "--all").stdout.decode().splitlines()
    assert len(past) > len(lines)


def test_of_an_export_logs_say_that_texts_and_prints_are_not_in_it(
    weeks: tuple[Path, list[str]], tmp_path: Path
) -> None:
    assert main("export", weeks[0] / "results" / "cup", "--to", tmp_path / "out").returncode == 0
    done = main("logs", tmp_path / "out", "old", "--all")
    assert b": error (no text: exports have none)\n" in done.stdout
    assert done.stderr == b"old: 36 faults, exports have no printed output\n"


def test_as_many_games_are_watched_as_count(weeks: tuple[Path, list[str]]) -> None:
    folder, _ = weeks
    line = main("watch", folder / "results" / "cup").stdout.decode()
    assert line.startswith(f"cup: {GAMES} of {GAMES} games")
    assert "old" not in line
    dry = main("tournament", folder / "tournaments" / "cup.toml", "--dry-run").stdout.decode()
    assert re.search(rf"\b{GAMES}\b", dry)


def test_what_bots_used_is_of_the_file_that_is_there(weeks: tuple[Path, list[str]]) -> None:
    with (weeks[0] / "results" / "cup" / "timing.csv").open() as file:
        told = {row["bot"]: row for row in csv.DictReader(file)}
    assert told.keys() == WEEKS[1].keys()


def test_results_are_named_as_one_types_them(weeks: tuple[Path, list[str]]) -> None:
    folder, _ = weeks
    for given in ("cup", "results/cup", "results/cup/arena.sqlite"):
        assert main("faults", given, cwd=folder).stderr == b"No faults.\n"
    for given in ("cpu", "results/cpu"):
        done = main("faults", given, cwd=folder)
        assert done.returncode == 2
        assert (
            done.stderr.decode() == f"{given}: no such folder or file; did you mean results/cup?\n"
        )
    done = main("faults", "elsewhere/at/all", cwd=folder)
    assert (
        done.stderr
        == b"elsewhere/at/all: no such folder or file; a results folder is results/NAME\n"
    )


def test_where_no_game_is_named_ten_are_offered(weeks: tuple[Path, list[str]]) -> None:
    results = weeks[0] / "results" / "cup"
    which, *offered = main("replay", results).stderr.decode().splitlines()
    assert which == f"{results}: name a game by the first digits of its id, or add --bot BOT:"
    assert len(offered) == 10
    assert main("replay", results, offered[0].split()[0]).returncode == 0
