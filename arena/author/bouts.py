"""Which games a check plays: in every pool the bot beside house bots, soon in many ways. Pure."""

from collections.abc import Iterator, Sequence
from random import Random

import games
from arena import ids
from arena.model import Bot, Entry, Fixture, Limits, Pool
from arena.schedule.order import Schedule


def pools() -> list[Pool]:
    """Return every game with every number of players by its usual options; each game's smallest
    table first, then each one's next.
    """
    found = []
    for name in games.names():
        game = games.load(name)
        for rank, players in enumerate(game.seat_counts(game.Options())):
            teams = len({game.side(seat) for seat in range(players)}) < players
            found.append((rank, Pool(name, players, "{}", "same" if teams else "")))
    return [pool for _, pool in sorted(found)]


def bouts(
    pool: Pool, bot: Bot, bots: Sequence[Bot], limits: Limits, confinement: str
) -> Iterator[Fixture]:
    """Yield games of a pool among `bots`, by name, with `bot` in all of them, each game once:
    line-ups in turn, drawn by a fixed seed, and each time with another seating; then deal after
    deal. Without end.
    """
    entry = Entry(pool, tuple(bots), 1, "auto", False, always=(bot.name,))
    version = games.load(pool.game).VERSION
    identity = ids.Identity(pool, version, limits, confinement, False)
    rng, deal = Random(17), 0
    while True:
        schedule = Schedule(entry._replace(deals=deal + 1), identity)
        line_ups, ways = len(schedule.line_ups), len(schedule.ways)
        order, turns = rng.sample(range(line_ups), line_ups), rng.sample(range(ways), ways)
        for turn in range(ways):
            for at, line_up in enumerate(order):
                place = turns[(at + turn) % ways]
                yield schedule[(deal * line_ups + line_up) * ways + place]
        deal += 1
