"""Releases of Arena verify each other's results: none is accused, and what is forged is found."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

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
Said = tuple[int, str]
Run = Callable[..., list[Said]]
Forgery = Callable[[Path], object]


@pytest.fixture(autouse=True)
def without_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refit, "refit_store", lambda store, steps: [])


def ours_runs(*commands: Sequence[object]) -> list[Said]:
    """Return of each command the exit code, and all that is said, the last line last."""
    told = [main(*words) for words in commands]
    return [(done.returncode, (done.stderr + done.stdout).decode()) for done in told]


def play(folder: Path, run: Run, *weeks: str) -> Path:
    """A season of such weeks; an export of it, and its archive."""
    config, results = make(folder, pairs(4), BOTS), folder / "results" / "cup"
    for code, said in run(
        *(("tournament", config, "--label", label, "-q") for label in weeks),
        ("export", results, "--to", folder / "export"),
        ("backup", results, folder / "backups"),
        ("season", "close", results, "--yes"),
    ):
        assert code == 0, said
    for made, name in (("backups", "weeks"), ("seasons", "archive")):
        (there,) = (folder / made).iterdir()
        there.rename(folder / name)
    return folder


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("ours"), ours_runs, "one", "two")


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The next release: a column more, and a key more in weeks."""
    return copy_arena(tmp_path_factory.mktemp("later"), "0.2.0", COLUMN, KEY_OF_WEEKS)


def verify(run: Run, *folders: Path) -> list[Said]:
    return run(*(("verify", folder) for folder in folders))


def last(said: str) -> str:
    return said.splitlines()[-1]


def replace(file: Path, old: str, new: str) -> str:
    """Return a file's text, in which the first such text is another."""
    text, times = re.subn(old, new, file.read_text(), count=1)
    assert times, (file, old)
    return text


def write(name: str, old: str, new: str) -> Forgery:
    """Change the first such text of a file."""
    return lambda folder: (folder / name).write_text(replace(folder / name, old, new))


def in_week(old: str, new: str) -> Forgery:
    """Change the first such text of a week, in the store and in its file."""

    def forge(folder: Path) -> None:
        file = folder / "history" / "0001.json"
        text = replace(file, old, new)
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
LUCK = write("history/0001.json", "{", '{"luck": 1, ')
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


def test_the_next_release_accuses_nobody(ours: Path, later: Copy) -> None:
    """It knows the release before, so it checks all that this wrote, ratings as well."""
    named = rf"not checked: .*provenance.json, .*history/0001.* \({WORD}\)"
    for code, said in verify(later.run_all, *(ours / name for name in FOLDERS)):
        assert (code, "made by" in said) == (0, False), said
        assert re.search(named, last(said))


def forge_each(folder: Path, to: Path) -> dict[str, Path]:
    forged = {what: copied(folder, to / f"{number}") for number, what in enumerate(FORGED)}
    for what, copy in forged.items():
        FORGED[what](copy)
    return forged


def test_the_next_release_finds_what_was_forged(ours: Path, later: Copy, tmp_path: Path) -> None:
    forged = forge_each(ours / "weeks", tmp_path)
    told = verify(later.run_all, *forged.values())
    for what, (code, said) in zip(forged, told, strict=True):
        assert (what, code, last(said)) == (what, 1, "1 problem found (listed above)"), said


def test_a_week_of_which_more_is_played_now_is_not_compared(ours: Path, tmp_path: Path) -> None:
    folder = copied(ours / "weeks", tmp_path / "grown")
    in_week(r'"games": \d+', '"games": 1')(folder)
    ((code, said),) = verify(ours_runs, folder)
    assert code == 0, said
    assert "history: 1 week recomputed\n" in said
    assert "history: 1 week not compared, for more of its games are played now" in said


UNCHECKED = {
    "more": "Row.spin in standings.json",
    "less": r"Row.wins \(missing in standings.json\)",
    "rates": "ratings in standings.json",
}


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory, later: Copy) -> dict[str, Path]:
    """Seasons by releases that this one does not know."""
    made = tmp_path_factory.mktemp("theirs")
    less = copy_arena(made / "less", "0.0.9", COLUMN_LESS)
    rates = copy_arena(made / "rates", "0.3.0", RATINGS)
    return {
        kind: play(made / f"by {kind}", copy.run_all, "one")
        for kind, copy in zip(UNCHECKED, (later, less, rates), strict=True)
    }


