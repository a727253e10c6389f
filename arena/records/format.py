"""Game records: the one JSON object a line that a game is kept as. Pure.

The format is that of `results/README.md`; `arena.records.judge` reads it, this writes it. Of a line
the store keeps the body, which only the play can tell; `line_of` adds what the game's row says.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from arena.model import Fixture, Forfeit, Pool
from games import Game, State

VERSION = 1

_encode = msgspec.json.Encoder().encode


def body_of(game: Game, state: State, result: dict[str, Any] | None) -> bytes:
    """Return the part of a record that the play tells, as a JSON object: `setup`, `actions`,
    `rounds` where the game keeps them, `result`, which is the state's; None of a game that was
    left.
    """
    body: dict[str, Any] = {"setup": state.setup(), "actions": state.actions}
    if game.KEEPS_ROUNDS:
        body["rounds"] = state.rounds
    body["result"] = result
    return _encode(body)


def line_of(pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit], body: bytes) -> bytes:
    """Return a game's record as one line of JSON, without its end; forfeits in any order."""
    return _head(pool) + body[1:-1] + _tail(fixture, forfeits)


def body_in(line: bytes, pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit]) -> bytes | None:
    """Return the body of a line that `line_of` makes of it; None where it makes another."""
    head, tail = _head(pool), _tail(fixture, forfeits)
    if not (line.startswith(head) and line.endswith(tail)) or b"\n" in line:
        return None
    return b"{%b}" % line[len(head) : -len(tail)]


@lru_cache(256)
def _head(pool: Pool) -> bytes:
    told = {"v": VERSION, "game": pool.game, "players": pool.players}
    return _encode(told | {"options": json.loads(pool.options)})[:-1] + b","


def _tail(fixture: Fixture, forfeits: Iterable[Forfeit]) -> bytes:
    """Return the end of a record: the `meta` of ours, forfeits in the order they happened."""
    bots = [fixture.line_up[place].name for place in fixture.seating]
    faults = sorted(forfeits, key=lambda forfeit: forfeit[2])
    return b"," + _encode({"meta": {"id": fixture.id, "bots": bots, "faults": faults}})[1:]
