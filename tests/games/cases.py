"""Every game of the folder, with sets of options made from their types: for the contract."""

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import lru_cache
from random import Random
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import games

NUMBERS = (3, 2, 4, 1, 0)  # the first that may be is what a number is set to, or one by its default
MIXED = 4  # option sets drawn at random a game, the seed being the game's name


class Case(NamedTuple):
    """A game under some options, and how many play it."""

    name: str
    given: dict[str, Any]  # as a config has them
    seats: int

    @property
    def game(self) -> games.Game:
        """The module."""
        return games.load(self.name)

    @property
    def options(self) -> Any:
        """The options, built."""
        return games.parse_options(self.game.Options, self.given)

    def rng(self, seed: int) -> Random:
        """Return a generator that is this case's own."""
        return Random(f"{self} {seed}")

    def state(self, rng: Random) -> games.State:
        """Return a game just dealt."""
        return self.game.State(
            self.options, self.seats, self.game.deal(self.options, self.seats, rng)
        )

    def replay(self, record: dict[str, Any]) -> games.State:
        """Return the state after the record's last action."""
        setup = self.game.parse_setup(self.options, self.seats, record["setup"])
        state = self.game.State(self.options, self.seats, setup)
        for seat, action, *also in record["actions"]:
            state.replay(seat, action, *also)
        return state

    def __str__(self) -> str:
        given = ",".join(f"{key}={value}" for key, value in self.given.items())
        return f"{self.name}-{self.seats}p" + (f"-{given}" if given else "")


def others(options: type[Any]) -> dict[str, list[Any]]:
    """Return values of each option beside the default; groups of options are left out.

    Of a number, one; and none that the game refuses where all else is as usual.
    """
    values: dict[str, list[Any]] = {}
    for name, hint in get_type_hints(options).items():
        default = getattr(options(), name)
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if is_dataclass(hint):
            continue
        if get_origin(hint) is Literal:
            values[name] = [value for value in get_args(hint) if value != default]
        elif bool in kinds:
            values[name] = [not default]
        else:
            near = () if default is None else (default + 1, default - 1)
            numbers = [value for value in (*NUMBERS, *near) if value != default]
            values[name] = [value for value in numbers if may_be(options, {name: value})][:1]
        values[name] = [value for value in values[name] if may_be(options, {name: value})]
    return {name: found for name, found in values.items() if found}


def may_be(options: type[Any], given: dict[str, Any]) -> bool:
    """Return whether the game takes these options together."""
    try:
        games.parse_options(options, given)
    except games.OptionsError:
        return False
    return True


@lru_cache(1)
def cases() -> tuple[Case, ...]:
    """Return the cases: the default for each number of players, every option, some mixtures.

    Mixtures that a game refuses are left out.
    """
    found = (case for name in games.names() for case in _of(name))
    return tuple({str(case): case for case in found}.values())


def _of(name: str) -> Iterator[Case]:
    game, rng = games.load(name), Random(name)
    values = others(game.Options)
    usual = game.seat_counts(game.Options())
    for seats in usual:
        yield Case(name, {}, seats)
    sets: list[dict[str, Any]] = [{key: value} for key in values for value in values[key]]
    for _ in range(MIXED):
        sets.append({key: rng.choice(v) for key, v in values.items() if rng.random() < 0.5})
    for given in filter(lambda given: may_be(game.Options, given), sets):
        counts = game.seat_counts(games.parse_options(game.Options, given))
        yield from (Case(name, given, n) for n in counts if n not in usual)
        yield Case(name, given, rng.choice(counts))
