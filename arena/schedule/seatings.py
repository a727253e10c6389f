"""Seatings: all of a line-up, or a balanced sample of them.

In a sample of N seatings every bot is in every seat, and directly after every other bot, equally
often to within one. A search with a fixed seed finds it, so it is the same on every machine
(README.md beside this file). Pure; the bots' names and the number of deals are left to
`arena.schedule.order`.
"""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from itertools import permutations
from math import comb, factorial
from random import Random

from arena.model import Entry, Mirrored, Pool, Seating

ALL_UP_TO = 4  # bots at a table: "auto" plays all their seatings
SAMPLE = 24  # seatings that "auto" plays with more
MIXED = (6, 12, 18, 24)
"""Of four bots in two mixed teams: in so many, every neighbour is met equally often, and then every
partner too, for a bot's partner is who is neither of its neighbours."""
STEPS = 30_000  # of a search; from the seeds below it takes fewer


_SOON = {
    (4, 8): (1, 0), (4, 12): (2, 0), (5, 8): (0, 1), (5, 9): (0, 1), (5, 12): (1, 0),
    (5, 13): (1, 0), (5, 15): (1, 6), (5, 16): (1, 7), (5, 17): (3, 4), (5, 19): (3, 5),
    (5, 20): (4, 1), (5, 24): (3, 83), (5, 25): (3, 60), (6, 11): (1, 15), (6, 16): (2, 1),
    (6, 17): (2, 1), (6, 19): (3, 3), (6, 20): (3, 3), (6, 23): (3, 5), (6, 25): (3, 87),
    (6, 26): (4, 1), (6, 29): (4, 3), (6, 34): (5, 11), (6, 35): (3, 87), (7, 4): (0, 1),
    (7, 8): (1, 1), (7, 11): (1, 1), (7, 12): (0, 452), (7, 13): (0, 112), (7, 16): (2, 1),
    (7, 17): (2, 10), (7, 18): (1, 226), (7, 19): (2, 32), (7, 20): (2, 148), (7, 23): (3, 2),
    (7, 24): (2, 105), (7, 25): (3, 4), (7, 26): (3, 15), (7, 27): (3, 257), (7, 30): (3, 32),
    (7, 32): (4, 3), (7, 33): (4, 6), (7, 34): (4, 119), (7, 35): (0, 644), (7, 36): (1, 922),
    (7, 37): (5, 3), (7, 40): (5, 26), (7, 41): (5, 118), (7, 47): (6, 200), (7, 48): (1, 2926),
    (7, 49): (2, 3961),
}  # fmt: skip
"""(bots, seatings): how many orbits a search begins with, and its seed, so that it ends soon; all
others have as many orbits as go in and seed 0. Every seed is as right as another, if slower."""

_UNEVEN = {
    (3, 2): (0, 0, 2), (3, 3): (0, 0, 4), (4, 3): (0, 0, 4), (4, 9): (0, 0, 4),
    (5, 4): (0, 0, 6), (5, 5): (0, 0, 8), (6, 4): (0, 1, 2), (6, 5): (0, 0, 8),
    (7, 5): (0, 0, 2), (7, 6): (0, 6, 8), (7, 7): (0, 23, 8),
}  # fmt: skip
"""The same, and the excess of the sum of squares over that of level counts, where counts cannot be
level (shown by exhaustion when they were found): there they are within two."""


def count_possible(pool: Pool) -> int:
    """Count a line-up's seatings: 2 for two bots or two teams, 6 for three."""
    return factorial(pool.entrants)


def count_seatings(pool: Pool, how: str | int) -> int:
    """Count the seatings without making them; `how` as for `make_seatings`."""
    if how == "all" or (how == "auto" and pool.entrants <= ALL_UP_TO):
        return count_possible(pool)
    return SAMPLE if how == "auto" else int(how)


