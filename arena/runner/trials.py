"""Which games a dry run plays of a pool to see how long they take: some as sessions will have them.

A session has 32 bots at most (`arena.schedule.sessions`). Of a larger field, games that are taken
evenly from all of them would come to sessions of one game each, and starting bots would be all
they take: 60 ms a game for 2. So they are taken from among a dozen bots, who have soon all begun;
in a session's thousands of games the start of the others weighs little. Where line-ups were drawn,
sessions are played as they will be, however small.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from math import gcd

from arena.schedule.line_ups import LineUps
from arena.schedule.order import Schedule
from arena.schedule.sessions import BOTS_PER_SESSION, Games, sessions_of

CUT = 2_000_000
"""Games up to which sessions are cut to see what they are; of more, the first so many."""

BOTS = 12  # of a large field that play in a worker's games
GOLDEN = (1 + 5**0.5) / 2
TRIED = 16  # for each game that is wanted: some may be stored


class Trials:
    """The games of a pool that are left, of which some are to be played by so many workers."""

    def __init__(self, own: Schedule, left: Sequence[int], workers: int) -> None:
        self._own, self._left, self._workers = own, left, workers

    def of(self, size: int) -> list[Games]:
        """Return sessions with about `size` games for each worker, evenly taken."""
        if len(self._own.entry.bots) <= BOTS_PER_SESSION:
            hands = spread(self._left, self._workers, size)
        elif self._own.entry.line_ups is None:
            hands = [self._among(worker, size) for worker in range(self._workers)]
            if not any(hands):  # of these bots all is stored
                hands = spread(self._left, self._workers, size)
        else:
            return self._drawn(size)
        return [games for hand in hands if hand for games in sessions_of(self._own, hand)]

    def _among(self, worker: int, size: int) -> list[int]:
        """Return games, ascending, of `BOTS` bots, each worker's others."""
        own, entry = self._own, self._own.entry
        bots, always = entry.bots, set(entry.always)
        step = len(bots) // BOTS
        some = [bots[(at * step + worker) % len(bots)] for at in range(BOTS)]
        some = [bot for bot in some if bot.name not in always][: BOTS - len(always)]
        field = sorted([*some, *(bot for bot in bots if bot.name in always)])
        line_ups = LineUps(entry._replace(bots=tuple(field)))
        ways, deals = len(own.ways), entry.deals
        games = len(line_ups) * ways * deals
        stride = round(games / GOLDEN)  # evenly spread, however many are taken
        while gcd(stride, games) > 1:
            stride += 1
        taken = list[int]()
        for at in range(min(games, TRIED * size)):
            rest, way = divmod(at * stride % games, ways)
            deal, line_up = divmod(rest, len(line_ups))
            number = own.line_ups.number(line_ups[line_up])
            assert number is not None, "a set of some of the bots is one of all"
            game = (deal * len(own.line_ups) + number) * ways + way
            if self._lacks(game):
                taken.append(game)
            if len(taken) == size:
                break
        return sorted(taken)

    def _lacks(self, number: int) -> bool:
        at = bisect_left(self._left, number)
        return at < len(self._left) and self._left[at] == number

    @cached_property
    def _sessions(self) -> list[Games]:
        return sessions_of(self._own, self._left[:CUT])

    def _drawn(self, size: int) -> list[Games]:
        """Return sessions as they will be, or the beginnings of them."""
        sessions, wanted, some = self._sessions, size * self._workers, list[Games]()
        typical = max(1, sum(map(len, sessions)) // len(sessions))
        count = min(len(sessions), max(self._workers, wanted // typical))
        for at in range(count):
            games = sessions[at * len(sessions) // count]
            step = max(1, len(games) * count // wanted)
            some.append(games.every(step))
        return some


def spread(numbers: Sequence[int], workers: int, size: int) -> list[list[int]]:
    """Return games for each worker, at most so many: taken evenly from all of them, ascending."""
    count = min(len(numbers), workers * size)
    chosen = [numbers[place * len(numbers) // count] for place in range(count)]
    return [hand for worker in range(workers) if (hand := chosen[worker::workers])]
