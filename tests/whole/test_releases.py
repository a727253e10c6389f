"""Releases of Arena that verify each other's results: nobody is accused of having another one, and
what was forged in one place is found.
"""

import json
import re
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.audit import refit
from arena.store.schema import FILE, PUBLIC_FILE
from tests.copies import COLUMN, COLUMN_LESS, KEY_OF_WEEKS, RATINGS, Copy, copy_arena
from tests.leagues import BOTS, alter, copied, main, make, pairs
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("releases")]

FOLDERS = ("weeks", "export", "archive")
WORD = "its maker's word, on which the comparison rests"
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
    assert re.search(rf"not checked: .*provenance.json, .*history/0001.* \({WORD}\)$", last(said))
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
