"""The pilot of `duplicate = "auto"`: whether seatings had better share decks, found out by play.

A few line-ups play a few deals, each deal in all seatings, before the first game that counts; from
that follows how much results vary with shared decks and without, among these very bots. The answer
is kept and never asked again. Its games are in no table: numbers that chose the design would look
steadier than they are. Its decks come from a secret of their own, so no bot meets one of them
again.

Where bots are dealt hands, playing one deck in all seatings cancels the luck of the hand. Where
they are not, it keeps the luck of a bot with a deck, and is worth less than as many decks. The
variance of the same games with decks of their own follows from each seating by itself.
"""

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from statistics import variance
from typing import NamedTuple

import games
from arena import ids
from arena.model import Entry, Fixture, Pool
from arena.plan import Plan
from arena.progress import Progress
from arena.runner.executor import Hire
from arena.runner.loads import hire_and_load, hire_here
from arena.schedule import Schedule, cut_sessions, make_schedule
from arena.session import Job
from arena.store import Store

WORTH_IT = 10_000  # games of a pool: for fewer a pilot costs more than it can save
LINE_UPS, GAMES = 12, 2000  # of a pilot, at most, but for what the least deals take
LEAST_DEALS = 8  # of each line-up


class Sampled(NamedTuple):
    """The games of a pool's pilot."""

    games: Schedule
    numbers: Sequence[int]  # ascending


class Spread(NamedTuple):
    """The variance of the mean result of one game in each seating."""

    shared: float  # all on one deck
    apart: float  # each on a deck of its own

    @property
    def ratio(self) -> float:
        """The variance with shared decks, as a multiple of that without, at as many games.

        1.0 where nothing ever varied.
        """
        return self.shared / self.apart if self.apart else 1.0


def sample_pilot(plan: Plan, entry: Entry) -> Sampled | None:
    """Choose the games of an entry's pilot; None if it is not worth one."""
    whole = make_schedule(plan.stored(()), entry)
    if len(whole) < WORTH_IT or len(whole.ways) < 2:
        return None
    number = min(LINE_UPS, len(whole.line_ups))
    deals = max(LEAST_DEALS, GAMES // (number * len(whole.ways)))
    shared = entry._replace(duplicate=True, deals=deals)
    schedule = make_schedule(plan.stored(()), shared)
    chosen = {place * len(schedule.line_ups) // number for place in range(number)}
    numbers = (game for line_up in chosen for each in schedule.of_line_up(line_up) for game in each)
    return Sampled(schedule, array("Q", sorted(numbers)))


def measure_pilot(
    plan: Plan,
    store: Store | None,
    entries: Iterable[Entry],
    secret: bytes,
    progress: Progress,
    hire: Hire = hire_here,
) -> dict[Pool, float]:
    """Play the pilots of those entries that are worth one; by pool, how many times as much results
    vary with shared decks, at as many games.

    Raises Stopped if the user wants it to end before.
    """
    sampled = {entry.pool: sample_pilot(plan, entry) for entry in entries}
    pilots = {pool: pilot for pool, pilot in sampled.items() if pilot}
    if not pilots:
        return {}
    own_secret = ids.pilots_secret(secret)
    ranks: dict[Pool, dict[str, Sequence[int]]] = {pool: {} for pool in pilots}
    with hire_and_load(plan, store, plan.workers, progress, hire) as (crew, unloaded):
        jobs = [
            Job(pool, plan.limits, True, session, own_secret, unloaded)
            for pool, (own, numbers) in pilots.items()
            for session in cut_sessions(own, numbers)
        ]
        progress.start(sum(len(job.fixtures) for job in jobs), crew.size)
        try:
            for finished in crew.play(jobs, progress):
                for games in finished.games:  # what bots used in a pilot is in no table
                    ended = zip(games.ids, map(json.loads, games.ranks), strict=True)
                    ranks[finished.job.pool].update(ended)
                    progress.played(len(games.ids), games.alike())
        finally:
            progress.stop()
    return {pool: of_games(pool, pilot, ranks[pool]).ratio for pool, pilot in pilots.items()}


def in_words(pool: Pool, ratio: float) -> str:
    """A pilot's result, for the user."""
    what = "all seatings share a deck" if ratio < 1 else "every game has its own deck"
    return f"{pool.title}: with shared decks, results vary {ratio:.2f} times as much, so {what}"


def of_games(pool: Pool, pilot: Sampled, ranks: Mapping[str, Sequence[int]]) -> Spread:
    """How results vary: of each bot the share of the others it left behind, variances added up over
    bots and line-ups. `ranks` by game's id and seat.
    """
    by_line_up: dict[tuple[str, ...], dict[int, list[tuple[Fixture, list[float]]]]] = {}
    for number in pilot.numbers:
        game = pilot.games[number]
        names = tuple(bot.name for bot in game.line_up)
        ended = game, _by_bot(pool, game, ranks[game.id])
        by_line_up.setdefault(names, {}).setdefault(game.deal, []).append(ended)
    spreads = []
    for names, deals in by_line_up.items():
        in_order = [sorted(games, key=lambda each: each[0].seating) for games in deals.values()]
        for place in range(len(names)):
            spreads.append(spread([[result[place] for _, result in deal] for deal in in_order]))
    return total(spreads)


def _by_bot(pool: Pool, game: Fixture, ranks: Sequence[int]) -> list[float]:
    """The share of the other sides left behind, by bot of the line-up."""
    side = games.load(pool.game).side
    sides = sorted({side(seat) for seat in range(pool.players)})
    first = [next(seat for seat in range(pool.players) if side(seat) == each) for each in sides]
    share = dict(zip(sides, beaten([ranks[seat] for seat in first]), strict=True))
    return [share[side(game.seating.index(place))] for place in range(len(game.line_up))]


def total(spreads: Iterable[Spread]) -> Spread:
    """Add up spreads: of several results, bots or line-ups; of none, zeros."""
    several = list(spreads)
    return Spread(fsum(each.shared for each in several), fsum(each.apart for each in several))


def spread(results: Sequence[Sequence[float]]) -> Spread:
    """How a result varies; `results[deal][seating]`, two deals or more, all seatings."""
    seatings = len(results[0])
    shared = variance([fsum(deal) / seatings for deal in results])
    apart = fsum(map(variance, zip(*results, strict=True))) / seatings**2
    return Spread(shared, apart)


def beaten(ranks: Sequence[int]) -> list[float]:
    """The share of the others behind each side, ties half; by side, two or more."""
    others = len(ranks) - 1
    return [
        (sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks
    ]
