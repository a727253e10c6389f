"""The decisions of stored games, each as its seat saw it, and the bots that made them.

A record leaves out what no seat decides, and the passes of 17's windows: both are supplied here, as
steps. A seat that forfeits has no decision there, and none after it.
"""

import json
from collections.abc import Collection, Iterable
from hashlib import sha256
from heapq import nsmallest
from random import Random
from typing import Any, NamedTuple

import games
from arena.errors import ArenaError
from arena.league.files import Source
from arena.model import Bot, Fixture, Pool
from arena.records.questions import Step, play_steps, walk_decisions
from arena.store.plans import Counted
from arena.store.scan import StoredGame, read_record
from arena.store.store import Store
from games import Actions, Game, IllegalAction, State

MOST_GAMES = 1000  # of a bot, which are read


class Recorded(NamedTuple):
    """A stored game that follows the rules."""

    fixture: Fixture
    pool: Pool
    rules: Game
    options: Any
    setup: Any
    course: Actions
    ranks: tuple[int, ...]  # by seat

    def open(self, setup: Any = None) -> State:
        """The game before the first action, as it was or of another setup."""
        return self.rules.State(self.options, self.pool.players, setup or self.setup)


class Decision(NamedTuple):
    """A decision of a seat in a stored game."""

    recorded: Recorded
    seat: int
    at: int  # actions before it
    passes: int  # steps since the last of them
    fields: tuple[Any, ...]  # of the view; its `table` is 0
    legal: tuple[str, ...]
    actual: str

    @property
    def place(self) -> str:
        """A name of this decision among all."""
        return f"{self.recorded.fixture.id} {self.at} {self.passes} {self.seat}"

    @property
    def view(self) -> Any:
        """The game's `View`."""
        recorded = self.recorded
        return games.bind_options(recorded.rules.View, recorded.options)._make(self.fields)

    def resample(self, rng: Random) -> tuple[Any, Actions] | None:
        """Deal again what the seat does not know: a setup, and the actions before the decision.
        None where the game cannot.
        """
        recorded, course = self.recorded, self.recorded.course[: self.at]
        given = recorded.rules, recorded.options, recorded.pool.players, recorded.setup
        return games.resample(*given, course, self.seat, rng)


def open_game(store: Store, row: StoredGame) -> Recorded:
    """Open a sound stored game. Raises ArenaError where it breaks the rules."""
    record = read_record(store.path, row)
    rules = games.load(row.pool.game)
    options = games.parse_options(rules.Options, record["options"])
    setup = rules.parse_setup(options, row.pool.players, record["setup"])
    course = [(seat, action) for seat, action, *_ in record["actions"]]
    return Recorded(
        fixture=row.fixture,
        pool=row.pool,
        rules=rules,
        options=options,
        setup=setup,
        course=course,
        ranks=tuple(json.loads(row.ranks)),
    )


def find_games(
    store: Store, bot: str, game: str, key: bytes, without: Collection[str] = (),
    most: int = MOST_GAMES,
) -> list[StoredGame]:  # fmt: skip
    """Find games of the bot in the tables, none with a forfeit or bots `without` which it is to be
    explained, in an order drawn by the key. Raises ArenaError where there is none.
    """
    counted = Counted(store)
    rows = (
        row
        for row in store.games()
        if row.pool.game == game and row.sound and not row.faults
        if bot in (names := {entry.name for entry in row.line_up}) and names.isdisjoint(without)
        if counted.holds(row.pool, row.fixture)
    )
    chosen = nsmallest(most, rows, key=lambda row: sha256(key + row.id.encode()).digest())
    if not chosen:
        end = " and without these bots" if without else "; `arena faults` says why"
        raise ArenaError(f"{store.path}: {bot} has no game of {game} without a forfeit{end}")
    return chosen


def find_decisions(recorded: Recorded, seats: Collection[int]) -> list[Decision]:
    """Find what these seats decided, in the game's order; not where they had no choice."""
    state = recorded.open()
    return [
        Decision(
            recorded=recorded,
            seat=seat,
            at=at,
            passes=passes,
            fields=state.fields(seat),
            legal=state.legal(),
            actual=actual,
        )
        for at, passes, seat, actual in walk_decisions(state, recorded.course)
        if seat in seats
    ]


def list_steps(state: State, course: Actions, passes: int) -> list[Step]:
    """Play a course and so many passes after it; return the steps. Raises IllegalAction."""
    steps = [step for _, step in play_steps(state, course)]
    for _ in range(passes):
        if state.to_act is None:
            raise IllegalAction("the game is over before the decision")
        steps.append(state.legal()[0])
        state.apply(state.legal()[0])
    return steps


def read_sources(store: Store, bots: Iterable[Bot]) -> dict[Bot, Source]:
    """Read the versions of bots that played from a store. Raises ArenaError where it does not have
    them.
    """
    sources = {}
    for bot in sorted(set(bots)):
        files = store.source_of(bot)
        if files is None:
            raise ArenaError(
                f"{store.path}: has no source of {bot.name}, which is needed to play on; "
                "use the league's own results, or a copy made with --with-sources"
            )
        sources[bot] = Source(files)
    return sources
