"""Releases of Arena that verify each other's results: nobody is accused of having another one, and
what was forged in one place is found.
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena import __version__
from arena.audit import refit
from arena.store.schema import FILE, PUBLIC_FILE
from tests import digits
from tests.copies import COLUMN, COLUMN_LESS, KEY_OF_WEEKS, RATINGS, Copy, copy_arena
from tests.leagues import BOTS, alter, copied, main, make, pairs
from tests.places import ROOT
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("releases")]

FOLDERS = ("weeks", "export", "archive")
WORD = "its maker's word, which the comparison relies on"
Run = Callable[..., Any]
Forgery = Callable[[Path], None]


@pytest.fixture(autouse=True)
def without_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refit, "refit_store", lambda store, steps: [])


def play(folder: Path, run: Run) -> Path:
    """A season of two weeks; an export of it, and its archive."""
    for label, bots in (("one", BOTS), ("two", BOTS | {"bob": FIRST + "# mended\n"})):
        done = run("tournament", make(folder, pairs(4), bots), "--label", label, "-q")
        assert done.returncode == 0, done.stderr
    results = folder / "results" / "cup"
    assert run("export", results, "--to", folder / "export").returncode == 0
    shutil.copytree(results, folder / "weeks")
    assert run("season", "close", results, "--yes").returncode == 0
    (archive,) = (folder / "seasons").iterdir()
    archive.rename(folder / "archive")
    return folder


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("ours"), main)


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The next release: a column more, and a key more in weeks."""
    return copy_arena(tmp_path_factory.mktemp("later"), "0.2.0", COLUMN, KEY_OF_WEEKS)


def verify(run: Run, folder: Path) -> tuple[int, str]:
    """The exit code, and all that is said, the last line last."""
    done = run("verify", folder)
    out = [text if isinstance(text, str) else text.decode() for text in (done.stderr, done.stdout)]
    return done.returncode, "".join(out)


def last(said: str) -> str:
    return said.splitlines()[-1]


def write(name: str, old: str, new: str) -> Forgery:
    """Change the first such text of a file."""

    def forge(folder: Path) -> None:
        text, times = re.subn(old, new, (folder / name).read_text(), count=1)
        assert times, (name, old)
        (folder / name).write_text(text)

    return forge


def in_week(old: str, new: str) -> Forgery:
    """Change the first such text of a week, in the store and in its file."""

    def forge(folder: Path) -> None:
        file = folder / "history" / "0001.json"
        text, times = re.subn(old, new, file.read_text(), count=1)
        assert times, old
        (store,) = (folder / name for name in (FILE, PUBLIC_FILE) if (folder / name).exists())
        with closing(sqlite3.connect(store)) as database:
            ((packed,),) = database.execute("SELECT value FROM meta WHERE key = 'history 0001'")
        kept = json.loads(zlib.decompress(packed)) | {"week": json.loads(text)}
        packed = zlib.compress(json.dumps(kept).encode())
        alter(store, "UPDATE meta SET value = ? WHERE key = 'history 0001'", packed)
        file.write_text(text)

    return forge


NUMBER = write("standings.json", r'"mu": \d', '"mu": 1')
COUNT = write("standings.json", r'"decks": \d+', '"decks": 77')
CELL = write("standings.csv", r",24,(\d+),0,", r",23,\1,0,")
OF_WEEK = in_week(r'"mu": \d', '"mu": 1')
GAMES = in_week(r'"games": 24', '"games": 23')
FORGED = {
    "a rating": NUMBER,
    "a count": COUNT,
    "a key less": write("standings.json", r' *"wins": .*\n', ""),
    "a key more": write("standings.json", r'( *)"faults_total"', r'\1"luck": 1,\n\1"faults_total"'),
    "a cell of CSV": CELL,
    "a cell of Markdown": write("standings.md", r" 24 \|", " 23 |"),
    "a cell of the page": write("standings.html", ">24<", ">23<"),
    "a week's rating": OF_WEEK,
    "a week's games": GAMES,
    "a week's file": write("history/0001.json", r'"mu": \d', '"mu": 1'),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_next_release_accuses_nobody(ours: Path, later: Copy, name: str) -> None:
    """It knows the release before, so it checks all that this wrote, ratings as well."""
    code, said = verify(later.run, ours / name)
    assert code == 0, said
    assert re.search(rf"not checked: .*provenance.json, .*history/0001.* \({WORD}\)", last(said))
    assert "made by" not in said


@pytest.mark.parametrize("what", FORGED)
def test_the_next_release_finds_what_was_forged(
    ours: Path, later: Copy, tmp_path: Path, what: str
) -> None:
    folder = copied(ours / "weeks", tmp_path / "forged")
    FORGED[what](folder)
    code, said = verify(later.run, folder)
    assert (code, last(said)) == (1, "1 problem found (listed above)"), said


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory, later: Copy) -> dict[str, Path]:
    """Seasons by releases that this one does not know."""
    made = tmp_path_factory.mktemp("theirs")
    less = copy_arena(made / "less", "0.0.9", COLUMN_LESS)
    rates = copy_arena(made / "rates", "0.3.0", RATINGS)
    return {
        name: play(made / f"by {name}", copy.run)
        for name, copy in {"more": later, "less": less, "rates": rates}.items()
    }


