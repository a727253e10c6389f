"""The schedule: all games of an entry, in their canonical order.

Pure. A schedule is no list: games have numbers and are made when they are asked for, so that a
million of them take no more memory than ten. The order goes deal by deal through all line-ups: if a
tournament stops early, all bots have met about as often. `arena.schedule.sessions` cuts it into
sessions, `arena.schedule.seatings` says who sits where, `arena.ids` has the ids.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import games
from arena import ids
from arena.model import Entry, Fixture, Limits, LineUp, Mirrored, Pool, Seating, StoredPlan
from arena.schedule import seat_rotation
from arena.schedule.line_ups import LineUps
from arena.schedule.seatings import count_seatings, make_exchanges, make_seatings

KNOWN = 1 << 14  # line-ups whose games' ids are half made
HELD = 1 << 12  # turns of line-up and deal


class _Place(NamedTuple):
    number: int
    bots: LineUp
    game_id: Callable[[Seating, int], str]
    turn: int
    two_first: tuple[int, ...] = ()  # in a match: places of its bots, the ones compared first


class Schedule:
    """All games of an entry, by number: 0 .. len - 1, by deal, line-up, seating.

    Where seatings share decks, by deal, line-up, round: round r plays deal d in seating (d + r)
    mod S, S being the number of seatings. A sample's seatings may be turned about by line-up and
    deal (`arena.schedule.seat_rotation`). In a match, seatings come in pairs for a deck, with the
    two bots in each other's seats; or the second game of a deck is of a line-up with the other bot.
    If a deal plays some of them, the next goes on where it ended.
    """

    def __init__(self, entry: Entry, identity: ids.Identity) -> None:
        self.entry, self.identity = entry, identity
        self.line_ups = LineUps(entry)
        self._mirrored = isinstance(entry.shared_decks, Mirrored) and entry.shared_decks
        if self._mirrored:
            apart = self._mirrored.never_meet
            self.ways = make_seatings(entry.pool, "auto") if apart else make_exchanges(entry.pool)
        else:
            self.ways = make_seatings(entry.pool, entry.seatings)
        self._line_ups = len(self.line_ups)
        self._ways = count_seatings(entry.pool, entry.seatings)
        self._place_of = {way: place for place, way in enumerate(self.ways)}
        self._by_number = lru_cache(KNOWN)(self._of_number)
        self._by_bots = lru_cache(KNOWN)(self._of_bots)
        self._turns = None if entry.seating_turns is None else dict(entry.seating_turns)
        if self._turns is not None:
            self._of_line_ups = seat_rotation.find_line_up_turns(entry.pool.entrants)
            self._of_deals = seat_rotation.find_deal_turns(self.ways, entry.pool.entrants)
            self._holders = lru_cache(HELD)(self._hold)

    def __reduce__(self) -> tuple[type["Schedule"], tuple[Entry, ids.Identity]]:
        return Schedule, (self.entry, self.identity)

    def __len__(self) -> int:
        return self.entry.deals * self._line_ups * self._ways

    def __iter__(self) -> Iterator[Fixture]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Fixture:
        """Make a game by its number. Raises IndexError if there is none."""
        if not 0 <= number < self.entry.deals * self._line_ups * self._ways:
            raise IndexError(number)
        rest, place = divmod(number, self._ways)
        deal, line_up = divmod(rest, self._line_ups)
        _, bots, game_id, turn, holders = self._by_number(line_up)
        if self._mirrored:
            place ^= deal % 2  # so that a session has each bot in all seats
        way = self.ways[(place + self._shift(deal, turn)) % len(self.ways)]
        if self._turns is not None:
            holders, _ = self._holders(turn, deal % self._of_deals.period)
        if holders:
            way = tuple([holders[place] for place in way])
        return Fixture(game_id(way, deal), bots, way, deal)

    def number(self, game: Fixture) -> int | None:
        """The number of a game; None if it is not in this schedule.

        Under other limits, or by other versions of rules or bots, a game has another id.
        """
        line_up, way = self._by_bots(game.line_up), game.seating
        if line_up is None or not 0 <= game.deal < self.entry.deals:
            return None
        if self._turns is not None:
            _, held = self._holders(line_up.turn, game.deal % self._of_deals.period)
            way = tuple([held.get(bot, -1) for bot in way])
        elif line_up.two_first:
            held = {bot: place for place, bot in enumerate(line_up.two_first)}
            way = tuple([held.get(bot, -1) for bot in way])
        place = self._place_of.get(way)
        if place is None or line_up.game_id(game.seating, game.deal) != game.id:
            return None
        place = (place - self._shift(game.deal, line_up.turn)) % len(self.ways)
        if self._mirrored:
            place ^= game.deal % 2
        if place >= self._ways:
            return None
        return (game.deal * self._line_ups + line_up.number) * self._ways + place

    def holds(self, game: Fixture) -> bool:
        """True if a game is in this schedule."""
        return self.number(game) is not None

    def line_up_of(self, number: int) -> int:
        """The number of the line-up of a game, given by its number."""
        return number // self._ways % self._line_ups

    def is_second(self, number: int) -> bool:
        """True if a game of a match, given by its number, is the second of its deck."""
        assert self._mirrored, "only in a match a deck has two games"
        if not self._mirrored.never_meet:
            return number % 2 == 1  # seatings are even in number, and pairs follow one another
        first = self._mirrored.bots[0]
        line_up = self._by_number(self.line_up_of(number)).bots
        return all(bot.name != first for bot in line_up)

    def of_line_up(self, line_up: int) -> Iterator[range]:
        """Yield the numbers of a line-up's games, the games of each deal together."""
        for deal in range(self.entry.deals):
            first = (deal * self._line_ups + line_up) * self._ways
            yield range(first, first + self._ways)

    def narrow(self, numbers: Sequence[int]) -> "tuple[Schedule, list[int]]":
        """Narrow the schedule to the line-ups and bots of some games.

        With the new schedule come these games' numbers in it.
        """
        known = sorted(set(map(self.line_up_of, numbers)))
        line_ups = [self._by_number(number).bots for number in known]  # known, when they are back
        bots = sorted({bot for line_up in line_ups for bot in line_up})
        places = {bot: place for place, bot in enumerate(bots)}
        drawn = tuple([tuple([places[bot] for bot in line_up]) for line_up in line_ups])
        turns = None
        if (old := self._turns) is not None:
            turns = tuple((at, old[number]) for at, number in enumerate(known) if number in old)
        entry = self.entry._replace(bots=tuple(bots), line_ups=drawn, seating_turns=turns)
        place_of = {number: at for at, number in enumerate(known)}
        per_deal = self._line_ups * self._ways
        return Schedule(entry, self.identity), [
            (number // per_deal * len(known) + place_of[self.line_up_of(number)]) * self._ways
            + number % self._ways
            for number in numbers
        ]

    def _shift(self, deal: int, turn: int) -> int:
        """The number of seatings by which a deal's first round is moved on.

        If decks are shared, no round deals one deck to two games of a line-up.
        """
        if self._mirrored:
            return 2 * turn + deal * self._ways
        return deal if self.entry.shared_decks else 0

    def _of_number(self, number: int) -> _Place:
        return self._make_place(number, self.line_ups[number])

    def _of_bots(self, bots: LineUp) -> _Place | None:
        number = self.line_ups.number(bots)
        return None if number is None else self._make_place(number, bots)

    def _make_place(self, number: int, bots: LineUp) -> _Place:
        turn = 0
        if self._turns is not None:
            turn = self._turns.get(number, -1)
            if turn < 0:
                turn = seat_rotation.turn_by_chance(bots, len(self._of_line_ups))
        two_first: tuple[int, ...] = ()
        if two := self._mirrored:
            compared_first = sorted(range(len(bots)), key=lambda at: bots[at].name not in two.bots)
            two_first = tuple(compared_first)
            others = tuple([bot for bot in bots if bot.name not in two.bots])
            turn = seat_rotation.turn_by_chance(others, len(self.ways) // 2)
        return _Place(number, bots, ids.make_id_function(self.identity, bots), turn, two_first)

    def _hold(self, turn: int, deal: int) -> tuple[Seating, dict[int, int]]:
        """The bots of the line-up by the place they hold in a deal, and their places by bot."""
        turns = self._of_line_ups[turn]
        holders = tuple([turns[place] for place in self._of_deals[deal]])
        return holders, {bot: place for place, bot in enumerate(holders)}


def make_identity(entry: Entry, limits: Limits) -> ids.Identity:
    """All that distinguishes a pool's games from others, besides line-up, seating and deal."""
    version = games.load(entry.pool.game).VERSION
    return ids.Identity(entry.pool, version, limits, ids.LEAGUE, entry.shared_decks)


def make_schedules(plan: StoredPlan) -> dict[Pool, Schedule]:
    """The schedules of a plan by pool, pools in the order of the config."""
    return {entry.pool: make_schedule(plan, entry) for entry in plan.entries}


def make_schedule(plan: StoredPlan, entry: Entry) -> Schedule:
    """The schedule of one entry, under the plan's limits."""
    return Schedule(entry, make_identity(entry, plan.limits))
