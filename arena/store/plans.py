"""The plan that a store's games were played by, and which of its games count by it: all of them, or
those gained since the last look, for those who follow a tournament.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain, compress
from operator import not_
from pathlib import Path
from typing import get_type_hints

import msgspec

from arena.errors import ArenaError, UsageError
from arena.model import MOST_PAIRS, Bot, Fixture, Limits, LineUp, Pool, StoredPlan
from arena.progress import Alike
from arena.schedule.choices import Choice
from arena.schedule.order import Schedule, make_schedules
from arena.schedule.seat_rotation import count_line_up_turns
from arena.sequential.stages import may_go_on
from arena.store.scan import read_line_ups
from arena.store.store import Holds, Store
from arena.store.validation import are_anchors, find_problem, is_pool, parse_ranks, parse_seating
from arena.typed_json import decode
from arena.words import visible

LONGEST_NAME, MOST = 64, 10_000_000  # of a tournament, or of what confines; of any limit

_PlanJson = msgspec.defstruct(
    "_PlanJson",
    [*(get_type_hints(StoredPlan, include_extras=True) | {"limits": dict[str, int]}).items()],
)
"""A plan as JSON: a `StoredPlan`, its limits by name."""

_PLAN, _CHOICES = "plan", "choices"  # keys in the store's table `meta`


def load_plan(store: Store) -> StoredPlan:
    """The last run's plan. Raises UsageError if there was none, ArenaError where it is damaged."""
    text = store.meta(_PLAN)
    if text is None:
        raise UsageError(f"{store.path}: no games here yet; play some with `arena tournament`")
    try:
        return parse_plan(text)
    except ValueError as error:
        reason = f" ({visible(str(error))})" if str(error) else ""
        raise ArenaError(
            f"{store.path}: its plan is damaged{reason}; rewrite it with `arena tournament` and "
            f"its config"
        ) from None


def find_known_hashes(results: Path) -> dict[str, list[str]]:
    """The hashes by which a results folder knows bots, by name: that of the last run first, then
    the latest. Empty where no store can be read.
    """
    hashes, last = dict[str, list[str]](), set[Bot]()
    with suppress(ArenaError), closing(Store.open(results)) as store:
        with suppress(ArenaError):
            last |= {*load_plan(store).bots}
        latest_first = store.bots()[::-1]
        for bot in sorted(latest_first, key=lambda bot: bot not in last):
            hashes.setdefault(bot.name, []).append(bot.hash)
    return hashes


def find_guests(results: Path) -> set[str]:
    """The hashes of the guests of a results folder's last run, without further bots of an author.
    Empty where no store can be read.
    """
    with suppress(ArenaError), closing(Store.open(results)) as store:
        plan = load_plan(store)
        guests = {one.bot for one in plan.not_ranked if one.status == "guest" and not one.reason}
        return {bot.hash for bot in plan.bots if bot.name in guests}
    return set()


def parse_plan(text: str | bytes) -> StoredPlan:
    """Parse what `format_plan` made, wherever it has been since. Raises ValueError, with the reason
    or without, where it is no plan.
    """
    stored = msgspec.structs.asdict(decode(text, _PlanJson))
    try:
        plan = StoredPlan(**stored | {"limits": Limits(**stored["limits"])})
    except TypeError:
        raise ValueError from None
    for entry in plan.entries:
        if problem := find_problem(entry):
            raise ValueError(problem)
    if sum(len(entry.bots) ** 2 for entry in plan.entries) > MOST_PAIRS:
        raise ValueError("its pools have too many bots")
    if max(len(plan.name), len(plan.confinement)) > LONGEST_NAME:
        raise ValueError("a name is too long")
    if not all(0 <= limit <= MOST for limit in plan.limits):
        raise ValueError
    if not are_anchors(plan.anchors, plan.entries):
        raise ValueError("an anchor is not a bot of its pool")
    if not {*plan.folders} <= {bot.name for bot in plan.bots}:
        raise ValueError("a folder belongs to no bot")
    return plan


def format_plan(plan: StoredPlan) -> str:
    content = plan._asdict() | {"limits": plan.limits._asdict()}
    return json.dumps(msgspec.to_builtins(content))


def keep_plan(store: Store, plan: StoredPlan) -> None:
    """Keep the plan in the store: tables and records can be made from the store alone."""
    store.set_meta(_PLAN, format_plan(plan))


def find_missing(store: Store | None, games: Schedule) -> Sequence[int]:
    """The numbers of the games that are neither stored nor impossible, ascending."""
    if store is None or not store.knows(games.entry.pool):
        return range(len(games))
    done = bytearray(len(games))
    for game in store.fixtures(games.entry.pool):
        number = games.number(game)
        if number is not None:
            done[number] = True
    for line_up in store.unplayed_line_ups(games.entry.pool):
        line_up_number = games.line_ups.number(line_up)
        for numbers in games.of_line_up(line_up_number) if line_up_number is not None else ():
            done[numbers.start : numbers.stop] = b"\1" * len(numbers)
    kind = "I" if len(games) <= 1 << 32 else "Q"
    return array(kind, compress(range(len(games)), map(not_, done)))


def count_missing(store: Store, planned: Iterable[Schedule]) -> int:
    """The number of missing games. A stranger's plan may have more than fit into memory."""
    missing = 0
    for games in planned:
        pool, line_ups = games.entry.pool, games.line_ups
        missing += len(games)
        if store.knows(pool):
            unplayed = {
                line_up
                for line_up in store.unplayed_line_ups(pool)
                if line_ups.number(line_up) is not None
            }
            missing -= len(games) // max(len(line_ups), 1) * len(unplayed)
            missing -= sum(  # as many as numbers, for an id depends on all that makes a game
                games.holds(game) and game.line_up not in unplayed for game in store.fixtures(pool)
            )
    return missing


