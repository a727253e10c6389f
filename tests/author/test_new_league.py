"""`arena init`: a league that plays at once, in a new or an empty folder, and nothing half done."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.author import new_league
from arena.league.bots import HOUSE_BOTS
from tests.leagues import arena, main
from tests.places import ROOT


def inside(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.whole
def test_from_an_empty_folder_to_tables_with_a_bot_of_one_s_own(tmp_path: Path) -> None:
    """Without a terminal, as a script or a language model types it."""
    done = arena("init", "cup", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"cup: a league of the house bots and yours, bots/mine.py\n"
    typed = re.findall(r"^    ((?:cd|arena) .*)$", done.stderr.decode(), re.MULTILINE)
    assert typed == [
        "cd cup", "arena tournament tournaments/first.toml", "arena check mine",
    ]  # fmt: skip
    league = tmp_path / "cup"
    assert arena("new", "yours", "--class", cwd=league).returncode == 0

    done = arena(*typed[1].split()[1:], "--json", cwd=league)
    assert done.returncode == 0, done.stderr
    standings = json.loads(done.stdout)
    assert {bot["name"] for bot in standings["bots"]} == {*HOUSE_BOTS, "mine", "yours"}
    assert len({pool["game"] for pool in standings["pools"]}) == 3
    assert not any(each["total"] for each in standings["faults"])
    again = arena(*typed[1].split()[1:], cwd=league)
    assert b"\n0 games played" in again.stderr

    pages = "".join((league / page).read_text() for page in ("README.md", "AGENTS.md"))
    for command in set(re.findall(r"`arena (\w+)", pages)):
        assert main(command, "--help").returncode == 0, command


PLANTED = (
    "conftest.py", "games.py", "numpy.py", "test_other.py", "other_test.py", "sub/test_sub.py",
    "sub/conftest.py", "planted.py",
)  # fmt: skip
"""Files of `bots/` that a stranger brings, and that pytest or an `import` of a test may run."""
INI = """\
[pytest]
pythonpath = .
filterwarnings = error::planted.Planted
addopts = bots/test_other.py
"""


def advised(league: Path) -> set[str]:
    """Return the commands that run tests of bots, of all that tells how to run them."""
    pages = [*league.glob("*.md"), *league.glob("bots/test_*.py"), ROOT / "bots" / "README.md"]
    texts = [page.read_text() for page in pages]
    return {
        " ".join(words.replace("\\\n", " ").replace("NAME", "mine").split())
        for text in texts
        for words in re.findall(r"pytest(?: -[^`]*?|) bots[/\w.]*", text)
    }


@pytest.mark.whole
def test_the_advised_way_to_run_one_s_tests_runs_nothing_of_a_stranger_s(tmp_path: Path) -> None:
    league, mark = tmp_path / "cup", tmp_path / "mark"
    assert main("init", league).returncode == 0
    commands = advised(league)
    (league / "bots" / "sub").mkdir()
    writes = f"open({str(mark)!r}, 'a').write(__file__)\n"
    for name in PLANTED:
        more = "class Planted(Warning): pass\n" if name == "planted.py" else ""
        (league / "bots" / name).write_text(writes + more)
    (league / "bots" / "pytest.ini").write_text(INI)

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
    found = inside(league)
    assert {
        "README.md", "AGENTS.md", "tournaments/first.toml", ".github/workflows/arena.yml",
        ".gitignore", "bots/mine.py", "bots/test_mine.py", "bots/almanac/bot.py",
        "bots/almanac/prices.csv",
    } <= found  # fmt: skip
    assert {path.name for path in tmp_path.iterdir()} == {"a"}  # no draft is left
    assert len((league / "AGENTS.md").read_text().splitlines()) == 5
    for name in found:
        if name.startswith("bots/") and "mine" not in name:
            assert (league / name).read_bytes() == (ROOT / name).read_bytes(), name
        assert not re.search(r"@[A-Z]+@", (league / name).read_text()), name


def test_the_folder_may_be_there_if_it_is_empty_or_a_new_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    done = main("init", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"cd " not in done.stderr
    assert (tmp_path / "bots" / "mine.py").is_file()


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "bots/"])
def test_a_folder_that_is_not_empty_is_refused_and_left_as_it_was(
    tmp_path: Path, name: str
) -> None:
    thing = tmp_path / name
    thing.mkdir() if name.endswith("/") else thing.write_text("mine")
    done = main("init", tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    found = name.rstrip("/")
    assert done.stderr.decode() == (
        f"{tmp_path}: is not empty, it holds '{found}'; name a new folder, or an empty one\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == [found]


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = main("init", tmp_path / "file")
    assert done.returncode == 2
    assert b"file: is there already, and no folder; name a new folder" in done.stderr
    done = main("init", tmp_path / "file" / "deeper" / "cup")
    assert done.returncode == 2
    assert b"file is no folder; name a new folder" in done.stderr


def test_whatever_fails_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> int:
        if path.name == "mine.py":
            raise OSError(28, "No space left on device", str(path))
        return write(path, content)

    write = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", full)
    done = main("init", tmp_path / "a" / "cup")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"{tmp_path / 'a' / 'cup'}: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


ORIGINS = {
    "": None,
    '{"url": "file:///src/arena", "dir_info": {"editable": true}}': None,
    '{"url": "https://github.com/cards/arena.git", "vcs_info": {"commit_id": "%s"}}' % ("c" * 40):
        "cards/arena@" + "c" * 40,
    '{"url": "https://example.org/arena.git", "vcs_info": {"commit_id": "%s"}}' % ("c" * 40): None,
}  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_workflow_uses_the_action_of_the_repository_that_pip_installed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return origin or None

    monkeypatch.setattr(new_league, "distribution", lambda name: Installed())
    done = main("init", tmp_path)
    used = ORIGINS[origin]
    workflow = (tmp_path / ".github" / "workflows" / "arena.yml").read_text()
    assert workflow.count(f"uses: {used or 'OWNER/arena@COMMIT'}\n") == 2
    assert (b"where OWNER stands" in done.stderr) == (used is None)
