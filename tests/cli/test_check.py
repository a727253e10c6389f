"""`arena check`, as its user meets it."""

import json
import os
import re
from pathlib import Path

import pytest

from arena.author import check as checks
from arena.author.check import pools
from arena.cli import progress
from arena.cli.letters import _write_letter
from tests.leagues import main
from tests.places import BOTS
from tests.schemas import wrong_in
from tests.sessions import FIRST

SOUND = "def decide(view):\n    return view.legal[-1]\n"
TYPO = "def decide(view):\n    return view.legals[-1]\n"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of each of three pools, and no line of progress, however busy the machine is."""
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
    for told in (
        "3 x error: AttributeError: 'View' object has no attribute 'legals'", "with this view",
        "(mine.py line 2) return view.legals[-1] hint: did you mean view.legal?", "legal: ",
        "prints nothing", "mine is not sound: it forfeits 3 of 3 games",
    ):  # fmt: skip
        assert told in words
    assert done.stderr.decode().startswith("fault: error: AttributeError: ")  # as soon as seen
    quiet = main("check", "mine", "-q", "--json", cwd=tmp_path)
    assert (quiet.returncode, quiet.stderr) == (1, b"")


@pytest.mark.whole
def test_what_cannot_be_loaded_ends_there_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import randon\n\n\ndef decide(view):\n    pass\n")
    done = main("check", "mine.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    page = done.stdout.decode()
    assert "load: ModuleNotFoundError: No module named 'randon' (mine.py line 1)" in page
    assert "hint: did you mean 'random'?" in page
    assert "games" not in page


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
    assert "huge.py: the bot is larger than" in (tmp_path / "letters" / "huge.txt").read_text()
    lines = done.stdout.decode().splitlines()
    begins = ("ann is sound (", "bob is not sound: it forfeits 3 of 3", "  3 x error: AttributeE")
    assert all(line.startswith(begin) for line, begin in zip(lines[:3], begins, strict=True))
    assert lines[-1] == "1 of 3 bots are sound; not sound: bob, huge"
    assert b"huge.py: the bot is larger than" in done.stderr
    done = main("check", "bots/[ac]*.py", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert [json.loads(line)["bot"] for line in done.stdout.splitlines()] == ["ann", "cid"]


def test_letters_replace_letters_and_no_other_file(tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    _write_letter(letters, [], None, "ann", None, "old")
    _write_letter(letters, [], None, "ann", None, "it is\x1b[2J sound")
    assert (letters / "ann.txt").read_text() == (
        "Arena's letter to ann\n\nit is\\x1b[2J sound\n\nTo try it yourself: arena check ann\n"
    )
    (letters / "bob.txt").write_text("mine")
    (letters / "cid.txt").symlink_to(letters / "bob.txt")
    bots = [tmp_path / f"{name}.py" for name in ("ann", "bob", "cid")]
    for bot in bots:
        bot.write_text(SOUND)
    for bot in bots[1:]:
        done = main("check", bots[0], bot, "--letters", letters)
        assert (done.returncode, done.stdout) == (2, b""), "before the first check"
        assert f"{bot.stem}.txt: not a letter by Arena" in done.stderr.decode()
    assert (letters / "bob.txt").read_text() == "mine"


@pytest.mark.whole
def test_a_letter_begins_with_what_an_author_needs(league: Path) -> None:
    (league / "words.txt").write_text("Dear all,\nwell done.\n")
    config = league / "tournaments" / "cup.toml"
    config.write_text(f"entries_close = 2031-02-03T18:00:00Z\n{config.read_text()}")
    (league / "bots" / "ann.py").write_text(FIRST.replace("[0]", "[-1]"))
    assert main("tournament", config, "-q", "--label", "week 2", cwd=league).returncode == 0
    main("publish", "cup", cwd=league)
    (league / "bots" / "new.py").write_text(SOUND)
    given = ("ann", "new", "--seconds", "1", "--letters", "post", "--with-text", "words.txt")
    done = main("check", *given, "--results", "cup", cwd=league)
    assert done.returncode == 0, done.stderr.decode()
    assert b"2 of 2: new" in done.stderr
    parts = (league / "post" / "ann.txt").read_text().split("\n\n")
    assert parts[:2] == ["Arena's letter to ann", "Dear all,\nwell done."]
    assert parts[2].startswith("ann is sound (")
    lines = parts[3].splitlines()
    assert re.fullmatch(
        r"Place in week 2: \d.. of \d(, .* time before|, (up|down) from .*)\.", lines[0]
    )
    assert re.fullmatch(r"A game to learn from: .*, ([0-9a-f]{8}), against .*\.", lines[1])
    id = lines[1].split(", ")[1]
    assert lines[2:4] == [
        f"    arena explain results/cup {id}:ann",
        f"    arena replay results/cup {id}",
    ]
    assert "2031-02-03" in lines[-1]
    link = re.search(r"site: (watch.*html)#(.*)", parts[3])
    assert link is None or (league / "results" / "cup" / "site" / link[1]).exists()
    assert parts[4].startswith("load ")
    assert parts[-1] == "To try it yourself: arena check ann\n"
    assert "new has not played in results/cup yet." in (league / "post" / "new.txt").read_text()
    refused = main("check", "ann", "--results", "cup", cwd=league)
    assert (refused.returncode, b"need --letters" in refused.stderr) == (2, True)


@pytest.mark.whole
def test_what_is_not_part_of_a_bot_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "FIRST_LINE_S", 0.0)  # which a quiet check has none of
    monkeypatch.setattr(progress, "REDRAW_S", 0.001)
    folder = tmp_path / "bots" / "mine"
    for name in ("bot.py", "data.txt", ".weights", "env/pyvenv.cfg", "__pycache__/bot.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(SOUND)
    done = main("check", "mine", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (
        0, "mine: not part of the bot: .weights, env; rename what it reads\n"
    )  # fmt: skip
