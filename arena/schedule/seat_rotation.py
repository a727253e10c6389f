"""Turns of a sample's seatings, so that later deals level what one deal cannot.

A sample names places, not bots. Who holds a place is turned twice: by *deal*, the same for all
line-ups, and by *line-up*. All seatings, and samples that are level by themselves, are never
turned. Turns are no part of a game's id: line-up, seating and deal are. README.md beside this file
says how they are found. Pure.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, permutations, product
from math import factorial, gcd
from operator import add, mul
from random import Random
from typing import NamedTuple

from arena.model import LineUp, Seating
from arena.schedule import seatings

Turn = tuple[int, ...]
"""By place: what takes it."""

TRIED = 6  # turns of a deal

_SEEDS = {
    (4, 1): 5, (4, 5): 5, (4, 7): 4, (4, 11): 5, (4, 17): 4, (5, 3): 6, (5, 8): 3, (5, 23): 6,
    (5, 25): 3, (5, 28): 3, (5, 43): 6, (5, 45): 3, (5, 48): 3, (7, 12): 9, (7, 18): 4, (7, 21): 4,
    (7, 24): 18, (7, 28): 1, (7, 49): 36, (7, 54): 9, (7, 60): 4,
}  # fmt: skip
"""(bots, seatings): the seed of a round that ends level, where that is not 0. Small odd samples of
five bots and more have none that was found: they are within three, at every deal of a round."""


class Counts(NamedTuple):
    """Counts of how often each of k places has each seat, and each other after it; rows in one."""

    seats: tuple[int, ...]  # by (place, seat)
    after: tuple[int, ...]  # by (place, next place), 0 for itself

    @property
    def level(self) -> bool:
        """True if all counts of seats are equal, and all of neighbours."""
        k = round(len(self.seats) ** 0.5)
        apart = {self.after[a * k + b] for a, b in permutations(range(k), 2)}
        return max(self.seats) == min(self.seats) and len(apart) <= 1

    def apply(self, turn: Turn) -> "Counts":
        """The counts after place p has become place turn[p]."""
        k = len(turn)
        was = sorted(range(k), key=turn.__getitem__)
        seats = [self.seats[p * k + seat] for p in was for seat in range(k)]
        return Counts(tuple(seats), tuple([self.after[p * k + q] for p in was for q in was]))

    def times(self, other: "Counts") -> int:
        """The sum of products with other counts.

        Twice that is what adding the other adds to the sum of squares, but for a part that is the
        same for all its turns.
        """
        return sum(map(mul, chain(*self), chain(*other)))

    def __add__(self, other: "Counts") -> "Counts":  # type: ignore[override]
        return Counts(
            tuple(map(sum, zip(self.seats, other.seats, strict=True))),
            tuple(map(sum, zip(self.after, other.after, strict=True))),
        )


def count_sample(ways: Sequence[Seating], k: int) -> Counts:
    """Count a sample's seatings of k bots or teams."""
    seats, after = [0] * (k * k), [0] * (k * k)
    for way in ways:
        for seat in range(k):
            seats[way[seat] * k + seat] += 1
            after[way[(seat or k) - 1] * k + way[seat]] += 1
    return Counts(tuple(seats), tuple(after))


class OfDeals:
    """The turns of the deals of a sample, by deal."""

    def __init__(self, round_: Sequence[Turn], group: Sequence[Turn]) -> None:
        self._round, self._group = round_, group
        self.period = len(round_) * len(group)

    def __getitem__(self, deal: int) -> Turn:
        """The places that take those of the sample in this deal, 0 the first."""
        rounds, at = divmod(deal, len(self._round))
        turn = self._group[rounds % len(self._group)]
        return tuple([turn[place] for place in self._round[at]])

    def counts(self, sample: Counts, deals: int) -> Counts:
        """The counts of a line-up after its first deals, whole periods left out."""
        total = sample.apply(self[0])
        for deal in range(1, deals % self.period or self.period):
            total += sample.apply(self[deal])
        return total