@pytest.mark.parametrize("kind", UNCHECKED)
def test_a_release_that_is_not_known_is_not_accused_and_what_is_not_checked_is_named(
    theirs: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    """Counts are checked whatever the release."""
    named = rf"not checked: .*{UNCHECKED[kind]}.*\(made by arena 0\.\d\.\d\)"
    for code, said in verify(ours_runs, *(theirs[kind] / name for name in FOLDERS)):
        assert (code, "byte for byte" in said) == (0, False), said
        assert re.search(named, last(said))
        assert "provenance.json" in last(said)
    for number, forge in enumerate((COUNT, CELL, GAMES)):
        folder = copied(theirs[kind] / "weeks", tmp_path / f"{number}")
        forge(folder)
        assert verify(ours_runs, folder)[0][0] == 1


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
    other = Copy(ROOT, environment=digits.settings()[-1])
    if isinstance(machine, int):
        other = Copy(ROOT, find_python(machine))
    theirs = play(tmp_path / "theirs", other.run_all, "one", "two")
    told = verify(ours_runs, *(theirs / name for name in FOLDERS))
    for code, said in told + verify(other.run_all, *(ours / name for name in FOLDERS)):
        assert code == 0, said
        assert "written with other versions or on another kind of CPU" in said
        assert (f"provenance.json ({WORD})" in last(said)) == ("by rounding" in said)
    forged = forge_each(theirs / "weeks", tmp_path)
    for what, (code, said) in zip(forged, verify(ours_runs, *forged.values()), strict=True):
        assert code == 1, (what, said)


def test_weeks_of_two_releases_are_each_rated_by_its_own(later: Copy, tmp_path: Path) -> None:
    results = tmp_path / "results" / "cup"
    for label, run, bots in (("1", ours_runs, BOTS), ("2", later.run_all, BOTS | {"bob": FIRST})):
        config = make(tmp_path, pairs(4), bots)
        told = run(("tournament", config, "--label", label, "-q"), ("verify", results))
        assert [code for code, _ in told] == [0, 0], told
    assert last(told[1][1]).partition("not checked: ")[2] == (
        f"history/0001.json: its version ({WORD}); the weeks' dates and labels, CPU times and "
        "provenance.json (its maker's word)"
    )
    ((code, said),) = verify(ours_runs, results)
    assert code == 0, said
    assert "WeekRow.spin in history/0002.json" in last(said)
    assert "history/0001" not in last(said)
    OF_WEEK(results)  # of the release that both know
    assert verify(ours_runs, results)[0][0] == verify(later.run_all, results)[0][0] == 1


CLAIM, CLAIM_OF_TERMINALS = (
    write("provenance.json", f'"arena": "{__version__}"', f'"arena": "{version}"')
    for version in ("9.9.9", r"\\u001b]0;x\\u0007" * 500)
)
CLAIM_WEEK = in_week(f'"arena": "{__version__}"', '"arena": "9"')
JSON = partial(write, "standings.json")
OTHER_FORMAT = JSON('"version": 8', '"version": 9')
CLAIMS: dict[str, tuple[list[Forgery], str | None]] = {  # what the last line names; None: found
    "a version alone": ([CLAIM], ""),
    "a rating": ([CLAIM, NUMBER], "ratings in standings.json"),
    "a place": ([CLAIM, JSON('"place": 1', '"place": 2')], "ratings in standings.json"),
    "a count": ([CLAIM, COUNT], None),
    "a name": ([CLAIM, JSON('"bot": "ann"', '"bot": "zoe"')], None),
    "a rating that no table can show": ([CLAIM, JSON(r'"mu": [\d.]+', '"mu": 1e308')], None),
    "a key that one line lacks": ([CLAIM, JSON(r' *"wins": .*\n', "")], None),
    "a text that a terminal obeys": ([CLAIM_OF_TERMINALS, NUMBER], r"\x1b]0;x\x07"),
    "lists in lists": ([CLAIM, JSON("{", '{"x": ' + "[" * 900 + "]" * 900 + ",")], None),
    "no document": ([CLAIM, JSON("(?s).*", "[]")], None),
    "another format": ([CLAIM, OTHER_FORMAT],
                       "standings.json (another format, made by arena 9.9.9)"),
    "another format, and a count in CSV": ([CLAIM, OTHER_FORMAT, CELL],
                                           "standings.csv (made by arena 9.9.9)"),
    "a cell of Markdown": ([CLAIM, FORGED["a cell of Markdown"]], "standings.md"),
    "a line less of CSV": ([CLAIM, write("standings.csv", r"\n.*\n$", "\n")], None),
    "cells without end": ([CLAIM, write("standings.csv", r"\n", '\n"' + "x" * 140_000)], None),
    "a week's rating": ([CLAIM_WEEK, OF_WEEK], "ratings in history/0001"),
    "a week's count": ([CLAIM_WEEK, GAMES], None),
    "a week's games": ([CLAIM_WEEK, in_week(r'"games": \d+, "bots"', '"games": 47, "bots"')],
                       "history/0001.json (more of its games are played now)"),
    "a week's file": ([CLAIM_WEEK, FORGED["a week's file"]], None),
    "a key in a week's file": ([CLAIM_WEEK, LUCK], "Week.luck in history/0001.json"),
    "a key in a week's file of this release": ([LUCK], None),
}  # fmt: skip


@pytest.mark.parametrize("what", CLAIMS)
def test_who_claims_another_release_has_less_checked_and_that_is_said(
    ours: Path, tmp_path: Path, what: str
) -> None:
    folder = copied(ours / "weeks", tmp_path / "forged")
    forgeries, named = CLAIMS[what]
    for forge in forgeries:
        forge(folder)
    ((code, said),) = verify(ours_runs, folder)
    assert (code, len(said) < 3000) == (named is None, True), said
    assert (named or "") in last(said)
    if what == "another format":
        assert "standings.json" not in said.partition("compared: ")[2].partition("\n")[0]
    if named and "week" not in what:
        assert f"provenance.json ({WORD})" in last(said)
