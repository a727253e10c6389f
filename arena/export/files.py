"""The files of an export: tables for a spreadsheet, all records, a public store.

Only what the tables count goes into the text files, in a fixed order, so equal games give equal
bytes; provenance.json alone has a date. The public store holds every game, but no logs and, unless
asked for, no sources of bots; the secret only once it was revealed, in a file of its own as well.
"""

import csv
import gzip
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from arena.errors import UsageError
from arena.model import Pool
from arena.progress import Progress
from arena.schedule.order import Schedule, make_schedules
from arena.store.history import read_weeks
from arena.store.plans import load_plan, read_lines
from arena.store.public import SECRET_FILE, format_revealed, write_public
from arena.store.schema import PUBLIC_FILE
from arena.store.store import Store
from arena.system.folders import write_atomically
from arena.tables.results import (
    HISTORY,
    PROVENANCE,
    find_authors,
    format_tables,
    make_document,
    make_history,
    write_provenance,
)
from arena.words import escape_csv

GAMES = ("game_id", "game", "players", "options", "partners", "deal", "winners", "faults")
SEATS = ("game_id", "seat", "bot", "hash", "rank", "score", "fault")

Cells = tuple[str | int, ...]
Planned = Sequence[tuple[Pool, Schedule]]  # in order


def export(
    store: Store, folder: Path, with_sources: bool, now: datetime, steps: Progress
) -> list[Path]:
    """Write all files into a folder, each whole or not at all; return their paths.

    Raises UsageError if the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(
            f"{folder}: no permission to write; change its permissions, or name "
            f"another folder with --to"
        )
    if (inner := folder / HISTORY).is_symlink():
        raise UsageError(f"{inner}: is a link; remove it, or name another folder with --to")
    weeks, damaged = read_weeks(store)
    steps.say(*damaged)
    document = make_document(store, steps=steps)
    texts = {
        "standings.csv": format_tables(document, "csv"),
        "standings.json": format_tables(document, "json"),
        PROVENANCE: write_provenance(now),
        **make_history(stored.week for stored in weeks),
    }
    plan = load_plan(store)
    planned = sorted(make_schedules(plan).items())
    files: dict[str, Callable[[IO[bytes]], object]] = {
        "games.csv": lambda out: _write_csv(out, GAMES, _games(store, planned)),
        "seats.csv": lambda out: _write_csv(out, SEATS, _seats(store, planned)),
        **{name: partial(_write_text, text) for name, text in texts.items()},
        "records.jsonl.gz": lambda out: _write_packed(out, read_lines(store)),
    }
    if secret := format_revealed(store, plan):
        files[SECRET_FILE] = partial(_write_text, secret)
    if find_spec("pyarrow"):
        files |= {
            "games.parquet": lambda out: _write_parquet(out, GAMES, _games(store, planned)),
            "seats.parquet": lambda out: _write_parquet(out, SEATS, _seats(store, planned)),
        }
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
    for name, write in files.items():
        steps.begin(f"writing {name}")
        with write_atomically(folder / name) as out:
            write(out)
    steps.begin(f"writing {PUBLIC_FILE}")
    authors = find_authors(store, plan)
    public = write_public(store, folder / PUBLIC_FILE, with_sources, authors)
    return [*(folder / name for name in files), public]


def _games(store: Store, planned: Planned) -> Iterator[Cells]:
    """Yield the cells of `GAMES`, by pool, then id."""
    for pool, games in planned:
        for game, deal in store.outcomes(pool, games.holds):
            winners = [bot for bot, rank in zip(game.bots, game.ranks, strict=True) if rank == 1]
            yield (
                game.id, pool.game, pool.players, pool.options, pool.partners, deal,
                " ".join(dict.fromkeys(winners)), sum(map(bool, game.faults)),
            )  # fmt: skip


def _seats(store: Store, planned: Planned) -> Iterator[Cells]:
    """Yield the cells of `SEATS`, by pool, game, seat."""
    for pool, games in planned:
        hashes = {bot.name: bot.hash for bot in games.entry.bots}
        for game, _ in store.outcomes(pool, games.holds):
            by_seat = zip(game.bots, game.ranks, game.scores, game.faults, strict=True)
            for seat, (bot, rank, score, fault) in enumerate(by_seat):
                yield game.id, seat, bot, hashes[bot], rank, score, fault


def _write_text(text: str, out: IO[bytes]) -> None:
    out.write(text.encode())


def _write_csv(out: IO[bytes], heads: Sequence[str], rows: Iterable[Cells]) -> None:
    text = io.TextIOWrapper(out, "utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([escape_csv(cell) if type(cell) is str else cell for cell in row])
    text.detach()  # which flushes; the caller closes the file


def _write_packed(out: IO[bytes], lines: Iterable[bytes]) -> None:
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
        for line in lines:
            packed.write(line + b"\n")


def _write_parquet(out: IO[bytes], heads: Sequence[str], rows: Iterable[Cells]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    parquet.write_table(pyarrow.table(dict(zip(heads, map(list, columns), strict=True))), out)