@lru_cache(64)
def find_deal_turns(ways: tuple[Seating, ...], k: int) -> OfDeals:
    """Find the turns of a sample's deals; a level sample gets one turn that changes nothing."""
    sample = count_sample(ways, k)
    same = tuple(range(k))
    if sample.level:
        return OfDeals([same], [same])
    deals = k * (k - 1) // gcd(len(ways), k * (k - 1))
    turns, total = _round(sample, k, deals, _SEEDS.get((k, len(ways)), 0))
    return OfDeals(turns, [same] if total.level else _sort(_group(k), total))


def _round(sample: Counts, k: int, deals: int, seed: int) -> tuple[list[Turn], Counts]:
    """The turns of a round of deals, the first changing nothing, and the sum of counts."""
    draw = Random(seed).random
    turns, total = [tuple(range(k))], sample
    for _ in range(deals - 1):
        tried = [_improve(sample, total, k, [draw() for _ in range(k)]) for _ in range(TRIED)]
        turns.append(min(tried)[1])
        total += sample.apply(turns[-1])
    return turns, total


def _improve(sample: Counts, total: Counts, k: int, keys: list[float]) -> tuple[int, Turn]:
    """Improve a turn, at first the one that sorts by `keys`, by exchanges while any helps.

    Before the turn comes what it adds to the sum of squares (half of it, less what all turns add).
    """

    def measure(turn: Sequence[int]) -> int:
        return total.times(sample.apply(tuple(turn)))

    turn = sorted(range(k), key=keys.__getitem__)
    least, helped = measure(turn), True
    while helped:
        helped = False
        for a, b in product(range(k), repeat=2):
            if a < b:
                turn[a], turn[b] = turn[b], turn[a]
                if (now := measure(turn)) < least:
                    least, helped = now, True
                else:
                    turn[a], turn[b] = turn[b], turn[a]
    return least, tuple(turn)


def _sort(group: list[Turn], total: Counts) -> list[Turn]:
    """Sort a group: first the turn that changes nothing, then always that which levels a total
    best.
    """
    ordered = [min(group)]
    left = [(turn, total.apply(turn)) for turn in group if turn != ordered[0]]
    so_far = total
    while left:
        best = min(left, key=lambda pair: so_far.times(pair[1]))
        left.remove(best)
        ordered.append(best[0])
        so_far += best[1]
    return ordered


def _group(k: int) -> list[Turn]:
    """The turns of a group that takes any two places to any two others equally often.

    If the number of places is neither a prime nor a prime plus one: one turn that changes nothing.
    """
    if _is_prime(k):
        return [tuple((a * x + b) % k for x in range(k)) for a in range(1, k) for b in range(k)]
    if not _is_prime(p := k - 1):
        return [tuple(range(k))]

    def image(a: int, b: int, c: int, d: int, x: int) -> int:
        over, under = (a, c) if x == p else ((a * x + b) % p, (c * x + d) % p)
        return over * pow(under, -1, p) % p if under else p

    fours = product(range(p), repeat=4)
    turns = (
        tuple(image(a, b, c, d, x) for x in range(k)) for a, b, c, d in fours if (a * d - b * c) % p
    )
    return sorted(set(turns))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, number))


@lru_cache
def find_line_up_turns(k: int) -> tuple[Turn, ...]:
    """The turns that a line-up of k may have: by place, which of its bots, by name, takes it.

    Up to four bots all there are, else 2k(k-1), among them every bot in every place equally often.
    """
    if k <= seatings.ALL_UP_TO:
        return tuple(permutations(range(k)))
    return seatings.sample_orders(k, count_line_up_turns(k))


def count_line_up_turns(k: int) -> int:
    """Count the turns of `find_line_up_turns` without making them."""
    return factorial(k) if k <= seatings.ALL_UP_TO else 2 * k * (k - 1)


def turn_by_chance(line_up: LineUp, of: int) -> int:
    """Choose a line-up's turn from its bots' names: a number below `of`.

    For pools with so many line-ups that chance levels them.
    """
    names = "\n".join(bot.name for bot in line_up)
    return int.from_bytes(hashlib.blake2b(names.encode(), digest_size=8).digest(), "big") % of


