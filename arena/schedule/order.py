"""What is to be played: games in their canonical order, and sessions cut from them.

Pure. A schedule is no list: games have numbers and are made when they are asked for, so that a
million of them take no more memory than ten. The order goes deal by deal through all line-ups, so
that whatever stops early has met everybody about as often. Who sits where is
`arena.schedule.seatings`; what a game is called and dealt, `arena.ids`.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import overload

from arena import ids
from arena.model import Entry, Fixture, LineUp, Seating
from arena.schedule.line_ups import LineUps
from arena.schedule.seatings import seatings

GAMES_PER_SESSION = 4000
BOTS_PER_SESSION = 32
KNOWN = 1 << 14  # line-ups whose games' ids are half made


class Schedule:
    """All games of an entry, by number: 0 .. len - 1, by deal, line-up, seating.

    Where seatings share decks, by deal, line-up, round: round r plays deal d in seating (d + r)
    mod S, S being the number of seatings.
    """

    def __init__(self, entry: Entry, identity: ids.Identity) -> None:
        self.entry, self.identity = entry, identity
        self.line_ups = LineUps(entry)
        self.ways = seatings(entry.pool, entry.seatings)
        self._turn_of = {way: turn for turn, way in enumerate(self.ways)}
        self._by_number = lru_cache(KNOWN)(self._of_number)
        self._by_bots = lru_cache(KNOWN)(self._of_bots)

    def __reduce__(self) -> tuple[type["Schedule"], tuple[Entry, ids.Identity]]:
        return Schedule, (self.entry, self.identity)

    def __len__(self) -> int:
        return self.entry.deals * len(self.line_ups) * len(self.ways)

    def __iter__(self) -> Iterator[Fixture]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Fixture:
        """Return a game by its number. Raises IndexError where there is none."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        rest, turn = divmod(number, len(self.ways))
        deal, line_up = divmod(rest, len(self.line_ups))
        way = self.ways[(turn + deal * self.entry.duplicate) % len(self.ways)]
        bots, game_id = self._by_number(line_up)
        return Fixture(game_id(way, deal), bots, way, deal)

    def number(self, id: str, line_up: LineUp, seating: Seating, deal: int) -> int | None:
        """Return the number of a game; None if it is none of these: under other limits, or by
        other versions of rules or bots, a game has another id.
        """
        own, turn = self._by_bots(line_up), self._turn_of.get(seating)
        if own is None or turn is None or not 0 <= deal < self.entry.deals:
            return None
        number, game_id = own
        if game_id(seating, deal) != id:
            return None
        turn = (turn - deal * self.entry.duplicate) % len(self.ways)
        return (deal * len(self.line_ups) + number) * len(self.ways) + turn

    def holds(self, id: str, line_up: LineUp, seating: Seating, deal: int) -> bool:
        """Return whether a game is one of these."""
        return self.number(id, line_up, seating, deal) is not None

    def line_up_of(self, number: int) -> int:
        """Return the number of a game's line-up."""
        return number // len(self.ways) % len(self.line_ups)

    def of_line_up(self, line_up: int) -> Iterator[range]:
        """Yield the numbers of a line-up's games, those of each deal together."""
        for deal in range(self.entry.deals):
            first = (deal * len(self.line_ups) + line_up) * len(self.ways)
            yield range(first, first + len(self.ways))

    def _of_number(self, line_up: int) -> tuple[LineUp, Callable[[Seating, int], str]]:
        bots = self.line_ups[line_up]
        return bots, ids.ids(self.identity, bots)

    def _of_bots(self, line_up: LineUp) -> tuple[int, Callable[[Seating, int], str]] | None:
        number = self.line_ups.number(line_up)
        return None if number is None else (number, ids.ids(self.identity, line_up))


class Hand(Sequence[int]):
    """Every n-th of some numbers: what one of n gets when they are dealt out like cards.

    With `further`, each time round begins one further on.
    """

    def __init__(self, numbers: Sequence[int], own: int, of: int, further: bool) -> None:
        self._numbers, self._own, self._of, self._further = numbers, own, of, further

    def __len__(self) -> int:
        rounds, rest = divmod(len(self._numbers), self._of)
        return rounds + ((self._own - rounds * self._further) % self._of < rest)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        place = (self._own - index * self._further) % self._of
        return self._numbers[index * self._of + place]


