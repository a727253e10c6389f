"""How games are written down: a record, and the prefix of a printed line with its place. Pure.

The formats are those of `results/README.md`. A record is one JSON object a line, which
`arena.records.judge` reads and this writes. Of a line the store keeps the body, which only the play
determines; `make_line` adds what the game's row says.
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
    """The part of a record that only the play determines, as a JSON object.

    It has `setup`, `actions`, `rounds` if the game keeps them, and `result`: the state's, or None
    for a game that was left.
    """
    body: dict[str, Any] = {"setup": state.setup(), "actions": state.actions}
    if game.KEEPS_ROUNDS:
        body["rounds"] = state.rounds
    body["result"] = result
    return _encode(body)


def make_line(pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit], body: bytes) -> bytes:
    """A game's record as one line of JSON, without the line break; forfeits in any order."""
    return _head(pool) + body[1:-1] + _tail(fixture, forfeits)


def extract_body(
    line: bytes, pool: Pool, fixture: Fixture, forfeits: Iterable[Forfeit]
) -> bytes | None:
    """The body of a line that `make_line` makes from it; None if it makes another line."""
    head, tail = _head(pool), _tail(fixture, forfeits)
    if not (line.startswith(head) and line.endswith(tail)) or b"\n" in line:
        return None
    return b"{%b}" % line[len(head) : -len(tail)]


def format_place(game: str, action: int) -> str:
    """The prefix of a line that was printed in a game, before that action."""
    return f"game {game}, action {action}: "


def parse_place(line: str) -> tuple[str, int, str] | None:
    """Split a line into (game, action, words) if it begins as `format_place` has it, else None."""
    game, _, rest = line.removeprefix("game ").partition(", action ")
    action, colon, words = rest.partition(": ")
    if not (line.startswith("game ") and colon and game.isalnum()):
        return None
    if len(action) > 9 or not (action.isascii() and action.isdecimal()):
        return None
    return game, int(action), words


@lru_cache(256)
def _head(pool: Pool) -> bytes:
    head = {"v": VERSION, "game": pool.game, "players": pool.players}
    return _encode(head | {"options": json.loads(pool.options)})[:-1] + b","


def _tail(fixture: Fixture, forfeits: Iterable[Forfeit]) -> bytes:
    """The end of a record: its `meta`, with the forfeits in the order they happened."""
    bots = [fixture.line_up[place].name for place in fixture.seating]
    faults = sorted(forfeits, key=lambda forfeit: forfeit[2])
    return b"," + _encode({"meta": {"id": fixture.id, "bots": bots, "faults": faults}})[1:]