def count_decks_of_deal(entry: Entry, line_ups: int | None) -> int:
    """The decks of a bot in one deal of all line-ups: the fewest of those compared."""
    others = max(len(entry.bots) - len(entry.fixed_bots), 1)
    chosen = entry.pool.entrants - len(entry.parties[0])
    drawn = comb(others, chosen)
    if line_ups is not None:
        drawn = min(drawn, line_ups // len(entry.parties))
    played = drawn if len(entry.fixed_bots) == 2 else drawn * chosen // others
    if entry.shared_decks is True:
        return max(played, 1)
    paired = isinstance(entry.shared_decks, Mirrored) and not entry.shared_decks.never_meet
    return max(played, 1) * count_seatings(entry.pool, entry.seatings) // (1 + paired)


@lru_cache(64)
def make_seatings(pool: Pool, how: str | int) -> tuple[Seating, ...]:
    """Make a line-up's seatings: each says, by seat, which bot of the line-up sits there.

    `how` is "all", a number from 1 to `count_possible`, or "auto": all up to four bots, else a
    balanced sample of 24. In a team that is one bot twice, that bot sits in both seats.
    """
    k, count = pool.entrants, count_seatings(pool, how)
    every = count == count_possible(pool)
    orders = permutations(range(k)) if every else sample_orders(k, count)
    return tuple(tuple(order[seat % k] for seat in range(pool.players)) for order in orders)


@lru_cache(64)
def make_exchanges(pool: Pool) -> tuple[Seating, ...]:
    """Make the seatings of a match, as many as `make_seatings` by default, in pairs: in the second
    of a pair, bots 0 and 1 have taken each other's seats. A sample has level pairs.
    """
    pairs = count_seatings(pool, "auto") // 2
    first: dict[Seating, None] = {}
    many = 2 * pairs if 2 * pairs == count_possible(pool) else pairs
    while len(first) < pairs:  # a sample may have both of a pair
        ways = make_seatings(pool, many)
        first = dict.fromkeys(min(way, _exchange(way)) for way in ways)
        many += 1
    return tuple(way for one in [*first][:pairs] for way in (one, _exchange(one)))


def _exchange(way: Seating) -> Seating:
    """The seating with bots 0 and 1 in each other's seats."""
    return tuple([1 - bot if bot < 2 else bot for bot in way])


def sample_orders(k: int, count: int) -> tuple[Seating, ...]:
    """Choose `count` different orders of k bots, ascending, balanced as the module says.

    `count` is from 1 to k! - 1. With more than seven bots the counts are as level as STEPS make
    them.
    """
    if count > factorial(k) // 2:
        left_out = set(sample_orders(k, factorial(k) - count))
        return tuple(order for order in permutations(range(k)) if order not in left_out)
    block = k * (k - 1)
    blocks, rest = (count - 1) // block, (count - 1) % block + 1
    if blocks and (k, rest) in _UNEVEN and (k, rest + block) in _SOON:
        blocks, rest = blocks - 1, rest + block
    orders = _search(k, rest)
    if blocks:
        orders |= _level_orbits(k, blocks * (k - 1), orders)
    return tuple(sorted(orders))


def _orbit(order: Seating) -> list[Seating]:
    k = len(order)
    return [tuple((bot + shift) % k for bot in order) for shift in range(k)]


def _least(total: int, cells: int) -> int:
    """The least sum of squares of `cells` counts that add up to `total`."""
    low, more = divmod(total, cells)
    return cells * low * low + more * (2 * low + 1)


class _Counts:
    """Counts of how often each of k bots has each seat, and each neighbour, in some orders."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._in_seat = [0] * (k * k)  # by (seat, bot)
        self._after = [0] * (k * k)  # by (bot, next bot)

    def change(self, orders: Iterable[Seating], by: int) -> int:
        """Count the orders in or out; return the growth of the sum of squares."""
        k, in_seat, after = self._k, self._in_seat, self._after
        added = 0
        for order in orders:
            left = order[-1]
            for seat, bot in enumerate(order):
                added += 2 + 2 * by * (in_seat[seat * k + bot] + after[left * k + bot])
                in_seat[seat * k + bot] += by
                after[left * k + bot] += by
                left = bot
        return added


ACCEPTED = {2: 0.07, 4: 0.005, 6: 0.0003}
"""The chance of a step that adds so much to the sum of squares: out of a dead end, some are taken.
A change that adds nothing always is, one that adds more never."""


def _search(k: int, count: int) -> set[Seating]:
    """Search for `count` orders with level counts: the sum of their squares is then least."""
    orbits, seed, excess = _UNEVEN.get((k, count)) or (*_SOON.get((k, count), (count // k, 0)), 0)
    draw = Random(seed).random
    counts = _Counts(k)
    parts: list[list[Seating]] = []  # orbits first, then single orders
    taken: set[Seating] = set()
    above = -k * (_least(count, k) + _least(count, k - 1)) - excess
    while len(parts) < orbits + count - orbits * k:
        keys = [draw() for _ in range(k)]
        order = tuple(sorted(range(k), key=keys.__getitem__))
        part = _orbit(order) if len(parts) < orbits else [order]
        if taken.isdisjoint(part):
            parts.append(part)
            taken.update(part)
            above += counts.change(part, 1)
    for _ in range(STEPS):
        if above <= 0:
            break
        number = int(draw() * len(parts))
        old = parts[number]
        moved = _move(old[0], draw)
        new = _orbit(moved) if number < orbits else [moved]
        if moved == old[0] or any(one in taken and one not in old for one in new):
            continue
        worse = counts.change(old, -1) + counts.change(new, 1)
        if worse <= 0 or (worse in ACCEPTED and draw() < ACCEPTED[worse]):
            above += worse
            parts[number] = new
            taken.difference_update(old)
            taken.update(new)
        else:
            counts.change(new, -1)
            counts.change(old, 1)
    return taken


def _move(order: Seating, draw: Callable[[], float]) -> Seating:
    """Make another order, one step from this: rotated, or with two bots exchanged."""
    k = len(order)
    a, b = int(draw() * k), int(draw() * k)
    if draw() < 0.3:
        return order[a:] + order[:a]
    swapped = list(order)
    swapped[a], swapped[b] = order[b], order[a]
    return tuple(swapped)


def _level_orbits(k: int, count: int, without: Collection[Seating]) -> set[Seating]:
    """Choose `count` orbits whose orders have every difference equally often and are not in
    `without`.
    """
    draw = Random(0).random
    free = [
        (0, *rest)
        for rest in permutations(range(1, k))
        if not any(order in without for order in _orbit((0, *rest)))
    ]
    free.sort(key=lambda _: draw())
    steps = [[(b - a) % k for a, b in zip(o, o[1:] + o[:1], strict=True)] for o in free]
    counts = [0] * k
    for step in steps[:count]:
        for difference in step:
            counts[difference] += 1
    level = count * k // (k - 1)
    for _ in range(STEPS):
        if all(count == level for count in counts[1:]):
            break
        out, into = int(draw() * count), count + int(draw() * (len(free) - count))
        trial = counts.copy()
        for difference in steps[out]:
            trial[difference] -= 1
        for difference in steps[into]:
            trial[difference] += 1
        if sum(c * c for c in trial) <= sum(c * c for c in counts) or draw() < 0.02:
            counts = trial
            free[out], free[into] = free[into], free[out]
            steps[out], steps[into] = steps[into], steps[out]
    return {order for orbit in free[:count] for order in _orbit(orbit)}
