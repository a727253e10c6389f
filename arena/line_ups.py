"""The line-ups of an entry: every set of bots that fills a table, made when it is asked for.

Numbered in the order of names, so that forty bots' millions of sets take no memory. Pure.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from arena.model import Bot, Entry

LineUp = tuple[Bot, ...]


class LineUps:
    """The sets, by number: 0 .. len - 1; bots and sets are in the order of names."""

    def __init__(self, entry: Entry) -> None:
        self._bots, self._size = sorted(entry.bots), entry.pool.entrants
        self._place = {bot: place for place, bot in enumerate(self._bots)}

    def __len__(self) -> int:
        return comb(len(self._bots), self._size)

    def __iter__(self) -> Iterator[LineUp]:
        return combinations(self._bots, self._size)

    def __getitem__(self, number: int) -> LineUp:
        """Return a line-up by its number. Raises IndexError where there is none."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        chosen: list[Bot] = []
        place = 0
        for left in range(self._size, 0, -1):
            while number >= (begin_with_it := comb(len(self._bots) - place - 1, left - 1)):
                number -= begin_with_it
                place += 1
            chosen.append(self._bots[place])
            place += 1
        return tuple(chosen)

    def number(self, line_up: LineUp) -> int | None:
        """Return a line-up's number; None if it is none of these."""
        places = [self._place.get(bot, -1) for bot in line_up]
        if len(places) != self._size or -1 in places or places != sorted(set(places)):
            return None
        last = len(self) - 1
        later = enumerate(reversed(places), 1)  # lexicographic: counted from the end
        return last - sum(comb(len(self._bots) - 1 - place, left) for left, place in later)
