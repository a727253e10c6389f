"""How level seats and left neighbours are, counted game by game from schedules as they are planned
(`arena.schedule.seat_rotation`).

`seats`: of a bot's counts of its seats, most less least, the worst bot. `neighbours`: how often a
bot sat right after another, less what is fair (the games of both, by one less than a table has
bots); most less least of all pairs. The least that arithmetic allows is 0 where counts divide
evenly, else 1.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from arena import ids
from arena.model import Bot, Entry, Fixture, Limits, Partners, Pool, Wanted
from arena.schedule import choices
from arena.schedule.order import Schedule


class Spread(NamedTuple):
    """Most less least, and that as a share of the games of a bot or of two."""

    seats: float
    neighbours: float
    of_seats: float
    of_neighbours: float


class Asked(NamedTuple):
    title: str
    wanted: Wanted


def asked(
    players: int, bots: int, seatings: str | int = "auto", deals: int = 1,
    line_ups: int | None = None, partners: Partners = "", gauntlet: bool = False,
    shared: bool = False,
) -> Asked:  # fmt: skip
    """A schedule of so many bots and its title."""
    pool = Pool("sixteen" if partners else "diciassette", players, "{}", partners)
    own = tuple(Bot(f"b{number:02}", "") for number in range(bots))
    always = (own[0].name,) if gauntlet else ()
    entry = Entry(pool, own, deals, seatings, shared, fixed_bots=always)
    words = [
        f"{players}p", f"{bots} bots", f"seatings {seatings}", f"{deals} deals",
        *([f"{line_ups} line-ups"] if line_ups else []), *([partners] if partners else []),
        *(["gauntlet"] if gauntlet else []), *(["shared"] if shared else []),
    ]  # fmt: skip
    return Asked(", ".join(words), Wanted(entry, line_ups))


def planned(ask: Asked, turned: bool = True) -> Schedule:
    """The schedule; not `turned`: every line-up plays the sample as it is, in all deals."""
    (entry,), _ = choices.make_choices([ask.wanted], {})
    if not turned:
        entry = entry._replace(seating_turns=None)
    identity = ids.Identity(entry.pool, 1, Limits(), "none", entry.shared_decks)
    return Schedule(entry, identity)


def spread(games: Iterable[Fixture], k: int) -> Spread:
    """How level games of k bots are."""
    seats: Counter[tuple[str, int]] = Counter()
    after: Counter[tuple[str, str]] = Counter()
    together: Counter[tuple[str, ...]] = Counter()
    kinds = Counter((game.line_up, game.seating) for game in games)
    for (line_up, seating), times in kinds.items():
        names = [line_up[place].name for place in seating[:k]]
        together[tuple(sorted(names))] += times
        for seat, name in enumerate(names):
            seats[name, seat] += times
            after[names[seat - 1], name] += times
    own: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for bots, times in together.items():
        own.update(dict.fromkeys(bots, times))
        met.update(dict.fromkeys(permutations(bots, 2), times))
    ranges = {bot: [seats[bot, seat] for seat in range(k)] for bot in own}
    off = [after[pair] - times / (k - 1) for pair, times in met.items()]
    worst = max(max(each) - min(each) for each in ranges.values())
    pairs = round(max(off) - min(off), 3)
    return Spread(worst, pairs, worst / min(own.values()), pairs / min(met.values()))