class Games(Sequence[Fixture]):
    """Some games of a schedule, by their numbers in it; each is made when it is asked for."""

    def __init__(self, schedule: Schedule, numbers: Sequence[int]) -> None:
        self._schedule, self._numbers = schedule, numbers

    def __reduce__(self) -> tuple[type["Games"], tuple[Schedule, Sequence[int]]]:
        return Games, (self._schedule, array("Q", self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Fixture: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fixture]: ...
    def __getitem__(self, index: int | slice) -> Fixture | Sequence[Fixture]:
        if isinstance(index, slice):
            return Games(self._schedule, self._numbers[index])
        return self._schedule[self._numbers[index]]


def sessions(
    schedule: Schedule,
    missing: Sequence[int],
    games_per_session: int = GAMES_PER_SESSION,
    max_bots: int = BOTS_PER_SESSION,
) -> list[Games]:
    """Return the games with these numbers, ascending, cut into sessions.

    A session has at most `games_per_session` games and `max_bots` bots (or one line-up), and where
    seatings share decks never the same line-up and deal twice. Sessions of the same bots are of
    one size to within one game, and each is spread over all their line-ups and deals.
    """
    return [
        Games(schedule, hand)
        for numbers in _by_bots(schedule, missing, max_bots)
        for hand in _cut(schedule, numbers, games_per_session)
    ]


def _by_bots(schedule: Schedule, missing: Sequence[int], most: int) -> list[Sequence[int]]:
    """Return the games in as few groups as have at most `most` bots each.

    The bots are divided into clubs, so small that a table's clubs together have not too many; a
    group is all that some clubs, as many as a table has bots, play among themselves.
    """
    if not missing:
        return []
    if len(schedule.entry.bots) <= most:
        return [missing]
    met = {schedule.line_up_of(number) for number in missing}
    line_ups = {line_up: schedule.line_ups[line_up] for line_up in sorted(met)}
    bots = sorted({bot for line_up in line_ups.values() for bot in line_up})
    if len(bots) <= most:
        return [missing]
    entrants = schedule.entry.pool.entrants
    clubs = ceil(len(bots) / max(1, most // entrants))
    club = {bot: place * clubs // len(bots) for place, bot in enumerate(bots)}
    groups: dict[tuple[int, ...], array[int]] = {}
    group_of: dict[int, array[int]] = {}
    for number, line_up in line_ups.items():
        own = {club[bot] for bot in line_up}
        others = [each for each in range(clubs) if each not in own]
        first = sum(own) % (len(others) or 1)  # the tables of few clubs go round the groups
        key = tuple(sorted([*own, *(others[first:] + others[:first])[: entrants - len(own)]]))
        group_of[number] = groups.setdefault(key, array("Q"))
    for number in missing:
        group_of[schedule.line_up_of(number)].append(number)
    return [groups[key] for key in sorted(groups)]


def _cut(schedule: Schedule, numbers: Sequence[int], most: int) -> list[Hand]:
    """Return the games in sessions of one size to within one, dealt out like cards.

    Where decks are shared, the games of one deal come one after the other and no more than there
    are sessions, so no session gets two of them.
    """
    if not schedule.entry.duplicate:
        count = ceil(len(numbers) / most)
        return [Hand(numbers, own, count, further=True) for own in range(count)]
    whole = len(numbers) == len(schedule)
    rounds = len(schedule.ways) if whole else _most_of_a_deal(numbers, len(schedule.ways))
    count = rounds * ceil(len(numbers) / (rounds * most))
    return [Hand(numbers, own, count, further=False) for own in range(count)]


def _most_of_a_deal(numbers: Sequence[int], ways: int) -> int:
    """Return how many of the numbers, ascending, are of one line-up and deal, at most."""
    most = found = 0
    last = -1
    for number in numbers:
        found = found + 1 if number // ways == last else 1
        last, most = number // ways, max(most, found)
    return most
