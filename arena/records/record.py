"""A game's record: how it is written down, and judged by the rules. Pure.

The format is that of the README: a record is one JSON object a line, and a printed line
begins with its place. Of a record the store keeps the body, which only the play determines;
`make_line` adds what the game's row says. The judge does not believe a record: the rules are
applied to its setup and actions, and its turns, reshuffles, rounds and result are compared with
theirs.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

import games
from arena.model import Fixture, Forfeit, Pool
from arena.words import either
from games import Game, IllegalAction, OptionsError, State

VERSION = 1

_encode = msgspec.json.Encoder().encode


@lru_cache(256)
def read_options(pool: Pool) -> Any:
    """The options of a pool's games."""
    return games.parse_options(games.load(pool.game).Options, json.loads(pool.options))


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
    bots = fixture.names
    faults = sorted(forfeits, key=lambda forfeit: forfeit[2])
    return b"," + _encode({"meta": {"id": fixture.id, "bots": bots, "faults": faults}})[1:]


MOST_CHARACTERS = 500
"""Of a reason: it may quote the record, which may hold anything."""

_KEYS = ("v", "game", "players", "options", "setup", "actions", "rounds", "result", "meta")
_NEEDED = ("v", "game", "players", "setup", "actions", "result")


class Divergence(Exception):
    """The place where a record departs from the rules, and the reason; as text, both."""

    def __init__(self, at: int | None, why: str) -> None:
        self.at = at  # index in the actions, if it has one
        self.why = why if len(why) <= MOST_CHARACTERS else f"{why[: MOST_CHARACTERS - 3]}..."

    def __str__(self) -> str:
        return self.why if self.at is None else f"action {self.at}: {self.why}"


class OtherVersion(Divergence):
    """A record of a format that this arena does not read, whether it is right or wrong."""


def judge_record(record: dict[str, Any]) -> State:
    """Judge a record by the rules: the state after its last action. Raises Divergence."""
    try:
        state = open_record(record)
        for at, entry in enumerate(record["actions"]):
            apply_action(state, at, *parse_entry(at, entry, record["players"]))
        _check_rounds(state, record.get("rounds"))
        if record["result"] is not None:
            _check_end(state, record)
    except RecursionError:
        raise Divergence(None, "nested too deeply") from None
    return state


def open_record(record: dict[str, Any]) -> State:
    """Open the record's game before the first action. Raises Divergence."""
    version = record.get("v", VERSION)  # first: another version may have other keys
    if type(version) is not int or version != VERSION:
        raise OtherVersion(None, f"v: found {version!r}; this arena reads {VERSION}")
    for key in record:
        if key not in _KEYS:
            raise Divergence(None, f"{key}: unknown key; the keys are {', '.join(_KEYS)}")
    for key in _NEEDED:
        if key not in record:
            raise Divergence(None, f"{key}: is missing")
    name, players, given = record["game"], record["players"], record.get("options", {})
    if name not in games.names():
        raise Divergence(None, f"game: found {name!r}; expected {either(games.names())}")
    game = games.load(name)
    if not isinstance(given, dict) or not isinstance(record["setup"], dict):
        raise Divergence(None, "options and setup: expected an object each")
    try:
        options = games.parse_options(game.Options, given) if given else game.Options()
    except OptionsError as error:
        raise Divergence(None, f"options.{error}") from None
    allowed = game.seat_counts(options)
    if type(players) is not int or players not in allowed:
        takes = ", ".join(map(str, allowed))
        raise Divergence(
            None, f"players: found {players!r}; expected {takes} for {name} with these options"
        )
    if not isinstance(record["actions"], list):
        raise Divergence(None, "actions: expected a list")
    try:
        setup = game.parse_setup(options, players, record["setup"])
    except ValueError as error:
        raise Divergence(None, str(error)) from None
    state = game.State(options, players, setup)
    for key in record["setup"].keys() - state.setup().keys():
        raise Divergence(None, f"setup.{key}: unknown key; {name} has no such part of a deal")
    return state


def parse_entry(at: int, entry: Any, players: int) -> tuple[int, str, tuple[int, ...]]:
    """The seat, action and other callers of one of the record's actions. Raises Divergence."""
    if type(entry) is list and len(entry) == 2:  # nearly all
        seat, action = entry
        if type(seat) is int and type(action) is str and 0 <= seat < players:
            return seat, action, ()
    shape = isinstance(entry, list) and len(entry) in (2, 3)
    if not shape or type(entry[0]) is not int or type(entry[1]) is not str:
        raise Divergence(at, f"found {entry!r}; expected [seat, action]")
    also = entry[2] if len(entry) == 3 else []
    if not isinstance(also, list) or any(type(seat) is not int for seat in also):
        raise Divergence(at, f"found {also!r}; expected a list of seats, the other callers")
    for seat in (entry[0], *also):
        if not 0 <= seat < players:
            raise Divergence(at, f"there is no seat {seat}; seats are 0 to {players - 1}")
    return entry[0], entry[1], tuple(also)


def apply_action(state: State, at: int, seat: int, action: str, also: tuple[int, ...]) -> None:
    """Carry out action number `at` of a record. Raises Divergence where the rules forbid it."""
    try:
        state.replay(seat, action, also)
    except IllegalAction as error:
        raise Divergence(at, str(error)) from None


def _check_rounds(state: State, rounds: Any) -> None:
    if rounds is None or _same(rounds, state.rounds):
        return
    if not isinstance(rounds, list):
        raise Divergence(None, "rounds: expected a list")
    for number, (given, ours) in enumerate(zip(rounds, state.rounds, strict=False)):
        if not _same(given, ours):
            raise Divergence(ours["end"], f"rounds[{number}]: found {given}; expected {ours}")
    raise Divergence(None, f"rounds: found {len(rounds)}; expected {len(state.rounds)}")


def _check_end(state: State, record: dict[str, Any]) -> None:
    result, actions = record["result"], record["actions"]
    if not isinstance(result, dict):
        raise Divergence(None, "result: expected an object or null")
    if state.to_act is not None:
        raise Divergence(None, f"result: the game is not over; seat {state.to_act} is to act")
    last = len(actions) - 1 if actions else None
    ours = state.result()
    ranks = ours["ranks"]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    for key, given in result.items():
        if key not in ours and key != "winners":
            raise Divergence(last, f"result.{key}: the game has no such value")
        right = winners if key == "winners" else ours[key]
        if not _same(given, right):
            raise Divergence(last, f"result.{key}: found {given}; expected {right}")
    for key in ours:
        if key not in result:
            raise Divergence(last, f"result.{key}: is missing; expected {ours[key]}")
    reshuffles = record["setup"].get("reshuffles")
    used = state.setup().get("reshuffles")
    if reshuffles and not _same(reshuffles, used):
        raise Divergence(
            last, f"setup.reshuffles: found {len(reshuffles)}; the game had {len(used or [])}"
        )


def _same(given: Any, ours: Any) -> bool:
    """True if two values are the same JSON: true is not 1, and the order of keys does not count."""
    with suppress(msgspec.MsgspecError, UnicodeEncodeError, OverflowError, RecursionError):
        if given == ours and _encode(given) == _encode(ours):  # NaN is not null, nor 1 true
            return True
    # json's own encoder: it can write all that it could read, huge numbers and half characters too
    return json.dumps(given, sort_keys=True) == json.dumps(ours, sort_keys=True)
