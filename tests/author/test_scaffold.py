"""`arena new` and `arena init`: bots and leagues that play at once, and nothing half done."""

import json
import re
import subprocess
import sys
from codecs import BOM_UTF8
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from arena.author import scaffold
from arena.author.scaffold import BotKind
from arena.cli.commands import load_commands
from arena.league.bots import HOUSE_BOTS, find_bots
from arena.league.files import hash_source, hash_text, read_bot
from tests.leagues import main
from tests.places import ROOT
from tests.sessions import FIRST

KINDS: tuple[BotKind, ...] = get_args(BotKind)
ALL_POOLS = """\
seed = 6
workers = 1
games = [
    { game = "no_thanks", players = [3, 4, 5], deals = 1, seatings = 3, max_games = 30 },
    { game = "no_thanks", players = [6, 7], deals = 1, seatings = 7, options.extended = true },
    { game = "sixteen", players = [2, 4], deals = 1 },
    { game = "sixteen", players = 2, deals = 2, options = { draw_rule = "loose", wilds = false } },
    { game = "diciassette", players = [2, 3, 4, 5, 6], deals = 1, seatings = 2, max_games = 22 },
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
    assert re.search(rb"arena check frugal\n.*arena match frugal haggler\n", done.stderr, re.DOTALL)
    done = main("new", "heavy", "--folder", cwd=league)
    assert done.stdout == b"bots/heavy\nbots/test_heavy.py\n"
    heavy = {path.name for path in (league / "bots" / "heavy").iterdir()}
    assert heavy == {"bot.py", "shares.csv"}
    names = [bot.name for bot in find_bots(league, ["bots/*"])]
    assert names == ["frugal", "heavy"]  # a test is no bot


@pytest.mark.long
def test_every_kind_plays_every_game_without_a_fault_and_repeats_itself(of_all_kinds: Path) -> None:
    for number in range(3):
        (of_all_kinds / "bots" / f"first{number}.py").write_text(FIRST)
    config = of_all_kinds / "cup.toml"
    config.write_text(ALL_POOLS)
    standings = json.loads(main("tournament", config, "--json", "-q").stdout)
    assert len(standings["pools"]) == 13  # 3 + 2 + 2 + 1 + 5
    assert {each["bot"]: each["total"] for each in standings["faults"] if each["total"]} == {}
    ours = {f"a_{kind}" for kind in KINDS}
    assert {row["bot"] for row in standings["overall"] if row["place"] <= len(KINDS)} == ours
    audited = json.loads(main("audit", of_all_kinds / "results" / "cup", "--json").stdout)
    assert ours <= {each["bot"] for each in audited["reproducibility"]}
    assert audited["mismatches"] == []


@pytest.mark.whole
def test_its_test_passes_and_fails_once_the_bot_plays_otherwise(of_all_kinds: Path) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "bots"]
    bot = of_all_kinds / "bots" / "a_decide.py"
    worse = bot.read_text().replace("(3.0, ", "(9.0, ")
    worse = worse.replace("return card_for_pile(view)", 'return "G9"')
    for text, told in ((bot.read_text(), "24 passed"), (worse, "2 failed, 22 passed")):
        bot.write_text(text)
        done = subprocess.run(words, cwd=of_all_kinds, capture_output=True, text=True)
        assert told in done.stdout


@pytest.mark.whole
def test_it_is_typed_and_tidy(of_all_kinds: Path) -> None:
    bots, cache = of_all_kinds / "bots", of_all_kinds / "types"
    ours = ["--config", ROOT / "pyproject.toml"]
    mypy = ["mypy", "--strict", "--config-file=", f"--cache-dir={cache}", *bots.rglob("*.py")]
    tidy = ["ruff", "format", "--check", "--no-cache", bots]
    for words in (["ruff", "check", "--no-cache", *ours, bots], [*tidy, *ours], tidy, mypy):
        program = [sys.executable, "-m", *map(str, words)]
        done = subprocess.run(program, cwd=ROOT.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


PYTHON, LENGTH = "Python cannot import a file with that name", "a bot's name is 1 to 32 characters"


@pytest.mark.parametrize(
    ("name", "finding", "better"),
    [
        ("bots/frugal.py", "a bot's name is 1 to 32 characters from a-z", "frugal"),
        ("test_frugal", "a bot's name cannot start with _, . or test_", "frugal"),
        ("x" * 33, LENGTH, "x" * 32),
        ("random", "other bots' `import random` would find it", "random_bot"),
        ("numpy", "other bots' `import numpy` would find it", "numpy_bot"),
        ("", LENGTH, "bot"), ("Random", LENGTH, "random_bot"),
        ("class", PYTHON, "class_bot"), ("my-bot", PYTHON, "my_bot"), ("-", PYTHON, "bot"),
        ("9" * 32, PYTHON, f"bot_{'9' * 28}"), ("test-class", PYTHON, "class_bot"),
    ],
)  # fmt: skip
def test_a_wrong_name_is_refused(league: Path, name: str, finding: str, better: str) -> None:
    done = main("new", name, cwd=league)
    (said,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said.startswith(f"{name}: {finding}")
    assert said.endswith(f"; choose '{better}'")
    assert list((league / "bots").iterdir()) == []
    assert scaffold.name_problem(better) is None


@pytest.mark.parametrize("taken", ["frugal.py", "frugal", "test_frugal.py"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_over_what_is_there(league: Path, taken: str, kind: BotKind) -> None:
    (league / "bots" / taken).write_text("mine")
    done = main("new", "frugal", *([] if kind == "decide" else [f"--{kind}"]), cwd=league)
    assert done.returncode == 2
    place = league.resolve() / "bots" / taken
    assert done.stderr.decode() == f"{place}: exists already; choose another name, or remove it\n"
    assert [path.read_text() for path in (league / "bots").iterdir()] == ["mine"]


def test_a_bot_of_no_league_is_refused(tmp_path: Path) -> None:
    done = main("new", "frugal", cwd=tmp_path)
    assert (done.returncode, b"arena init" in done.stderr) == (2, True)


@pytest.mark.whole
def test_from_an_empty_folder_to_tables_with_a_bot_of_one_s_own(tmp_path: Path) -> None:
    done = main("init", "cup", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"cup: a league with the house bots and a first bot of yours, ")
    typed = re.findall(r"^    ((?:cd|arena) .*)$", done.stderr.decode(), re.MULTILINE)
    assert typed == ["cd cup", "arena tournament tournaments/first.toml", "arena check mine"]
    league = tmp_path / "cup"
    assert main("new", "yours", "--class", cwd=league).returncode == 0

    done = main(*typed[1].split()[1:], "--json", cwd=league)
    assert done.returncode == 0, done.stderr
    standings = json.loads(done.stdout)
    assert {bot["name"] for bot in standings["bots"]} == {*HOUSE_BOTS, "mine", "yours"}
    assert len({pool["game"] for pool in standings["pools"]}) == 3
    assert not any(each["total"] for each in standings["faults"])
    again = main(*typed[1].split()[1:], cwd=league)
    assert b"\nNothing new to play" in again.stderr

    needed = {"new", "check", "brief", "match", "games", "explain", "replay", "rerun", "history"}
    for page in ("README.md", "AGENTS.md"):
        named = {*re.findall(r"`arena (\w+)", (league / page).read_text())}
        assert needed <= named <= {*load_commands()}


PLANTED = ("conftest.py", "games.py", "numpy.py", "test_other.py", "other_test.py",
           "sub/test_sub.py", "sub/conftest.py", "planted.py")  # fmt: skip
"""Files of `bots/` that a stranger brings, and that pytest or an `import` of a test may run."""
INI = """\
[pytest]
pythonpath = .
filterwarnings = error::planted.Planted
addopts = bots/test_other.py
"""


@pytest.mark.whole
def test_the_advised_way_to_run_one_s_tests_runs_nothing_of_a_stranger_s(tmp_path: Path) -> None:
    league, mark = tmp_path / "cup", tmp_path / "mark"
    assert main("init", league).returncode == 0
    pages = [*league.glob("*.md"), *league.glob("bots/test_*.py"), ROOT / "bots" / "README.md"]
    commands = {
        " ".join(words.replace("\\\n", " ").replace("NAME", "mine").split())
        for page in pages
        for words in re.findall(r"pytest(?: -[^`]*?|) bots[/\w.]*", page.read_text())
    }
    (league / "bots" / "sub").mkdir()
    writes = f"open({str(mark)!r}, 'a').write(__file__)\n"
    for name in PLANTED:
        more = "class Planted(Warning): pass\n" if name == "planted.py" else ""
        (league / "bots" / name).write_text(writes + more)
    (league / "bots" / "pytest.ini").write_text(INI)
    (tmp_path / "private").mkdir(mode=0)  # as others have beside it in a shared folder

    def run(command: str) -> str:
        words = [sys.executable, "-m", *command.split()]
        done = subprocess.run(words, cwd=league, capture_output=True, text=True)
        assert not mark.exists(), (command, mark.read_text())
        return done.stdout

    cache = league / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "nodeids").symlink_to(mark)  # pytest writes there, if it keeps anything
    assert commands
    for command in commands:
        assert "6 passed" in run(command), command
    for folder in (league / "bots", league, tmp_path):
        (folder / "__init__.py").write_text(writes)
        assert f"{folder.name}/__init__.py: pytest would run it without" in run(command)
        (folder / "__init__.py").unlink()


def test_a_league_has_what_a_league_needs(tmp_path: Path) -> None:
    assert main("init", tmp_path / "a" / "cup").returncode == 0
    league = tmp_path / "a" / "cup"
    files = (path for path in league.rglob("*") if path.is_file())
    found = {path.relative_to(league).as_posix() for path in files}
    assert {"bots/mine.py", "bots/test_mine.py", "bots/almanac/prices.csv"} <= found
    assert {*scaffold.PLACES.values(), "tournaments/config.schema.json"} <= found
    assert {path.name for path in tmp_path.iterdir()} == {"a"}  # no draft is left
    comment, _, container = (league / ".devcontainer/devcontainer.json").read_text().partition("\n")
    assert (comment[:2], json.loads(container)["image"]) == ("//", "python:3.12")
    for name in found:
        if name.startswith("bots/") and "mine" not in name:
            assert (league / name).read_bytes() == (ROOT / name).read_bytes(), name
        assert not re.search(r"@[A-Z]+@", (league / name).read_text()), name


def test_whatever_fails_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> int:
        if path.name == "mine.py":
            raise OSError(28, "No space left on device", str(path))
        return write(path, content)

    write = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", full)
    cup = tmp_path / "a" / "cup"
    assert main("init", cup) == (1, b"", f"{cup}: No space left on device\n".encode())
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".hidden").touch()
    assert main("init", tmp_path).returncode == 2
    assert list(tmp_path.iterdir()) == [tmp_path / ".hidden"]


@pytest.mark.parametrize(
    ("origin", "used"),
    [
        ('{"url": "https://github.com/me/it.git", "vcs_info": {"commit_id": "c0c"}}', "me/it@c0c"),
        ('{"url": "https://example.org/it.git", "vcs_info": {"commit_id": "c0c"}}', None),
    ],
)
def test_the_workflow_uses_the_action_of_the_repository_that_pip_installed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str | None, used: str | None
) -> None:
    installed = {"botarena": SimpleNamespace(read_text={"direct_url.json": origin}.__getitem__)}
    monkeypatch.setattr(scaffold, "distribution", installed.__getitem__)
    (tmp_path / ".git").mkdir()  # a new repository may be there
    done = main("init", ".", cwd=tmp_path)
    assert (done.returncode, b"cd " in done.stderr) == (0, False)
    workflow = (tmp_path / ".github" / "workflows" / "arena.yml").read_text()
    assert workflow.count(f"uses: {used or 'OWNER/arena@COMMIT'}\n") == 2
    assert (b"replace OWNER with" in done.stderr) == (used is None)


def test_house_bots_and_new_bots_are_unchanged_until_they_are_changed(tmp_path: Path) -> None:
    league, known = tmp_path / "cup", scaffold.find_unchanged()
    assert main("init", league).returncode == 0
    for kind in KINDS:
        scaffold.write_bot(league, f"a_{kind}", kind)
    found = find_bots(league, ["bots/*"])
    assert len(found) == len(HOUSE_BOTS) + 1 + len(KINDS)
    assert {hash_source(read_bot(bot)) for bot in found} == known
    written = {bot.path: read_bot(bot) for bot in found}
    for end, mark in ((b"\r\n", b""), (b"\r", b""), (b"\r\n", BOM_UTF8)):  # by git or an editor
        for path, source in written.items():
            for name, text in source.files:
                place = path / name if path.is_dir() else path
                place.write_bytes(mark + text.replace(b"\n", end))
        assert {hash_source(read_bot(bot)) for bot in found}.isdisjoint(known)
        assert {hash_text(read_bot(bot)) for bot in found} == known
    for bot in found:
        with (bot.path / "bot.py" if bot.path.is_dir() else bot.path).open("a") as file:
            file.write("# changed\n")
    assert {hash_text(read_bot(bot)) for bot in found}.isdisjoint(known)


@pytest.mark.whole
def test_a_new_league_s_guests_are_ranked_once_they_are_changed(tmp_path: Path) -> None:
    """The guests of the last run stay so if Arena brings other house bots."""
    league = tmp_path / "cup"
    assert main("init", league).returncode == 0
    config, mine, novice = (league / name for name in ("c.toml", "bots/mine.py", "bots/novice.py"))
    config.write_text(
        'house_bots = "guests"\nbots = ["bots/mine.py", "bots/novice.py", "bots/haggler.py"]\n'
        'games = [{ game = "sixteen", players = 2, deals = 1 }]\n'
    )

    def guests() -> list[str]:
        done = main("tournament", config, "--json", "-q", cwd=league)
        assert done.returncode == 0, done.stderr
        return [each["bot"] for each in json.loads(done.stdout).get("not_ranked", [])]

    assert guests() == ["haggler", "mine", "novice"]
    novice.write_bytes(novice.read_bytes().replace(b"\n", b"\r\n"))
    assert guests() == ["haggler", "mine", "novice"]
    mine.write_text(f"{mine.read_text()}# changed\n")
    assert guests() == ["haggler", "novice"]
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(scaffold, "find_unchanged", lambda: set[str]())
        assert guests() == ["haggler", "novice"]
    config.write_text(config.read_text().replace('"guests"', '"ranked"'))
    assert guests() == []
    assert main("verify", league / "results" / "c").returncode == 0
