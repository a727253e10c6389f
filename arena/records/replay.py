"""A recorded game in words and step by step, as all see it or as one seat does. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.escape import visible
from arena.records.judge import Divergence, open_record, parse_entry
from games import FORFEIT, Event, IllegalAction, State, Zone


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


class Mark(NamedTuple):
    """A seat's forfeit."""

    step: int  # actions before it
    seat: int
    kind: str  # of the fault; "" where the record does not say


class Heard(NamedTuple):
    """What the viewer heard of an action."""

    seat: int | None  # whose action it was; None if no seat's
    words: str  # which go on from its name


class Walk:
    """A position in a record: after its first `step` actions, seen by `seat`; None sees all hands.

    It begins at step 0. Raises Divergence if the record does not hold, UsageError if there is no
    such seat.
    """

    def __init__(self, record: dict[str, Any], seat: int | None = None) -> None:
        self._record = record
        self.state = open_record(record)
        self.players: int = record["players"]
        if seat is not None and not 0 <= seat < self.players:
            raise UsageError(f"--as: found {seat}; the seats are 0 to {self.players - 1}")
        self.seat, self.step = seat, 0
        self.steps = len(record["actions"])
        self.rules = games.load(record["game"])
        self.names = name_seats(record)
        self.heard: list[Heard] = []  # of the action before

    @property
    def last(self) -> list[str]:
        """What was heard of the action before, a line each."""
        return [self._told(*heard) for heard in self.heard]

    def go(self, step: int) -> None:
        """Go to a step, or to the nearest there is. Raises Divergence."""
        wanted = max(0, min(step, self.steps))
        if wanted < self.step:
            self.state, self.step, self.heard = open_record(self._record), 0, []
        while self.step < wanted:
            self._next()

    def zones(self) -> tuple[Zone, ...]:
        """What lies on the table, as far as the viewer sees it."""
        if self.seat is None:
            return games.open_zones(self.rules, self.state, self.players)
        return games.zones(self.rules, self.state.view(self.seat))

    def marks(self) -> list[Mark]:
        """The forfeits, in order. Raises Divergence at a malformed action."""
        actions = self._record["actions"]
        return [
            Mark(step, entry[0], self._kind(step, entry[0]))
            for step, entry in enumerate(actions)
            if parse_entry(step, entry, self.players)[1] == FORFEIT
        ]

    def _kind(self, step: int, seat: int) -> str:
        meta = self._record.get("meta")
        faults = meta.get("faults") if isinstance(meta, dict) else None
        for fault in faults if isinstance(faults, list) else ():
            if isinstance(fault, list) and len(fault) == 3 and fault[::2] == [seat, step]:
                return visible(str(fault[1]))
        return ""

    def _next(self) -> None:
        actor, action, also = parse_entry(
            self.step, self._record["actions"][self.step], self.players
        )
        eyes = actor if self.seat is None else self.seat
        before = self._heard_by(eyes)
        try:
            self.state.replay(actor, action, also)
        except IllegalAction as error:
            raise Divergence(self.step, str(error)) from None
        self.step += 1
        self.heard = [self._of(event) for event in _new(before, self._heard_by(eyes))]
        if self.seat is None:
            self.heard += [Heard(other, "wanted to call too") for other in also]

    def _heard_by(self, seat: int) -> Sequence[Event]:
        heard: Sequence[Event] = self.state.view(seat).since
        return heard

    def _of(self, event: Event) -> Heard:
        seat = event[0] if isinstance(event[0], int) and event[0] >= 0 else None
        return Heard(seat, games.heard(self.rules, event))

    def _told(self, seat: int | None, words: str) -> str:
        return words if seat is None else f"{f'{seat} {self.names[seat]}'.rstrip()}: {words}"


def _new(before: Sequence[Event], after: Sequence[Event]) -> Sequence[Event]:
    """What a seat heard between two looks at what it heard since its last answer.

    If it answered in between, all of the second look is new.
    """
    if len(after) > len(before) and after[: len(before)] == before:
        return after[len(before) :]
    return after


def replay_as(record: dict[str, Any], seat: int) -> Iterator[str]:
    """Yield a game as one seat sees it: each step, what it heard, and what lies on the table.

    Raises Divergence if the record does not hold, UsageError if there is no such seat.
    """
    walk = Walk(record, seat)
    yield f"{describe_record(record)}; seen by {f'{seat} {walk.names[seat]}'.rstrip()}"
    yield f"      {describe_zones(walk.zones())}"
    for step in range(walk.steps):
        walk.go(step + 1)
        yield f"{step:>4}  {'; '.join(walk.last) or 'nothing that it hears of'}"
        yield f"      {describe_zones(walk.zones())}"
    if walk.state.turn is None:
        yield describe_result(walk.state.result(), walk.names)


def find_view(record: dict[str, Any], at: int | None, seat: int) -> dict[str, Any]:
    """What a seat may know after the first `at` actions (all if None), by field of its view.

    Raises as `replay_to` does, and UsageError if there is no such seat.
    """
    Walk(record, seat)  # which looks whether there is one
    return dict(replay_to(record, at).view(seat)._asdict())