MOST = 20_000
"""Line-ups of a pool whose turns are chosen, at most: 3 s for five bots at a table, 20 s for
seven. Where there are more, chance turns all: a bot of 10,000 line-ups then has a seat some 40
times more than is fair."""

AGAIN = 2  # times that each is chosen again against all others

Places = tuple[int, ...]
"""The bots of a line-up, by name, as places in the list of all."""


def choose_turns(
    sample: Counts, deals: OfDeals, planned: int,
    before: Iterable[tuple[Places, int]],
    new: Sequence[Places],
) -> list[int]:  # fmt: skip
    """Choose the turns of new line-ups: their numbers in `find_line_up_turns`, in order.

    They are levelled together with the ones chosen `before`, over as many deals as are planned, or
    over the first one if these are level by themselves. Every bot is also to hold every place
    equally often, which levels the seats of any other number of deals.
    """
    tally = _Tally(deals.counts(sample, planned if planned % deals.period else 1), len(deals[0]))
    for line_up, number in before:
        tally.count(line_up, number, 1)
    chosen: dict[Places, int] = {}
    for line_up in [*new] * (1 + AGAIN):
        if line_up in chosen:
            tally.count(line_up, chosen[line_up], -1)
        chosen[line_up] = tally.best(line_up)
        tally.count(line_up, chosen[line_up], 1)
    return [*chosen.values()]


class _Weights(NamedTuple):
    """The weight of a turn in a tally, for a line-up of k bots."""

    seats: list[int]  # places in a list by (bot of the line-up, place): those it gives
    held: list[list[int]]  # by bot of the line-up: what is added to its row
    pairs: list[int]  # by two of its bots


class _Tally:
    """The growth of the squares of a bot's counts by another place, and how often pairs meet.

    Counts of seats and of places are kept only as what they add to that sum: one row for each bot.
    """

    def __init__(self, counts: Counts, k: int) -> None:
        self._pairs = [*permutations(range(k), 2)]
        uneven = _uneven(counts, k)
        self._met_unevenly = any(uneven.after)
        rows = [uneven.seats[place * k : place * k + k] for place in range(k)]
        alike = [[sum(map(mul, p, q)) + (p is q) for q in rows] for p in rows]
        places = [sorted(range(k), key=turn.__getitem__) for turn in find_line_up_turns(k)]
        self._of_turn = [  # place: by bot of the line-up
            _Weights(
                [bot * k + place[bot] for bot in range(k)],
                [alike[place[bot]] for bot in range(k)],
                [uneven.after[place[a] * k + place[b]] for a, b in self._pairs],
            )
            for place in places
        ]
        self._by_place: dict[int, list[int]] = defaultdict(lambda: [0] * k)
        self._after: dict[tuple[int, int], int] = defaultdict(int)

    def best(self, line_up: Places) -> int:
        """The number of the turn that adds least to the sum of squares; of equals, the first."""
        by_place = [count for bot in line_up for count in self._by_place[bot]]
        added = [sum(map(by_place.__getitem__, turn.seats)) for turn in self._of_turn]
        if self._met_unevenly:
            met = [self._after[line_up[a], line_up[b]] for a, b in self._pairs]
            of_pairs = [sum(map(mul, met, turn.pairs)) for turn in self._of_turn]
            added = [*map(add, added, of_pairs)]
        return added.index(min(added))

    def count(self, line_up: Places, number: int, by: int) -> None:
        """Count a line-up and its turn in, `by` 1, or out, `by` -1."""
        turn = self._of_turn[number]
        for bot, more in zip(line_up, turn.held, strict=True):
            row = self._by_place[bot]
            row[:] = [count + by * held for count, held in zip(row, more, strict=True)]
        if self._met_unevenly:
            for (a, b), times in zip(self._pairs, turn.pairs, strict=True):
                self._after[line_up[a], line_up[b]] += by * times


def _uneven(counts: Counts, k: int) -> Counts:
    """The counts less what all have."""
    seat = min(counts.seats)
    pair = min(counts.after[a * k + b] for a, b in permutations(range(k), 2))
    after = [0 if at % (k + 1) == 0 else count - pair for at, count in enumerate(counts.after)]
    return Counts(tuple([count - seat for count in counts.seats]), tuple(after))
