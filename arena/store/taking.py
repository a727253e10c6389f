"""Taking from another store of the same tournament what this one has not: bots, games, and what is
kept of bots' processes. To take twice is to take once.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from arena.errors import ArenaError
from arena.model import Bot, LineUp, Pool
from arena.progress import SILENT, Progress
from arena.store import caps, chunk, guard, usage
from arena.store.chunk import Chunk, packed
from arena.store.scan import StoredGame
from arena.store.store import Store
from arena.store.survey import Wrong


class Taken(NamedTuple):
    """What became of another store's games."""

    new: int
    differing: tuple[str, ...]  # ids of games that ended otherwise here; these stay


def take(store: Store, other: Store, wrong: Collection[Wrong], steps: Progress = SILENT) -> Taken:
    """Take what another store has and this one has not, but for games, and the files of bots, that
    are `wrong`.

    Games come chunk by chunk, each chunk whole or not at all: cut off, it is done again.
    """
    _take_bots(store, other, {each.bot for each in wrong})
    left_out = {each.game for each in wrong}
    new, differing = 0, list[str]()
    for (pool, host), games in _parts(other, left_out):
        there = _checksums(store, [game.id for game in games])
        chunk = chunk_of(pool, games, _details(other, [game.id for game in games]))
        differing += [
            id
            for id, crc in zip(chunk.ids, chunk.checksums, strict=True)
            if there.get(id, crc) != crc
        ]
        if there:
            games = [game for game in games if game.id not in there]
            chunk = chunk_of(pool, games, _details(other, [game.id for game in games]))
        if games:
            store.add(pool, chunk, host)
        new += len(games)
        steps.done(len(games) + len(there))
    for pool in other.pools():
        if unplayed := other.unplayed(pool) - store.unplayed(pool):
            store.keep_unplayed(pool, sorted(unplayed))
    _take_usage(store, other)
    return Taken(new, tuple(differing))


def _take_bots(store: Store, other: Store, wrong: Collection[str]) -> None:
    """Take bots with their files: without files where those are `wrong`, or damaged, until another
    store has them whole.
    """
    here = set(store.bots())
    for bot in other.bots():
        if bot in here and _source_of(store, bot):
            continue
        files = None if bot.name in wrong else _source_of(other, bot)
        if files or bot not in here:
            store.keep_bot(bot, files or ())


def _source_of(store: Store, bot: Bot) -> tuple[tuple[str, bytes], ...] | None:
    try:
        return store.source_of(bot)
    except ArenaError:
        return None


Played = tuple[Pool, str]
"""What all games of a chunk have: their pool, and the host that played them."""


def _parts(
    other: Store, left_out: Collection[str]
) -> Iterator[tuple[Played, Sequence[StoredGame]]]:
    """Yield games by pool and host, as many as make a chunk, in the order in which they lie
    there.
    """
    parts: dict[Played, tuple[list[StoredGame], int]] = {}
    for game in other.games():
        if not game.sound or game.id in left_out:
            continue
        played = game.pool, game.host
        part, size = parts.get(played, ([], 0))
        part.append(game)
        size += len(game.body)
        parts[played] = (part, size)
        if len(part) == caps.GAMES or size > caps.PART:
            yield played, parts.pop(played)[0]
    for played, (part, _) in parts.items():
        yield played, part


def chunk_of(pool: Pool, games: Sequence[StoredGame], details: dict[tuple[str, int], str]) -> Chunk:
    """Return sound games of another store as a chunk, in the order given; `details` has what is
    kept there of their faults for the bots' authors, by game's id and seat.
    """
    places: dict[LineUp, int] = {}
    made = Chunk([], [], [], [], [], [], [], [], [], packed([game.body for game in games]))
    for game in games:
        written = (game.id, game.seating, game.deal, game.ranks, game.scores)
        made.ids.append(game.id)
        made.own_line_ups.append(places.setdefault(game.line_up, len(places)))
        made.seatings.append(game.seating)
        made.deals.append(game.deal)
        made.ranks.append(game.ranks)
        made.scores.append(game.scores)
        made.checksums.append(
            chunk.game_checksum(pool, game.line_up, written, game.body, game.faults)
        )
        seats = game.fixture.seating
        for seat, kind, at in game.faults:
            bot = game.line_up[seats[seat]]
            made.faults.append((game.id, seat, bot, kind, at, details.get((game.id, seat), "")))
    made.line_ups.extend(places)
    return made


def _checksums(store: Store, ids: Sequence[str]) -> dict[str, int]:
    """Return the checksums of those of some games that are stored, by id."""
    query = "SELECT id, checksum FROM game WHERE id IN (SELECT value FROM json_each(?))"
    with guard.raised(store.db):
        return dict(store.db.execute(query, (json.dumps(ids),)))


def _details(store: Store, ids: Sequence[str]) -> dict[tuple[str, int], str]:
    """Return what is kept of some games' faults for the bots' authors, by game's id and seat."""
    query = (
        "SELECT game, seat, reason FROM fault WHERE reason != '' "
        "AND game IN (SELECT value FROM json_each(?))"
    )
    with guard.raised(store.db):
        rows = store.db.execute(query, (json.dumps(ids),)).fetchall()
    return {(game, seat): detail for game, seat, detail in rows if type(detail) is str}


def _take_usage(store: Store, other: Store) -> None:
    """Take what bots used in sessions of which nothing is kept here.

    Whatever two sessions used, they differ in their names (`usage.played_in`). Older arenas kept
    none: there, what a clock of nanoseconds counted tells them apart, and of two that used nothing
    at all, in two files, one is taken.
    """
    here = Counter(map(_digest, usage.kept(store)))
    new = list[usage.Used]()
    for used in usage.kept(other):
        digest = _digest(used)
        if here[digest]:
            here[digest] -= 1
        else:
            new.append(used)
    usage.keep(store, new)


def _digest(used: usage.Used) -> bytes:
    return sha256(repr(used).encode("utf-8", "surrogatepass")).digest()
