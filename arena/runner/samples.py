"""Samples: a few games of a pool, played to see how long its sessions take and what games weigh.

A session takes so long to start its bots and drain its last batches, and then so much a game. Both
depend on its size: with few games a message carries few questions, and its price, some 60 to 95 us,
is charged to few. So samples rise in size, and are played by all workers at once, as games will be:
four at work on four cores are each slower than one alone.

A session has 32 bots at most (`arena.schedule.sessions`). Of a larger field, games that are taken
evenly from all of them would come to sessions of one game each, and starting bots would be all
they take: 60 ms a game for 2. So they are taken from among a dozen bots, all begun early;
in a session's thousands of games the start of the others weighs little. Where line-ups were drawn,
sessions are played as they will be, however small.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from arena.schedule import BOTS_PER_SESSION, Games, Schedule, cut_sessions

FEW, SOME, ALL_BEGUN = 4, 16, 64
"""Games that each worker plays of a pool in a first sample; in a second, where bots are slow; and
so many that all of some ten bots have begun: what more games take is theirs alone."""
ENOUGH_S = 0.15  # between such two: more than a clock errs
MOST_S = 4.0  # no sample is played that would take longer

MOST_CUT = 2_000_000
"""Games of which sessions are cut to see what they are, at most."""

BOTS = 12  # of a large field that play in a worker's games
TRIED = 16  # for each game that is wanted: some may be stored


class Sample(NamedTuple):
    """The mean of some sessions that were played to see how long they take."""

    games: float
    seconds: float


class Cost:
    """What sessions of a pool take of a worker, by their size: read from samples piece by piece,
    and beyond the largest as between the last two.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        """Take samples of rising size.

        Where a larger one took no longer, the clock says nothing of the games between, and the
        smaller is left out. Twice the games take at most twice as long: one that took more was
        held up by the machine, and once made 12 minutes of 40 seconds.
        """
        self._points = points = list[Sample]()  # games and seconds, both rising
        for games, seconds in samples:
            if points and games > points[-1].games:
                seconds = min(seconds, points[-1].seconds * games / points[-1].games)
            while points and points[-1].seconds >= seconds:
                points.pop()
            if not points or games > points[-1].games:
                points.append(Sample(games, seconds))

    def of(self, games: float) -> float:
        """The seconds that a session of so many games takes."""
        points = self._points
        if len(points) == 1 or games <= points[0].games:
            return points[0].seconds * games / points[0].games
        above = next((at for at in range(1, len(points)) if points[at].games >= games), -1)
        (few, soon), (many, late) = points[above - 1], points[above]
        return soon + (late - soon) * (games - few) / (many - few)


def take_samples(play: Callable[[int], Sample], games: int, workers: int) -> list[Sample]:
    """Play samples of rising size, by games for each worker: until two tell enough, or more would
    take too long, or there are no more games.
    """
    samples, size, before_s = [play(FEW)], FEW, 0.0
    while size * workers < games:
        cost, wanted = Cost(samples), [2 * size] if size >= ALL_BEGUN else [ALL_BEGUN, SOME]
        affordable = [each for each in wanted if each > size and cost.of(each) <= MOST_S]
        if not affordable:
            break
        samples.append(play(affordable[0]))
        if size >= ALL_BEGUN and samples[-1].seconds - before_s > ENOUGH_S:
            break
        size, before_s = affordable[0], samples[-1].seconds
    return samples


class Sampler:
    """The games of a pool that are left, some of them to be played by so many workers."""

    def __init__(self, schedule: Schedule, left: Sequence[int], workers: int) -> None:
        self._schedule, self._left, self._workers = schedule, left, workers

    def sessions(self, size: int) -> list[Games]:
        """Choose sessions with about `size` games for each worker, evenly taken."""
        if len(self._schedule.entry.bots) <= BOTS_PER_SESSION:
            hands = deal_out(self._left, self._workers, size)
        elif self._schedule.entry.line_ups is None:
            hands = [self._among_some(worker, size) for worker in range(self._workers)]
            if not any(hands):  # of these bots all is stored
                hands = deal_out(self._left, self._workers, size)
        else:
            return self._drawn(size)
        return [games for hand in hands if hand for games in cut_sessions(self._schedule, hand)]

    def _among_some(self, worker: int, size: int) -> list[int]:
        """Choose games of `BOTS` bots, other bots for each worker; ascending."""
        schedule, rng = self._schedule, Random(worker)
        entry, line_ups, ways = schedule.entry, schedule.line_ups, len(schedule.ways)
        always = [bot for bot in entry.bots if bot.name in entry.always]
        others = [bot for bot in entry.bots if bot.name not in entry.always]
        some = [others[(at * len(others) // BOTS + worker) % len(others)] for at in range(BOTS)]
        games = set[int]()
        for _ in range(TRIED * size):
            line_up = sorted([*always, *rng.sample(some, entry.pool.entrants - len(always))])
            number = line_ups.number(tuple(line_up))
            assert number is not None, "a set of some of the bots is one of all"
            deal, way = rng.randrange(entry.deals), rng.randrange(ways)
            game = (deal * len(line_ups) + number) * ways + way
            if self._lacks(game):
                games.add(game)
            if len(games) == size:
                break
        return sorted(games)

    def _lacks(self, number: int) -> bool:
        at = bisect_left(self._left, number)
        return at < len(self._left) and self._left[at] == number

    @cached_property
    def _sessions(self) -> list[Games]:
        return cut_sessions(self._schedule, self._left[:MOST_CUT])

    def _drawn(self, size: int) -> list[Games]:
        """Sessions as they will be, or the beginnings of them."""
        sessions, wanted, some = self._sessions, size * self._workers, list[Games]()
        typical = max(1, sum(map(len, sessions)) // len(sessions))
        count = min(len(sessions), max(self._workers, wanted // typical))
        for at in range(count):
            games = sessions[at * len(sessions) // count]
            step = max(1, len(games) * count // wanted)
            some.append(games[::step])
        return some


def deal_out(numbers: Sequence[int], workers: int, size: int) -> list[list[int]]:
    """Deal out games to each worker, at most so many: taken evenly from all of them, ascending."""
    count = min(len(numbers), workers * size)
    chosen = [numbers[place * len(numbers) // count] for place in range(count)]
    return [hand for worker in range(workers) if (hand := chosen[worker::workers])]
