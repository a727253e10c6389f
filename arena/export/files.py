"""The files of an export: tables for a spreadsheet, all records, a public store. Verifying makes
their contents again (`arena.audit.exported`).

Only what the tables count goes into the text files, in a fixed order, so equal games give equal
bytes; provenance.json alone has a date. The public store holds every game, but no logs and, unless
asked for, no sources of bots; the secret only once it was revealed, in a file of its own as well.
"""

import gzip
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
from arena.tables.formats import csv_of
from arena.tables.results import (
    HISTORY,
    PROVENANCE,
    find_authors,
    make_document,
    make_files,
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
    steps.say_unread(*damaged)
    document = make_document(store, steps=steps)
    texts = {
        **make_files(document),  # of a season's archive, the page is for people
        PROVENANCE: write_provenance(now),
        **make_history(stored.week for stored in weeks),
    }
    plan = load_plan(store)
    files: dict[str, Callable[[IO[bytes]], object]] = {
        name: partial(_write_packed if name.endswith(".gz") else _write_lines, lines)
        for name, lines in make_lines(store).items()
    }
    files |= {name: partial(_write_lines, [text.encode()]) for name, text in texts.items()}
    if secret := format_revealed(store, plan):
        files[SECRET_FILE] = partial(_write_lines, [secret.encode()])
    if find_spec("pyarrow"):
        files |= {
            f"{name}.parquet": partial(_write_parquet, table)
            for name, table in make_rows(store).items()
        }
    for name, write in files.items():
        steps.begin(f"writing {name}")
        with write_atomically(folder, name) as out:
            write(out)
    steps.begin(f"writing {PUBLIC_FILE}")
    authors = find_authors(store, plan)
    public = write_public(store, folder, with_sources, authors)
    return [*(folder / name for name in files), public]


def make_rows(store: Store) -> dict[str, Iterator[Cells]]:
    """Make the tables by the names of their files without ending: the names of the columns, then
    the rows, which can be read once.
    """
    planned = sorted(make_schedules(load_plan(store)).items())
    return {"games": _games(store, planned), "seats": _seats(store, planned)}


def make_lines(store: Store) -> dict[str, Iterator[bytes]]:
    """Make the lines of text files, by name; those of a packed file as they are unpacked."""
    lines = {f"{name}.csv": map(_csv_line, rows) for name, rows in make_rows(store).items()}
    return {**lines, "records.jsonl.gz": (line + b"\n" for line in read_lines(store))}


def _games(store: Store, planned: Planned) -> Iterator[Cells]:
    """Yield the cells of `GAMES`, by pool, then id."""
    yield GAMES
    for pool, games in planned:
        for game, deal in store.outcomes(pool, games.holds):
            winners = [bot for bot, rank in zip(game.bots, game.ranks, strict=True) if rank == 1]
            yield (
                game.id, pool.game, pool.players, pool.options, pool.partners, deal,
                " ".join(dict.fromkeys(winners)), sum(map(bool, game.faults)),
            )  # fmt: skip


def _seats(store: Store, planned: Planned) -> Iterator[Cells]:
    """Yield the cells of `SEATS`, by pool, game, seat."""
    yield SEATS
    for pool, games in planned:
        hashes = {bot.name: bot.hash for bot in games.entry.bots}
        for game, _ in store.outcomes(pool, games.holds):
            by_seat = zip(game.bots, game.ranks, game.scores, game.faults, strict=True)
            for seat, (bot, rank, score, fault) in enumerate(by_seat):
                yield game.id, seat, bot, hashes[bot], rank, score, fault


def _csv_line(cells: Cells) -> bytes:
    return csv_of([[escape_csv(cell) if type(cell) is str else cell for cell in cells]]).encode()


def _write_lines(lines: Iterable[bytes], out: IO[bytes] | gzip.GzipFile) -> None:
    out.writelines(lines)


def _write_packed(lines: Iterable[bytes], out: IO[bytes]) -> None:
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
        _write_lines(lines, packed)


def _write_parquet(rows: Iterator[Cells], out: IO[bytes]) -> None:
    import pyarrow
    from pyarrow import parquet

    heads = next(rows)
    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    parquet.write_table(pyarrow.table(dict(zip(heads, map(list, columns), strict=True))), out)
