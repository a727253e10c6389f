"""Damaged results: what still counts, what each command says, and its exit code."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.leagues import SMALL_GAMES, alter, copied, main

pytestmark = pytest.mark.whole

SAID = b"arena.sqlite: 3 damaged games left out of all counts; `arena verify` lists all damage"
THREE = "id IN (SELECT id FROM game WHERE json_array_length(ranks) = 2 ORDER BY id LIMIT 3)"


@pytest.fixture(scope="module")
def damaged(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results in which three games have other ranks than were written: to be read only."""
    cup = copied(played, tmp_path_factory.mktemp("damaged") / "league") / "results" / "cup"
    alter(cup / "arena.sqlite", f"UPDATE game SET ranks = '[2, 2]' WHERE {THREE}")
    return cup


def test_damaged_games_are_left_out_of_the_tables(damaged: Path, tmp_path: Path) -> None:
    damaged = copied(damaged.parents[1], tmp_path / "league") / "results" / "cup"
    before, without = (damaged / "standings.json").read_bytes(), tmp_path / "without"
    shutil.copytree(damaged, without)
    alter(without / "arena.sqlite", f"DELETE FROM game WHERE {THREE}")
    expected = main("standings", without, "--json")
    assert (expected.returncode, expected.stderr) == (0, b"")
    done = main("standings", damaged, "--json")
    assert (done.returncode, done.stdout) == (1, expected.stdout)
    assert SAID in done.stderr
    alter(damaged / "arena.sqlite", "DELETE FROM meta WHERE key = 'sound'")
    done = main("tournament", tmp_path / "league" / "tournaments" / "cup.toml")
    assert b"3 games are damaged" in done.stderr
    assert (damaged / "standings.json").read_bytes() == before
    assert main("standings", damaged).returncode == 0


@pytest.mark.parametrize(("words", "code"), [
    ("standings RESULTS --all", 1), ("games RESULTS --json", 1), ("faults RESULTS", 1),
    ("logs RESULTS ann", 1), ("records RESULTS", 1), ("rerun RESULTS ann", 1),
    ("audit RESULTS --games 3", 1), ("watch RESULTS", 1), ("export RESULTS --to shared", 1),
    ("publish RESULTS --to site --games 5", 1), ("backup RESULTS copies", 1),
    ("history RESULTS", 0), ("replay RESULTS SOUND", 0), ("explain RESULTS SOUND --seconds 1", 0),
])  # fmt: skip
def test_whatever_counts_games_says_that_some_are_damaged(
    damaged: Path, tmp_path: Path, words: str, code: int
) -> None:
    with closing(Store.open(damaged)) as store:
        sound = next(row.id for row in store.games() if row.sound and not row.faults)
    places = {"RESULTS": damaged, "SOUND": sound}
    done = main(*(places.get(word, word) for word in words.split()), cwd=tmp_path)
    assert done.returncode == code, done.stderr.decode()
    assert (SAID in done.stderr) == bool(code)
    if words.startswith("records"):
        assert len(done.stdout.splitlines()) == SMALL_GAMES - 3


def test_games_that_were_not_looked_at_count_as_played_nowhere(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many records that the look for damage ends before the damaged ones; the secret of a season
    whose games are to be played again stays one.
    """
    done = main("season", "close", damaged, "--yes")
    assert (done.returncode, b"3 games left; run `arena tournament`" in done.stderr) == (2, True)
    monkeypatch.setattr("arena.store.store.ROOM", -1)
    config = damaged.parents[1] / "tournaments" / "cup.toml"
    for words in (
        ("season", "close", damaged, "--yes"),
        ("tournament", config, "--dry-run"),
        ("standings", damaged),
    ):
        done = main(*words)
        assert b"arena.sqlite: its records are too large to look for all damage" in done.stderr
        assert done.returncode == 1
        assert not (damaged / "secret.json").exists()


def test_whatever_leaves_a_week_out_names_it_and_fails(played: Path, tmp_path: Path) -> None:
    results = copied(played / "results" / "cup", tmp_path / "cup")
    alter(results / "arena.sqlite", "UPDATE meta SET value = x'00' WHERE key = 'history 0001'")
    for words in "history/standings/export --to shared/publish --to site --games 5/backup ..".split(
        "/"
    ):
        name, *options = words.split()
        done = main(name, "cup", *options, cwd=tmp_path)
        assert (done.returncode, b"week 1 is damaged" in done.stderr) == (1, True), words