UNCHECKED = {
    "more": "Row.spin in standings.json",
    "less": r"Row.wins \(missing in standings.json\)",
    "rates": "ratings in standings.json",
}


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("kind", UNCHECKED)
def test_a_release_that_is_not_known_is_not_accused_and_what_is_not_checked_is_named(
    theirs: dict[str, Path], kind: str, name: str
) -> None:
    code, said = verify(main, theirs[kind] / name)
    assert code == 0, said
    assert re.search(rf"not checked: .*{UNCHECKED[kind]}.*\(made by arena 0\.\d\.\d\)", last(said))
    assert "provenance.json" in last(said)
    assert "byte for byte" not in said


@pytest.mark.parametrize("kind", UNCHECKED)
@pytest.mark.parametrize("forge", [COUNT, CELL, GAMES], ids=["count", "cell", "week"])
def test_counts_are_checked_whatever_the_release(
    theirs: dict[str, Path], tmp_path: Path, kind: str, forge: Forgery
) -> None:
    folder = copied(theirs[kind] / "weeks", tmp_path / "forged")
    forge(folder)
    assert verify(main, folder)[0] == 1


def find_python(minor: int) -> str:
    """Another Python that has Arena's packages, by PATH; skips the test where there is none."""
    program = "import multiprocess, numpy, rich, tabulate, trueskill, typer, msgspec, jinja2"
    found = shutil.which(f"python3.{minor}")
    if sys.version_info.minor == minor or found is None:
        pytest.skip(f"needs another Python, 3.{minor}, on PATH")
    if subprocess.run([found, "-c", program], capture_output=True, check=False).returncode:
        pytest.skip(f"{found} lacks Arena's packages: pip install arena there")
    return found


@pytest.mark.long
@pytest.mark.parametrize("machine", ["another CPU", 11, 12, 13, 14])
def test_a_machine_is_accused_of_nothing_but_what_was_forged(
    ours: Path, tmp_path: Path, machine: str | int
) -> None:
    """Of this release, on a CPU without numpy's instructions, and by other versions of Python."""
    if isinstance(machine, str):
        other = Copy(ROOT, environment=digits.settings()[-1].environment)
    else:
        other = Copy(ROOT, find_python(machine))
    theirs = play(tmp_path / "theirs", other.run)
    for name in FOLDERS:
        for run, folder in ((main, theirs / name), (other.run, ours / name)):
            code, said = verify(run, folder)
            assert code == 0, said
            assert "written with other versions or on another kind of CPU" in said
            assert (f"provenance.json ({WORD})" in last(said)) == ("by rounding" in said)
    for number, (what, forge) in enumerate(FORGED.items()):
        folder = copied(theirs / "weeks", tmp_path / f"forged {number}")
        forge(folder)
        code, said = verify(main, folder)
        assert code == 1, (what, said)


def test_weeks_of_two_releases_are_each_rated_by_its_own(later: Copy, tmp_path: Path) -> None:
    for label, run, bots in (("one", main, BOTS), ("two", later.run, BOTS | {"bob": FIRST})):
        done = run("tournament", make(tmp_path, pairs(4), bots), "--label", label, "-q")
        assert done.returncode == 0, done.stderr
    results = tmp_path / "results" / "cup"
    code, said = verify(main, results)
    assert code == 0, said
    assert "WeekRow.spin in history/0002.json" in last(said)
    assert "history/0001" not in last(said)
    code, said = verify(later.run, results)
    assert (code, last(said).partition("not checked: ")[2]) == (
        0, f"history/0001.json: its version ({WORD}); the weeks' dates and labels, CPU times and "
        "provenance.json (its maker's word)"
    )  # fmt: skip
    OF_WEEK(results)  # of the release that both know
    assert verify(main, results)[0] == verify(later.run, results)[0] == 1


