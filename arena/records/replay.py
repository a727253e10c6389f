"""A game in words: who sits there, what lies on the table, each step and the end. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import games
from arena.errors import UsageError
from arena.escape import visible
from arena.records.judge import Divergence, open_record, parse_entry
from games import IllegalAction, State, Zone


def name_seats(record: dict[str, Any]) -> list[str]:
    """The bots of a record by seat; "" for each if it does not say."""
    meta, seats = record.get("meta"), record["players"]
    bots = meta.get("bots") if isinstance(meta, dict) else None
    if not isinstance(bots, list) or len(bots) != seats:
        return [""] * seats
    return [visible(str(bot)) for bot in bots]


def describe_record(record: dict[str, Any]) -> str:
    """A record's game, options and bots, on one line."""
    names = name_seats(record)
    table = ", ".join(f"{seat} {name}".rstrip() for seat, name in enumerate(names))
    options = "".join(f", {key} = {value}" for key, value in record.get("options", {}).items())
    return visible(f"{record['game']}, {len(names)} players{options}: {table}")


def describe_result(result: Mapping[str, Any], names: Sequence[str]) -> str:
    """How a game ended, in words; `names` by seat."""
    ranks, scores = result["ranks"], result["scores"]
    order = sorted(range(len(names)), key=lambda seat: ranks[seat])
    places = [f"{ranks[s]}. {names[s] or f'seat {s}'} ({scores[s]})" for s in order]
    return f"over ({result['reason']}): {', '.join(places)}"


def describe_zones(zones: Iterable[Zone]) -> str:
    """What lies in some zones, on one line."""
    return ", ".join(f"{visible(zone.name)} {describe_zone(zone)}" for zone in zones)


def describe_zone(zone: Zone) -> str:
    """A zone's pieces in words: backs are counted, not drawn."""
    seen = [visible(piece.text) for piece in zone.pieces if not piece.back or piece.text]
    backs = len(zone.pieces) - len(seen)
    if not zone.cards and backs:
        return "hidden"
    if not zone.cards:
        return " ".join(seen) or "-"
    if zone.seat is None and seen and backs:  # their order tells something
        return " ".join("hidden" if piece.back else visible(piece.text) for piece in zone.pieces)
    return " ".join([*([f"{backs} hidden"] if backs else []), *seen]) or "none"


MOST_PRINTED, LONGEST_PRINTED = 20, 400  # lines by an action; characters


def replay_to(record: dict[str, Any], at: int | None) -> State:
    """Replay a record to the state after its first `at` actions (all if None).

    Raises Divergence if the record does not hold, UsageError if it has fewer actions.
    """
    state = open_record(record)
    actions = record["actions"]
    wanted = len(actions) if at is None else at
    if not 0 <= wanted <= len(actions):
        raise UsageError(f"--at: found {wanted}; the game has {len(actions)} actions")
    for index in range(wanted):
        _apply(state, actions, index, record["players"])
    return state


def replay_lines(
    record: dict[str, Any], printed: Mapping[int, Sequence[tuple[str, str]]] | None = None
) -> Iterator[str]:
    """Yield the game as lines: its name and bots, each action and the state after it, the result.

    `printed` lines, by action (bot, line), stand below the action that they were printed just
    before.

    Raises Divergence if the record does not hold.
    """
    state = open_record(record)
    names = name_seats(record)
    width = max(map(len, names))
    yield describe_record(record)
    tell = partial(games.told, games.load(record["game"]))
    yield f"{'':>{width + 19}}{tell(state.dump())}"
    rounds, prints = 0, printed or {}
    for index, entry in enumerate(record["actions"]):
        _apply(state, record["actions"], index, len(names))
        who = f"{entry[0]} {names[entry[0]]}"
        also = f" (also {', '.join(map(str, entry[2]))})" if len(entry) > 2 and entry[2] else ""
        action = visible(entry[1]) + also
        yield f"{index:>4}  {who:<{width + 2}} {action:<9} {tell(state.dump())}".rstrip()
        yield from format_prints(prints.get(index, ()))
        for checkpoint in state.rounds[rounds:] if record.get("rounds") is not None else ():
            yield f"      {_words(checkpoint)}"
        rounds = len(state.rounds)
    if state.turn is None:
        yield describe_result(state.result(), names)
    yield from format_prints(prints.get(len(record["actions"]), ()))


def format_prints(printed: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines that bots printed at one place of a game, cut to a readable length.

    At most `MOST_PRINTED` lines, and `LONGEST_PRINTED` characters each.
    """
    for bot, words in printed[:MOST_PRINTED]:
        text = words if len(words) <= LONGEST_PRINTED else words[: LONGEST_PRINTED - 3] + "..."
        yield f"      {visible(bot)} printed: {visible(text)}"
    if len(printed) > MOST_PRINTED:
        yield f"      ... and {len(printed) - MOST_PRINTED:,} more lines (arena logs)"


def _apply(state: State, actions: list[Any], index: int, seats: int) -> None:
    try:
        state.replay(*parse_entry(index, actions[index], seats))
    except IllegalAction as error:
        raise Divergence(index, str(error)) from None


def _words(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())
