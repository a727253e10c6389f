"""The line-ups of an entry: the ones drawn, or every set of bots that fills a table.

All sets are numbered in the order of names and made when they are asked for, so that the millions
of forty bots take no memory; bots that are in every line-up are left out of the count. How a sample
is drawn is `arena.schedule.sampling`. Pure.
"""

from bisect import bisect_right
from collections.abc import Iterator
from math import comb

from arena.model import Entry, LineUp


def count_line_ups(bots: int, always: int, entrants: int) -> int:
    """Return how many sets of so many entrants there are among the bots, of whom so many are in
    all of them.
    """
    return comb(bots - always, entrants - always)


class LineUps:
    """The line-ups of an entry, by number: 0 .. len - 1; the bots of each are by name."""

    def __init__(self, entry: Entry) -> None:
        self._bots = entry.bots
        self._place = {bot: place for place, bot in enumerate(entry.bots)}
        self._always = [self._place[bot] for bot in entry.bots if bot.name in entry.always]
        self._others = [place for place in self._place.values() if place not in self._always]
        self._rank = {place: rank for rank, place in enumerate(self._others)}
        self._size = entry.pool.entrants - len(self._always)  # of the part that is chosen
        self._drawn = entry.line_ups
        self._number_of = {places: number for number, places in enumerate(entry.line_ups or ())}
        self._count = len(entry.line_ups or ())
        if entry.line_ups is None:
            always = len(self._always)
            self._count = count_line_ups(len(entry.bots), always, entry.pool.entrants)
        # By how many are to be chosen yet: less how many sets of these are left, by first of them
        most = len(self._others)
        self._later = {
            left: [-comb(most - first, left) for first in range(most + 1)]
            for left in range(1, self._size + 1)
        }

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[LineUp]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> LineUp:
        """Return a line-up by its number. Raises IndexError where there is none."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        places = self._set(number) if self._drawn is None else self._drawn[number]
        return tuple([self._bots[place] for place in places])

    def number(self, line_up: LineUp) -> int | None:
        """Return a line-up's number; None if it is none of these."""
        places = tuple([self._place.get(bot, -1) for bot in line_up])
        if self._drawn is not None:
            return self._number_of.get(places)
        chosen = [self._rank.get(place, -1) for place in places if place not in self._always]
        if len(chosen) != self._size or -1 in chosen or list(places) != sorted(set(places)):
            return None
        if len(places) != self._size + len(self._always):
            return None
        later = enumerate(reversed(chosen), 1)  # lexicographic: counted from the end
        return len(self) - 1 - sum(comb(len(self._others) - 1 - at, left) for left, at in later)

    def _set(self, number: int) -> tuple[int, ...]:
        """Return a set of places by its number, of all sets in lexicographic order."""
        chosen, rank = self._always.copy(), 0
        for left in range(self._size, 0, -1):
            later = self._later[left]
            first = bisect_right(later, number + later[rank], rank) - 1
            number -= later[first] - later[rank]
            chosen.append(self._others[first])
            rank = first + 1
        return tuple(sorted(chosen))
