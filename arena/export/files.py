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
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from arena import escape
from arena.errors import UsageError
from arena.export import payoffs
from arena.progress import SILENT, Progress
from arena.schedule.order import Schedule, make_schedules
from arena.store import schema
from arena.store.plans import load_plan, read_lines
from arena.store.public import REVEALED, SECRET_FILE, format_secret, load_secret, write_public
from arena.store.store import Store
from arena.system import write_atomically
from arena.tables import formats, results
from arena.tables.results import make_document

GAMES = ("id", "game", "players", "options", "partners", "deal", "winners", "faults")
SEATS = ("game", "seat", "bot", "hash", "rank", "score", "fault")
PAYOFFS = "payoffs"  # the folder of their files

Cells = tuple[str | int, ...]


def export(
    store: Store,
    folder: Path,
    with_sources: bool = False,
    safe: bool = False,
    steps: Progress = SILENT,
) -> list[Path]:
    """Write all files into a folder, each whole or not at all; return their paths.

    Names in CSV files are as they are; if `safe`, with an apostrophe before what a spreadsheet
    might run.

    Raises UsageError if the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder}: may not be written; change its permissions, or --to")
    if (folder / PAYOFFS).is_symlink():
        raise UsageError(
            f"{folder / PAYOFFS}: is a link; remove it, or name another folder with --to"
        )
    document = make_document(store, steps=steps)
    table, whole = formats.csv(document, safe), formats.json(document)
    made_on = results.provenance()
    files: dict[str, Callable[[IO[bytes]], object]] = {
        "games.csv": lambda out: _csv(out, GAMES, _games(store), safe),
        "seats.csv": lambda out: _csv(out, SEATS, _seats(store), safe),
        "standings.csv": lambda out: out.write(table.encode()),
        "standings.json": lambda out: out.write(whole.encode()),
        results.PROVENANCE: lambda out: out.write(made_on.encode()),
        "records.jsonl.gz": lambda out: _packed(out, read_lines(store)),
    }
    secret = load_secret(store) if store.meta(REVEALED) else None
    if secret is not None:
        revealed = format_secret(load_plan(store), secret)
        files[SECRET_FILE] = lambda out: out.write(revealed.encode())
    if find_spec("pyarrow"):
        files |= {
            "games.parquet": lambda out: _parquet(out, GAMES, _games(store)),
            "seats.parquet": lambda out: _parquet(out, SEATS, _seats(store)),
        }
    files |= _payoffs(store)
    (folder / PAYOFFS).mkdir(exist_ok=True)
    made = []
    for name, write in files.items():
        steps.begin(f"writing {name}")
        made.append(_written(folder / name, write))
    steps.begin(f"writing {schema.PUBLIC_FILE}")
    return [*made, write_public(store, folder / schema.PUBLIC_FILE, with_sources)]


def _games(store: Store) -> Iterator[Cells]:
    """Yield the cells of `GAMES`, by pool, then id."""
    for pool, games in sorted(make_schedules(load_plan(store)).items()):
        for game, deal in store.outcomes(pool, games.holds):
            winners = [bot for bot, rank in zip(game.bots, game.ranks, strict=True) if rank == 1]
            yield (
                game.id, pool.game, pool.players, pool.options, pool.partners, deal,
                " ".join(dict.fromkeys(winners)), sum(map(bool, game.faults)),
            )  # fmt: skip


def _seats(store: Store) -> Iterator[Cells]:
    """Yield the cells of `SEATS`, by pool, game, seat."""
    for pool, games in sorted(make_schedules(load_plan(store)).items()):
        hashes = {bot.name: bot.hash for bot in games.entry.bots}
        for game, _ in store.outcomes(pool, games.holds):
            by_seat = zip(game.bots, game.ranks, game.scores, game.faults, strict=True)
            for seat, (bot, rank, score, fault) in enumerate(by_seat):
                yield game.id, seat, bot, hashes[bot], rank, score, fault


def _payoffs(store: Store) -> dict[str, Callable[[IO[bytes]], object]]:
    """The functions that write the payoffs of each pool, by the file's name."""
    planned = sorted(make_schedules(load_plan(store)).items())
    names = payoffs.file_names([pool for pool, _ in planned])
    return {
        f"{PAYOFFS}/{name}.npz": partial(_write_payoffs, store, schedule)
        for name, (_, schedule) in zip(names, planned, strict=True)
    }


def _write_payoffs(store: Store, schedule: Schedule, out: IO[bytes]) -> None:
    pool, names = schedule.entry.pool, [bot.name for bot in schedule.entry.bots]
    payoffs.write(out, payoffs.payoffs(pool, names, store.outcomes(pool, schedule.holds)))


def _csv(out: IO[bytes], heads: Sequence[str], rows: Iterable[Cells], safe: bool) -> None:
    text = io.TextIOWrapper(out, "utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([escape.csv(cell, safe) if type(cell) is str else cell for cell in row])
    text.detach()  # which flushes; the caller closes the file


def _packed(out: IO[bytes], lines: Iterable[bytes]) -> None:
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
        for line in lines:
            packed.write(line + b"\n")


def _parquet(out: IO[bytes], heads: Sequence[str], rows: Iterable[Cells]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    parquet.write_table(pyarrow.table(dict(zip(heads, map(list, columns), strict=True))), out)


def _written(path: Path, write: Callable[[IO[bytes]], object]) -> Path:
    with write_atomically(path) as out:
        write(out)
    return path
