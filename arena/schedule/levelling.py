"""Which turn each line-up has: the one that best levels seats and neighbours over all line-ups.

A turn says who holds which place of a sample (`arena.schedule.seat_rotation`). Turns are chosen one
after the other, each to add least to the sum of squares of all counts, and then each again against
all others. What was chosen stays, so that no game is ever lost: line-ups that come later are fitted
to it. Pure.
"""

from collections.abc import Iterable, Sequence
from itertools import permutations
from operator import add, mul
from typing import NamedTuple

from arena.schedule import seat_rotation
from arena.schedule.seat_rotation import Counts, Turn

MOST = 20_000
"""Line-ups of a pool whose turns are chosen, at most: 3 s for five bots at a table, 20 s for
seven. Where there are more, chance turns all: a bot of 10,000 line-ups then has a seat some 40
times more than is fair."""

AGAIN = 2  # times that each is chosen anew against all others

Places = tuple[int, ...]
"""The bots of a line-up, by name, as places in the list of all."""


def choose_turns(
    sample: Counts, deals: seat_rotation.OfDeals, planned: int,
    before: Iterable[tuple[Places, int]],
    new: Sequence[Places],
) -> list[int]:  # fmt: skip
    """Choose the turns of new line-ups: their numbers in `seat_rotation.find_line_up_turns`, in
    order.

    They are levelled together with the ones chosen `before`, over as many deals as are planned, or
    over the first one if these are level by themselves. Every bot is also to hold every place
    equally often, which levels the seats of any other number of deals.
    """
    tally = _Tally(deals.counts(sample, planned if planned % deals.period else 1), len(deals[0]))
    for line_up, number in before:
        tally.count(line_up, number, 1)
    chosen = []
    for line_up in new:
        chosen.append(tally.best(line_up))
        tally.count(line_up, chosen[-1], 1)
    for _ in range(AGAIN):
        for place, line_up in enumerate(new):
            tally.count(line_up, chosen[place], -1)
            chosen[place] = tally.best(line_up)
            tally.count(line_up, chosen[place], 1)
    return chosen


class _Weights(NamedTuple):
    """What a turn adds to a tally, for a line-up of k bots."""

    seats: list[int]  # places in a list by (bot of the line-up, place): those it gives
    held: list[tuple[int, list[int]]]  # (bot of the line-up, what is added to its row)
    pairs: list[int]  # by two of its bots


class _Tally:
    """What another place adds to the squares of a bot's counts, and how often pairs meet.

    Counts of seats and of places are kept only as what they add to that sum: one row for each bot.
    """

    def __init__(self, counts: Counts, k: int) -> None:
        self._k = k
        self._pairs = [*permutations(range(k), 2)]
        uneven = _uneven(counts, k)
        self._met_unevenly = any(uneven.after)
        rows = [uneven.seats[place * k : place * k + k] for place in range(k)]
        alike = [[sum(map(mul, p, q)) + (p is q) for q in rows] for p in rows]
        self._of_turn = [
            self._weights(turn, alike, uneven) for turn in seat_rotation.find_line_up_turns(k)
        ]
        self._by_place: dict[int, list[int]] = {}
        self._after: dict[tuple[int, int], int] = {}

    def _weights(self, turn: Turn, alike: list[list[int]], uneven: Counts) -> _Weights:
        k = self._k
        place = sorted(range(k), key=turn.__getitem__)  # by bot of the line-up
        return _Weights(
            [bot * k + place[bot] for bot in range(k)],
            [(bot, alike[place[bot]]) for bot in range(k)],
            [uneven.after[place[a] * k + place[b]] for a, b in self._pairs],
        )

    def best(self, line_up: Places) -> int:
        """The number of the turn that adds least to the sum of squares; of equals, the first."""
        by_place = [count for bot in line_up for count in self._row(bot)]
        added = [sum(map(by_place.__getitem__, turn.seats)) for turn in self._of_turn]
        if self._met_unevenly:
            met = [self._after.get((line_up[a], line_up[b]), 0) for a, b in self._pairs]
            of_pairs = [sum(map(mul, met, turn.pairs)) for turn in self._of_turn]
            added = [*map(add, added, of_pairs)]
        return added.index(min(added))

    def count(self, line_up: Places, number: int, by: int) -> None:
        """Count a line-up and its turn in, `by` 1, or out, `by` -1."""
        turn = self._of_turn[number]
        for bot, more in turn.held:
            row = self._row(line_up[bot])
            row[:] = [count + by * each for count, each in zip(row, more, strict=True)]
        if self._met_unevenly:
            for (a, b), times in zip(self._pairs, turn.pairs, strict=True):
                pair = line_up[a], line_up[b]
                self._after[pair] = self._after.get(pair, 0) + by * times

    def _row(self, bot: int) -> list[int]:
        return self._by_place.setdefault(bot, [0] * self._k)


def _uneven(counts: Counts, k: int) -> Counts:
    """The counts less what all have."""
    seat = min(counts.seats)
    pair = min(counts.after[a * k + b] for a, b in permutations(range(k), 2))
    after = [0 if at % (k + 1) == 0 else count - pair for at, count in enumerate(counts.after)]
    return Counts(tuple([count - seat for count in counts.seats]), tuple(after))
