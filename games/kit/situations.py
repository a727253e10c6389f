"""Parts of all games' situations: how many play, who is asked, which events can have been.

`games.make_view` says what a situation is. No bot's process loads this.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games import Event


class SituationError(ValueError):
    """A situation that cannot be; `problems` holds a line each: field, finding, remedy."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def players_in(
    given: Mapping[str, Any],
    counts: Sequence[int],
    by_seat: Iterable[str],
    owners: Iterable[int] = (),
) -> int:
    """Return how many play: as given; else as many as a given field by seat has, or three if they
    may, or the fewest among whom all seats that are named sit.

    `counts` are how many may, `owners` seats that are named beside the own. Raises SituationError.
    """
    if "players" in given:
        players: int = given["players"]
        if players not in counts:
            takes = ", ".join(map(str, counts))
            raise SituationError([f"players: found {players}; expected {takes} with these options"])
        return players
    lengths = [len(given[name]) for name in by_seat if given.get(name) is not None]
    least = 1 + max([*owners, given.get("seat", 0)])
    usual = (count for count in (*lengths, 3, *counts) if count in counts and count >= least)
    return next(usual, counts[0])


def seat_in(given: Mapping[str, Any], players: int, default: int = 0) -> int:
    """Return who is asked. Raises SituationError."""
    seat: int = given.get("seat", default)
    if not 0 <= seat < players:
        raise SituationError([f"seat: found {seat}; expected 0 to {players - 1}"])
    return seat


def raise_all(problems: Iterable[str]) -> None:
    """Raise SituationError with the problems, if there are any."""
    if lines := [*problems]:
        raise SituationError(lines)


def wrong_events(
    since: Sequence[Event], players: int, may_be: Callable[[int, Sequence[Any]], bool]
) -> list[str]:
    """Return what is wrong with the first event that cannot have been; `may_be` takes the seat,
    -1 for nobody's doing, and the rest of an event.
    """
    for event in since:
        seat, *rest = event or (None,)
        if type(seat) is not int or not -1 <= seat < players or not rest or not may_be(seat, rest):
            return [
                f"since: found {event!r}, which this seat cannot have seen; leave since out, "
                f"or take it from a record"
            ]
    return []
