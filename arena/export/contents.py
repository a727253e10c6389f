"""The contents of an export's files, made from its store: a row for each game and seat, and all
records.

Exporting writes them (`files`), and verifying makes them again (`arena.audit.exported`).
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from arena.model import Pool
from arena.schedule.order import Schedule, make_schedules
from arena.store.plans import load_plan, read_lines
from arena.store.store import Store
from arena.tables.formats import csv_of
from arena.words import escape_csv

GAMES = ("game_id", "game", "players", "options", "partners", "deal", "winners", "faults")
SEATS = ("game_id", "seat", "bot", "hash", "rank", "score", "fault")

Cells = tuple[str | int, ...]


class Rows(NamedTuple):
    """The rows of a table, and the names of its columns."""

    heads: Sequence[str]
    rows: Iterator[Cells]


def make_rows(store: Store) -> dict[str, Rows]:
    """Make the tables by the names of their files without ending; rows can be read once."""
    planned = sorted(make_schedules(load_plan(store)).items())
    return {
        "games": Rows(GAMES, _games(store, planned)),
        "seats": Rows(SEATS, _seats(store, planned)),
    }


def make_lines(store: Store) -> dict[str, Iterator[bytes]]:
    """Make the lines of text files, by name; those of a packed file as they are unpacked."""
    lines = {f"{name}.csv": _csv(rows) for name, rows in make_rows(store).items()}
    return lines | {"records.jsonl.gz": (line + b"\n" for line in read_lines(store))}


def _games(store: Store, planned: Sequence[tuple[Pool, Schedule]]) -> Iterator[Cells]:
    """Yield the cells of `GAMES`, by pool, then id."""
    for pool, games in planned:
        for game, deal in store.outcomes(pool, games.holds):
            winners = [bot for bot, rank in zip(game.bots, game.ranks, strict=True) if rank == 1]
            yield (
                game.id, pool.game, pool.players, pool.options, pool.partners, deal,
                " ".join(dict.fromkeys(winners)), sum(map(bool, game.faults)),
            )  # fmt: skip


def _seats(store: Store, planned: Sequence[tuple[Pool, Schedule]]) -> Iterator[Cells]:
    """Yield the cells of `SEATS`, by pool, game, seat."""
    for pool, games in planned:
        hashes = {bot.name: bot.hash for bot in games.entry.bots}
        for game, _ in store.outcomes(pool, games.holds):
            by_seat = zip(game.bots, game.ranks, game.scores, game.faults, strict=True)
            for seat, (bot, rank, score, fault) in enumerate(by_seat):
                yield game.id, seat, bot, hashes[bot], rank, score, fault


def _csv(table: Rows) -> Iterator[bytes]:
    for row in chain([table.heads], table.rows):
        cells = [escape_csv(cell) if type(cell) is str else cell for cell in row]
        yield csv_of([cells]).encode()
