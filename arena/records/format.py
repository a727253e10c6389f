"""How games are written down: a record, and before what was printed the place in a game. Pure.

The formats are those of `results/README.md`. A record is one JSON object a line, which
`arena.records.judge` reads and this writes. Of a line the store keeps the body, which only the play
can tell; `make_line` adds what the game's row says.
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


def make_body(game: Game, state: State, result: dict[str, Any] | None) -> bytes:
    """Return the part of a record that the play tells, as a JSON object: `setup`, `actions`,
    `rounds` where the game keeps them, `result`, which is the state's; None of a game that was
    left.
    """
    body: dict[str, Any] = {"setup": state.setup(), "actions": state.actions}
    if game.KEEPS_ROUNDS:
        body["rounds"] = state.rounds
    body["result"] = result
    return _encode(body)


def make_line(pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit], body: bytes) -> bytes:
    """Return a game's record as one line of JSON, without its end; forfeits in any order."""
    return _head(pool) + body[1:-1] + _tail(fixture, forfeits)


def extract_body(
    line: bytes, pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit]
) -> bytes | None:
    """Return the body of a line that `make_line` makes of it; None where it makes another."""
    head, tail = _head(pool), _tail(fixture, forfeits)
    if not (line.startswith(head) and line.endswith(tail)) or b"\n" in line:
        return None
    return b"{%b}" % line[len(head) : -len(tail)]


def place(game: str, action: int) -> str:
    """Return what stands before a line that was printed in a game, before that action."""
    return f"game {game}, action {action}: "


def placed(line: str) -> tuple[str, int, str] | None:
    """Return (game, action, words) of a line with its `place` before it; None of any other."""
    game, _, rest = line.removeprefix("game ").partition(", action ")
    action, colon, words = rest.partition(": ")
    if not (line.startswith("game ") and colon and game.isalnum()):
        return None
    if len(action) > 9 or not (action.isascii() and action.isdecimal()):
        return None
    return game, int(action), words


@lru_cache(256)
def _head(pool: Pool) -> bytes:
    told = {"v": VERSION, "game": pool.game, "players": pool.players}
    return _encode(told | {"options": json.loads(pool.options)})[:-1] + b","


def _tail(fixture: Fixture, forfeits: Iterable[Forfeit]) -> bytes:
    """Return the end of a record: the `meta` of ours, forfeits in the order they happened."""
    bots = [fixture.line_up[place].name for place in fixture.seating]
    faults = sorted(forfeits, key=lambda forfeit: forfeit[2])
    return b"," + _encode({"meta": {"id": fixture.id, "bots": bots, "faults": faults}})[1:]
