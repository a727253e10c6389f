"""Sessions: the missing games, cut into pieces of work of one size.

Pure. Numbers of games are dealt out like cards, so that each session of the same bots is spread
over all their line-ups and deals.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from math import ceil
from typing import overload

from arena.model import Fixture, Mirrored
from arena.schedule.order import Schedule

BOTS_PER_SESSION = 32
GAMES_PER_SESSION, GAMES_PER_BOT = 8000, 1000
"""At most so many games, or so many for each of its bots if that is more: every bot is a process to
start, and its last games come in batches that are not full. 58,140 games of 20 bots took 3.5 % more
CPU time in eight sessions than in three."""

GAMES_TO_SHARE = 100  # a session: with fewer, starting its bots costs more than sharing gains


class Games(Sequence[Fixture]):
    """Some games of a schedule, by their numbers in it; each is made when it is asked for."""

    def __init__(self, schedule: Schedule, numbers: Sequence[int]) -> None:
        self._schedule, self._numbers = schedule, numbers

    def __reduce__(self) -> tuple[type["Games"], tuple[Schedule, Sequence[int]]]:
        schedule, numbers = self._schedule, self._numbers
        entry = schedule.entry
        if len(entry.bots) > BOTS_PER_SESSION or len(entry.line_ups or ()) > len(numbers):
            schedule, numbers = schedule.narrow(numbers)  # a worker needs no more
        return Games, (schedule, array("Q", numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Fixture: ...
    @overload
    def __getitem__(self, index: slice) -> "Games": ...
    def __getitem__(self, index: int | slice) -> "Fixture | Games":
        if isinstance(index, slice):
            return Games(self._schedule, self._numbers[index])
        return self._schedule[self._numbers[index]]

    def __iter__(self) -> Iterator[Fixture]:
        return map(self._schedule.__getitem__, self._numbers)


def choose_session_size(games: int, workers: int, bots: int) -> int:
    """Choose the most games a session of a pool with so many bots takes, given how many games all
    pools together have.

    There are then as many sessions as workers or a multiple of that, and all are busy to the end.
    """
    most = max(GAMES_PER_SESSION, GAMES_PER_BOT * min(bots, BOTS_PER_SESSION))
    rounds = -(-games // (workers * most)) or 1
    return max(GAMES_TO_SHARE, -(-games // (workers * rounds)))


def cut_sessions(
    schedule: Schedule,
    missing: Sequence[int],
    games_per_session: int = GAMES_PER_SESSION,
    max_bots: int = BOTS_PER_SESSION,
) -> list[Games]:
    """Cut the games with these numbers, ascending, into sessions.

    A session has at most `games_per_session` games and `max_bots` bots (or one line-up), and if
    seatings share decks never the same line-up and deal twice. Sessions of the same bots are of one
    size to within one game, and each is spread over all their line-ups and deals.
    """
    return [
        Games(schedule, hand)
        for numbers in _by_bots(schedule, missing, max_bots)
        for hand in _cut(schedule, numbers, games_per_session)
    ]


def _by_bots(schedule: Schedule, missing: Sequence[int], most: int) -> list[Sequence[int]]:
    """Divide the games into as few groups as have at most `most` bots each.

    The bots are divided into clubs, so small that a table's clubs together do not have too many. A
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
        mine = {club[bot] for bot in line_up}
        others = [number for number in range(clubs) if number not in mine]
        first = sum(mine) % (len(others) or 1)  # the tables of few clubs go round the groups
        key = tuple(sorted([*mine, *(others[first:] + others[:first])[: entrants - len(mine)]]))
        group_of[number] = groups.setdefault(key, array("Q"))
    for number in missing:
        group_of[schedule.line_up_of(number)].append(number)
    return [groups[key] for key in sorted(groups)]


def _cut(schedule: Schedule, numbers: Sequence[int], most: int) -> list[Sequence[int]]:
    """Cut the games into sessions of one size to within one, dealt out like cards.

    If decks are shared, the games of one deal come one after the other and no more than there are
    sessions, so no session gets two of them. In a match, first and second games of decks are dealt
    out apart, and sessions of both take turns.
    """
    shared, rounds = schedule.entry.shared_decks, 1
    if isinstance(shared, Mirrored):
        games = array("Q"), array("Q")
        for number in numbers:
            games[schedule.is_second(number)].append(number)
        dealt = [_deal(hand, -(-len(hand) // most)) for hand in games]
        return [hand for both in zip_longest(*dealt) for hand in both if hand]
    if shared:
        ways = rounds = len(schedule.ways)
        if len(numbers) < len(schedule):  # as many rounds as some line-up and deal has games left
            by_deal = groupby(numbers, lambda number: number // ways)
            rounds = max(len([*games]) for _, games in by_deal)
        count = rounds * -(-len(numbers) // (rounds * most))
        return [numbers[first::count] for first in range(count)]
    return _deal(numbers, -(-len(numbers) // most))


def _deal(numbers: Sequence[int], hands: int) -> list[Sequence[int]]:
    """Deal numbers out like cards to so many hands, each time round to the next one first."""
    dealt = [array("Q") for _ in range(hands)]
    for place, number in enumerate(numbers):
        dealt[(place + place // hands) % hands].append(number)
    return [*dealt]
