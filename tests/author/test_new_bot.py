"""`arena new`: every kind of bot plays every game, is typed and tidy, and has a test that holds."""

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from arena.author import new_bot
from arena.author.new_bot import Kind
from arena.league.bots import find_bots
from tests.leagues import main
from tests.places import ROOT
from tests.sessions import FIRST

KINDS: tuple[Kind, ...] = get_args(Kind)
ALL_POOLS = """\
seed = 6
workers = 1
games = [
    { game = "no_thanks", players = [3, 4, 5], deals = 1, seatings = "rotations", lineups = 10 },
    { game = "no_thanks", players = [6, 7], deals = 1, seatings = 7, options.extended = true },
    { game = "sixteen", players = [2, 4], deals = 1 },
    { game = "sixteen", players = 2, deals = 2, options = { draw_rule = "loose", wilds = false } },
    { game = "diciassette", players = [2, 3, 4, 5, 6], \
      deals = 1, seatings = "rotations", lineups = 10 },
]
"""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    return tmp_path


@pytest.fixture
def of_all_kinds(league: Path) -> Path:
    for kind in KINDS:
        done = main("new", f"a_{kind}", *([] if kind == "decide" else [f"--{kind}"]), cwd=league)
        assert done.returncode == 0, done.stderr
    return league


def test_what_was_written_is_told_and_what_to_do_next(league: Path) -> None:
    (league / "bots" / "deep").mkdir()
    done = main("new", "frugal", cwd=league / "bots" / "deep")
    assert done.stdout == b"../frugal.py\n../test_frugal.py\n"
    assert b"arena check frugal\n" in done.stderr
    assert b"arena match frugal haggler\n" in done.stderr
    assert main("new", "heavy", "--folder", cwd=league).stdout == (
        b"bots/heavy\nbots/test_heavy.py\n"
    )
    assert sorted(path.name for path in (league / "bots" / "heavy").iterdir()) == [
        "bot.py", "shares.csv",
    ]  # fmt: skip
    names = [bot.name for bot in find_bots(league, ["bots/*"])]
    assert names == ["frugal", "heavy"]  # a test is no bot


@pytest.mark.long
def test_every_kind_plays_every_game_without_a_fault_and_repeats_itself(of_all_kinds: Path) -> None:
    for number in range(3):
        (of_all_kinds / "bots" / f"first{number}.py").write_text(FIRST)
    config = of_all_kinds / "cup.toml"
    config.write_text(ALL_POOLS)
    done = main("tournament", config, "--json", "-q")
    assert done.returncode == 0, done.stderr.decode()
    standings = json.loads(done.stdout)
    assert len(standings["pools"]) == 13  # 3 + 2 + 2 + 1 + 5
    assert {each["bot"]: each["total"] for each in standings["faults"] if each["total"]} == {}
    places = {row["bot"]: row["place"] for row in standings["overall"]}
    assert {bot for bot, place in places.items() if place <= len(KINDS)} == {
        f"a_{kind}" for kind in KINDS
    }
    audited = json.loads(main("audit", of_all_kinds / "results" / "cup", "--json").stdout)
    assert {f"a_{kind}" for kind in KINDS} <= {each["bot"] for each in audited["repeats"]}
    assert audited["otherwise"] == []


@pytest.mark.whole
def test_its_test_passes_and_fails_once_the_bot_plays_otherwise(of_all_kinds: Path) -> None:
    def tested() -> str:
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "bots"]
        return subprocess.run(words, cwd=of_all_kinds, capture_output=True, text=True).stdout

    assert f"{6 * len(KINDS)} passed" in tested()
    bot = of_all_kinds / "bots" / "a_decide.py"
    bot.write_text(bot.read_text().replace("3 * view.pot", "9 * view.pot"))
    assert "1 failed" in tested()
    bot.write_text(bot.read_text().replace("return card_for_pile(view)", 'return "G9"'))
    assert "2 failed" in tested()


def passes(*words: str) -> str:
    """Return what a tool finds; "" if nothing. It runs where the league has no settings of ours."""
    program = [sys.executable, "-m", *words]
    done = subprocess.run(program, cwd=ROOT.parent, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.whole
def test_it_is_typed_and_tidy(of_all_kinds: Path) -> None:
    bots = of_all_kinds / "bots"
    ours = ["--config", str(ROOT / "pyproject.toml")]
    for words in (["check", *ours], ["format", "--check", *ours], ["format", "--check"]):
        assert passes("ruff", *words, "--no-cache", str(bots)) == ""
    files = map(str, sorted(bots.rglob("*.py")))
    cache = f"--cache-dir={of_all_kinds / 'types'}"
    assert passes("mypy", "--strict", "--config-file=", cache, *files) == ""


@pytest.mark.parametrize(
    ("name", "finding", "remedy"),
    [
        ("Frugal", "a bot's name is 1 to 32 of a-z, 0-9, _ and -", "take 'frugal'"),
        ("bots/frugal.py", "a bot's name is 1 to 32 of a-z, 0-9, _ and -", "take 'frugal'"),
        ("..", "no bot's name starts with _, . or test_", "take 'bot'"),
        ("test_frugal", "no bot's name starts with _, . or test_", "take 'frugal'"),
        ("x" * 33, "a bot's name is 1 to 32 of", f"take '{'x' * 32}'"),
        ("random", "an `import random` of the bots beside it would find it", "take 'random_bot'"),
        ("numpy", "an `import numpy` of the bots beside it would find it", "take 'numpy_bot'"),
        ("", "a bot's name is 1 to 32 of", "take 'bot'"),
        ("class", "Python cannot import a file of that name", "take 'class_bot'"),
        ("my-bot", "Python cannot import a file of that name", "take 'my_bot'"),
        ("17", "Python cannot import a file of that name", "take 'bot_17'"),
        ("9" * 32, "Python cannot import a file of that name", f"take 'bot_{'9' * 28}'"),
        ("-", "Python cannot import a file of that name", "take 'bot'"),
        ("test-class", "Python cannot import a file of that name", "take 'class_bot'"),
        ("Random", "a bot's name is 1 to 32 of", "take 'random_bot'"),
    ],
)
def test_a_name_that_no_bot_may_have_is_refused(
    league: Path, name: str, finding: str, remedy: str
) -> None:
    done = main("new", name, cwd=league)
    (said,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said.startswith(f"{name}: {finding}")
    assert said.endswith(f"; {remedy}")
    assert list((league / "bots").iterdir()) == []
    assert new_bot.problem(remedy.split("'")[1]) is None


@pytest.mark.parametrize("taken", ["frugal.py", "frugal", "test_frugal.py"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_over_what_is_there(league: Path, taken: str, kind: Kind) -> None:
    (league / "bots" / taken).write_text("mine")
    done = main("new", "frugal", *([] if kind == "decide" else [f"--{kind}"]), cwd=league)
    assert done.returncode == 2
    place = league.resolve() / "bots" / taken
    assert done.stderr.decode() == f"{place}: is there already; take another name, or remove it\n"
    assert [path.read_text() for path in (league / "bots").iterdir()] == ["mine"]


def test_a_bot_of_two_kinds_and_one_of_no_league_are_refused(league: Path, tmp_path: Path) -> None:
    done = main("new", "frugal", "--class", "--folder", cwd=league)
    assert done.returncode == 2
    assert done.stderr == (
        b"--class and --folder: a bot is of one kind; give one of them, or none\n"
    )
    (league / "bots").rmdir()
    done = main("new", "frugal", cwd=tmp_path)
    assert done.returncode == 2
    assert b"arena init" in done.stderr