def claim(version: str) -> Forgery:
    """Have files say that another release made them."""
    return write(
        "provenance.json",
        f'"arena": "{__version__}"',
        f'"arena": {json.dumps(version)}'.replace("\\", r"\\"),
    )


def claim_week(version: str) -> Forgery:
    return in_week(f'"arena": "{__version__}"', f'"arena": "{version}"')


RATED = "ratings in standings.json"
OTHER_PLACE = write("standings.json", '"place": 1', '"place": 2')
CLAIMS: dict[str, tuple[list[Forgery], str | None]] = {  # what the last line names; None: found
    "a version alone": ([claim("9.9.9")], ""),
    "a rating": ([claim("9.9.9"), NUMBER], RATED),
    "a place": ([claim("9.9.9"), OTHER_PLACE], RATED),
    "a count": ([claim("9.9.9"), COUNT], None),
    "a share": ([claim("9.9.9"), write("standings.json", r'"wins": [\d.]+', '"wins": 1.0')], None),
    "a name": ([claim("9.9.9"), write("standings.json", '"bot": "ann"', '"bot": "zoe"')], None),
    "a hash": ([claim("9.9.9"), write("standings.json", r'"hash": "....', '"hash": "ffff')], None),
    "a rating that no table can show": (
        [claim("9.9.9"), write("standings.json", r'"mu": [\d.]+', '"mu": 1e308')], None
    ),
    "a key that one line lacks": (
        [claim("9.9.9"), write("standings.json", r' *"wins": .*\n', "")], None
    ),
    "a text that a terminal obeys": ([claim("\x1b]0;x\x07" * 500), NUMBER], r"\x1b]0;x\x07"),
    "lists in lists": (
        [claim("9.9.9"),
         write("standings.json", "{", '{"x": ' + "[" * 900 + "]" * 900 + ",")], None
    ),
    "no document": ([claim("9.9.9"), write("standings.json", "(?s).*", "[]")], None),
    "another format": (
        [claim("9.9.9"), write("standings.json", '"version": 7', '"version": 8')],
        r"standings.json (another format, made by arena 9.9.9)",
    ),
    "another format, and a count in CSV": (
        [claim("9.9.9"), write("standings.json", '"version": 7', '"version": 8'), CELL],
        "standings.csv (made by arena 9.9.9)",
    ),
    "a cell of Markdown": (
        [claim("9.9.9"), write("standings.md", r" 24 \|", " 23 |")], "standings.md"
    ),
    "a line less of CSV": ([claim("9.9.9"), write("standings.csv", r"\n.*\n$", "\n")], None),
    "cells without end": (
        [claim("9.9.9"), write("standings.csv", r"\n", '\n"' + "x" * 140_000)], None
    ),
    "a week's version": ([claim_week("9")], ""),
    "a week's rating": ([claim_week("9"), OF_WEEK], "ratings in history/0001"),
    "a week's count": ([claim_week("9"), in_week(r'"games": 24', '"games": 23')], None),
    "a week's games": ([claim_week("9"), in_week(r'"games": \d+, "bots"', '"games": 47, "bots"')],
                       "history/0001.json (more of its games are played now)"),
    "a week's file": (
        [claim_week("9"), write("history/0001.json", r'"mu": \d', '"mu": 1')], None
    ),
    "a key in a week's file": (
        [claim_week("9"), write("history/0001.json", "{", '{"luck": 1, ')],
        "Week.luck in history/0001.json",
    ),
    "a key in a week's file of this release": (
        [write("history/0001.json", "{", '{"luck": 1, ')], None
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CLAIMS)
def test_who_claims_another_release_has_less_checked_and_that_is_said(
    ours: Path, tmp_path: Path, what: str
) -> None:
    folder = copied(ours / "weeks", tmp_path / "forged")
    forgeries, named = CLAIMS[what]
    for forge in forgeries:
        forge(folder)
    code, said = verify(main, folder)
    assert code == (named is None), said
    assert (named or "") in last(said)
    if what == "another format":
        assert "standings.json" not in said.partition("compared: ")[2].partition("\n")[0]
    assert len(said) < 3000
    if named and "week" not in what:
        assert f"provenance.json ({WORD})" in last(said)
