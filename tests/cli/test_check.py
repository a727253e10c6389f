"""`arena check`, as its user meets it."""

import json
import os
from pathlib import Path

import pytest

from arena.author import check as checks
from arena.author.check import pools
from arena.cli import progress
from arena.cli.check import _write_letter
from arena.errors import UsageError
from tests.leagues import main
from tests.places import BOTS
from tests.schemas import wrong_in

SOUND = "def decide(view):\n    return view.legal[-1]\n"
TYPO = "def decide(view):\n    return view.legals[-1]\n"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pools, no time for more than a game of each, and no line of progress, however long a
    busy machine takes.
    """
    monkeypatch.setattr(progress, "FIRST_LINE_S", 600.0)
    monkeypatch.setattr(checks, "pools", lambda: pools()[:3])
    monkeypatch.setattr(checks, "GAMES", 1)
    monkeypatch.setattr(checks, "TIMED", 1)


@pytest.mark.whole
def test_outside_a_league_a_path_will_do_and_json_keeps_to_its_schema(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOUND)
    done = main("check", "mine.py", "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    document = json.loads(done.stdout)
    assert wrong_in("check", document) == []
    assert (document["bot"], document["sound"]) == ("mine", True)
    document["reproducibility"]["games"] = -1
    assert wrong_in("check", document) == ["$.reproducibility"]


@pytest.mark.whole
def test_a_page_says_all_there_is_to_mend(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(TYPO)
    done = main("check", "mine", cwd=tmp_path, environment={"COLUMNS": "60"})
    page = done.stdout.decode()
    assert done.returncode == 1
    assert max(map(len, page.splitlines())) <= 60
    words = " ".join(page.split())
    assert "3 x error: AttributeError: 'View' object has no attribute 'legals'" in words
    assert "(mine.py line 2) return view.legals[-1] hint: did you mean view.legal?" in words
    assert "with this view" in words
    assert "legal: " in words
    assert "prints nothing" in words
    assert "mine is not sound: it forfeits 3 of 3 games" in words
    assert done.stderr.decode().startswith("fault: error: AttributeError: ")  # as soon as seen
    quiet = main("check", "mine", "-q", "--json", cwd=tmp_path)
    assert (quiet.returncode, quiet.stderr) == (1, b"")
    assert wrong_in("check", json.loads(quiet.stdout)) == []


@pytest.mark.whole
def test_what_cannot_be_loaded_ends_there_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import randon\n\n\ndef decide(view):\n    pass\n")
    done = main("check", "mine.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    page = done.stdout.decode()
    assert "load: ModuleNotFoundError: No module named 'randon' (mine.py line 1)" in page
    assert "hint: did you mean 'random'?" in page
    assert "games" not in page
    assert main("check", "mine.py", "--json", cwd=tmp_path).returncode == 1


@pytest.mark.whole
def test_what_a_bot_prints_reaches_no_terminal_as_it_is() -> None:
    done = main("check", BOTS / "talks.py")
    assert b"\x1b" not in done.stdout + done.stderr
    assert rb"\x1b[2J" in done.stdout


@pytest.mark.whole
def test_several_bots_have_a_few_lines_each_and_json_a_line_each(tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    bots.mkdir()
    for name, text in (("ann", SOUND), ("bob", TYPO), ("cid", SOUND)):
        (bots / f"{name}.py").write_text(text)
    (bots / "huge.py").write_bytes(b"#" * (65 << 20))
    (bots / "B\u00f6b M.py").write_text(SOUND)
    given = ("ann", "bob", "*[bB]*", "bots/bob.py", "huge", "--letters", "letters")
    done = main("check", *given, cwd=tmp_path)
    assert done.returncode == 1
    assert b"rename it to boeb_m.py" in done.stderr
    assert sorted(os.listdir(tmp_path / "letters")) == ["ann.txt", "bob.txt", "huge.txt"]
    letter = (tmp_path / "letters" / "huge.txt").read_text()
    assert letter.startswith("Arena's letter to huge\n\n")
    assert "huge.py: the bot is larger than" in letter
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("ann is sound (")
    assert lines[1].startswith("bob is not sound: it forfeits 3 of 3 games")
    assert lines[2].startswith("  3 x error: AttributeError")
    assert lines[-1] == "1 of 3 bots are sound; not sound: bob, huge"
    assert b"huge.py: the bot is larger than" in done.stderr
    done = main("check", "bots/[ac]*.py", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert [json.loads(line)["bot"] for line in done.stdout.splitlines()] == ["ann", "cid"]
    refused = main("check", "x*", cwd=tmp_path)
    assert refused.returncode == 2
    assert b"'bots/x*' matches no bot" in refused.stderr


@pytest.mark.whole
def test_quiet_it_says_nothing_before_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "FIRST_LINE_S", 0.0)
    monkeypatch.setattr(progress, "REDRAW_S", 0.001)
    (tmp_path / "mine.py").write_text(SOUND)
    assert b": 0 s so far\n" in main("check", "mine.py", cwd=tmp_path).stderr
    assert main("check", "mine.py", "-q", cwd=tmp_path).stderr == b""


def test_letters_replace_letters_and_no_other_file(tmp_path: Path) -> None:
    _write_letter(tmp_path / "letters", "ann", ["old"])
    _write_letter(tmp_path / "letters", "ann", ["it is\x1b[2J sound"])
    assert (tmp_path / "letters" / "ann.txt").read_text() == (
        "Arena's letter to ann\n\nit is\\x1b[2J sound\n\nTo try it yourself: arena check ann\n"
    )
    mine, link = tmp_path / "letters" / "bob.txt", tmp_path / "letters" / "cid.txt"
    mine.write_text("mine")
    link.symlink_to(mine)
    for name in ("bob", "cid"):
        with pytest.raises(UsageError, match="not a letter by Arena"):
            _write_letter(tmp_path / "letters", name, ["new"])
    assert mine.read_text() == "mine"


def test_a_foreign_file_in_the_place_of_a_letter_is_said_before_the_first_check(
    tmp_path: Path,
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "letters").mkdir()
    for name in ("ann", "kim"):
        (tmp_path / "bots" / f"{name}.py").write_text(SOUND)
    (tmp_path / "letters" / "kim.txt").write_text("mine")
    done = main("check", "bots/*", "--letters", "letters", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"letters/kim.txt: not a letter by Arena" in done.stderr
    assert os.listdir(tmp_path / "letters") == ["kim.txt"]


@pytest.mark.whole
def test_what_is_not_part_of_a_bot_is_listed(tmp_path: Path) -> None:
    """A bot that reads a hidden file does not find it in the sandbox."""
    folder = tmp_path / "bots" / "mine"
    for name in ("bot.py", "data.txt", ".weights", "env/pyvenv.cfg", "__pycache__/bot.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(SOUND)
    done = main("check", "mine", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (
        0, "mine: not part of the bot: .weights, env; rename what it reads\n"
    )  # fmt: skip
