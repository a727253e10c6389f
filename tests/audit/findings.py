"""What verify finds in a results folder, and rows that are stored as if they were written so."""

import json
from pathlib import Path

from arena.store import chunk
from arena.store.scan import StoredGame
from tests.leagues import alter, main


def results(league: Path) -> Path:
    return league / "results" / "cup"


def findings(folder: Path, *words: object) -> list[str]:
    """Return what verify finds, as `place: what`."""
    done = main("verify", folder, "--json", *words)
    found = json.loads(done.stdout)["findings"]
    assert done.returncode == bool(found), done.stderr.decode()
    return [f"{each['location']}: {each['message']}" for each in found]


def change_row(store: Path, row: StoredGame) -> None:
    """Store a row as if it had been written so: with a checksum that fits."""
    written = (row.id, row.seating, row.deal, row.ranks, row.scores)
    crc = chunk.game_checksum(row.pool, row.line_up, written, row.body, row.faults)
    alter(store, "INSERT INTO chunk (bodies) VALUES (?)", chunk.pack_bodies([row.body]))
    alter(
        store,
        "UPDATE game SET ranks = ?, scores = ?, chunk = (SELECT max(id) FROM chunk), "
        "index_in_chunk = 0, checksum = ? WHERE id = ?",
        row.ranks, row.scores, crc, row.id,
    )  # fmt: skip