class Counted:
    """Decides what counts of everything in a store: games and sessions of the last run's plan, by
    the files that the bots had then. With `past`, everything counts.

    A store keeps what it has, so it also has bots that were mended or removed, other limits
    and other pools. Making it raises what `load_plan` raises.
    """

    def __init__(self, store: Store, past: bool = False) -> None:
        self.plan = load_plan(store)
        self.planned = make_schedules(self.plan)
        self._store, self._past = store, past
        self._bots = {pool: {*games.entry.bots} for pool, games in self.planned.items()}

    @cached_property
    def _line_ups(self) -> dict[int, tuple[Pool, LineUp]]:
        return read_line_ups(self._store.db)

    def holds(self, pool: Pool, game: Fixture) -> bool:
        games = self.planned.get(pool)
        return self._past or (games is not None and games.holds(game))

    def game(self, id: str, line_up: int, seating: str, deal: int) -> bool:
        """True if a game counts, given its columns; one that cannot be read does not."""
        if id in self._store.damaged:
            return False
        try:
            pool, bots = self._line_ups[line_up]
            return self.holds(pool, Fixture(id, bots, parse_seating(seating), deal))
        except (LookupError, TypeError, ValueError):
            return self._past

    def session(self, pool: Pool, bot: Bot) -> bool:
        """True if a bot's session in a pool counts: its usage and what it printed."""
        return self._past or bot in self._bots.get(pool, ())


def read_lines(store: Store, bot: str | None = None, game: str | None = None) -> Iterator[bytes]:
    """Yield the records of the stored games that the stored plan names, of one bot or game where
    such is given: by pool, then id.
    """
    for pool, schedule in sorted(make_schedules(load_plan(store)).items()):
        holds = schedule.holds

        def is_wanted(fixture: Fixture, holds: Holds = holds) -> bool:
            plays = bot is None or bot in {entrant.name for entrant in fixture.line_up}
            return plays and holds(fixture)

        if game in (None, pool.game):
            yield from store.lines(pool, is_wanted)


def load_choices(store: Store | None) -> dict[Pool, Choice]:
    """The line-ups chosen so far, by pool. Raises ArenaError where they are damaged."""
    text = store.meta(_CHOICES) if store else None
    if store is None or text is None:
        return {}
    try:
        choices = decode(text, tuple[Choice, ...])
        if not all(map(_is_choice, choices)):
            raise ValueError
    except ValueError:
        raise ArenaError(
            f"{store.path}: the drawn line-ups are damaged; restore a copy, or start over with "
            "--fresh"
        ) from None
    return {choice.pool: choice for choice in choices}


def _is_choice(choice: Choice) -> bool:
    """True if a choice can have been made, of bots that take part now or did before."""
    if not is_pool(choice.pool):
        return False
    k = choice.pool.entrants
    turns = range(count_line_up_turns(k))
    for turned in choice.turned:  # each line-up has one turn
        one_each = len({*turned.line_ups}) == len(turned.line_ups) == len(turned.turns)
        if not one_each or any(turn not in turns for turn in turned.turns):
            return False
    line_ups = chain(choice.line_ups, *(turned.line_ups for turned in choice.turned))
    return all(len(names) == k and list(names) == sorted({*names}) for names in line_ups)


def keep_choices(store: Store, choices: Mapping[Pool, Choice]) -> None:
    store.set_meta(_CHOICES, json.dumps([*choices.values()]))


class Follower:
    """Follows one results folder: the games that count (`plans.Counted`)."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._counted: Counted | None = None
        self._last = 0  # the last row that was seen
        self.stored = self.missing = 0  # games, at the last look
        self.name = ""  # the tournament's
        self.more = False  # whether results may ask for more games
        self.restarted = False  # True if the last look began with the first game, by another plan

    def look(self) -> list[Alike]:
        """The games that have come since the last look; also counts those still missing.

        Raises UsageError where nothing was played yet, ArenaError where the store cannot be read.
        """
        with closing(Store.open(self._results, checked=True)) as store:
            store.hold()  # whoever plays goes on storing
            counted = self._counted
            self.restarted = counted is None or counted.plan != load_plan(store)
            if counted is None or self.restarted:
                counted = self._counted = Counted(store)
                self._last = self.stored = 0
            new_games = list(self._read_new(store, counted))
            gained = sum(alike.games for alike in new_games)
            self.stored += gained
            self.missing -= gained
            if self.restarted:
                self.name, self.more = counted.plan.name, may_go_on(counted.plan.entries)
                self.missing = count_missing(store, counted.planned.values())
        return new_games

    def _read_new(self, store: Store, counted: Counted) -> Iterator[Alike]:
        query = "SELECT rowid, id, line_up, seating, deal, ranks FROM game WHERE rowid > ?"
        known: dict[int, tuple[Pool, LineUp]] = {}
        alike = Counter[tuple[tuple[str, ...], tuple[int, ...]]]()
        for last, id, row, seating, deal, ranks in store.db.execute(query, (self._last,)):
            known = known or read_line_ups(store.db)
            self._last = max(self._last, last)
            try:
                pool, line_up = known[row]
                game = Fixture(id, line_up, parse_seating(seating), deal)
                names = tuple(game.names)
                places = parse_ranks(ranks)
            except (LookupError, TypeError, ValueError):
                continue  # damaged: `find_missing` has it, for it is played again
            if len(places) == len(names) and counted.holds(pool, game):
                alike[names, places] += 1
        for (names, places), games in alike.items():
            yield Alike(names, places, games)
