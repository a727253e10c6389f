"""One store, its rows in another order each time, makes one standings.json."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from arena.store.store import Store
from arena.tables import formats
from arena.tables.results import make_document
from tests.leagues import arena, make


def tables_of(results: Path) -> str:
    with closing(Store.open(results)) as store:
        return formats.json(make_document(store))


def shuffle(file: Path, rng: Random) -> None:
    """Store the games anew, in another order."""
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = connection.execute("SELECT * FROM game").fetchall()
        connection.execute("DELETE FROM game")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO game VALUES ({marks})", rng.sample(rows, len(rows)))


@pytest.mark.long
def test_50_shuffles_of_a_store_give_one_document(tmp_path: Path) -> None:
    seed = 50
    rng = Random(seed)
    assert arena("tournament", make(tmp_path), "-q").returncode == 0
    results = tmp_path / "results" / "cup"
    published = (results / "standings.json").read_text()
    for number in range(50):
        shuffle(results / "arena.sqlite", rng)
        assert tables_of(results) == published, f"seed {seed}, shuffle {number}"
    for threads in ("1", "2", "7"):
        again = arena(
            "standings", results, "--json",
            environment={**os.environ, "OPENBLAS_NUM_THREADS": threads},
        )  # fmt: skip
        assert again.stdout.decode() == published, f"{threads} threads"
