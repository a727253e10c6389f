"""A record walked through, forwards and backwards, as all see it or as one seat does. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.escape import visible
from arena.records.judge import Divergence, open_record, parse_entry
from arena.records.replay import (
    describe_record,
    describe_result,
    describe_zones,
    name_seats,
    replay_to,
)
from games import FORFEIT, Event, IllegalAction, Zone


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
