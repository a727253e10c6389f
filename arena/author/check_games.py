"""The games of a check: the bot that is checked, what is played of each pool, and the results.

In every pool the bot plays beside house bots, soon in many line-ups and seatings.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import games
from arena import ids
from arena.author.profiler import Log
from arena.league.bots import BotPath, find_twins
from arena.model import Bot, Entry, Fixture, Limits, Played, Pool, Tally, file_of
from arena.schedule.order import Schedule


class Target(NamedTuple):
    """The bot that is checked, and the secret that its games come from."""

    bot: Bot
    is_folder: bool  # else a single file
    beside: frozenset[str]  # names of the files beside it
    twins: tuple[str, ...]  # bots beside it with its name
    secret: bytes

    @classmethod
    def of(cls, found: BotPath, bot: Bot, secret: bytes) -> "Target":
        """Make a target of the bot at this place; reads the names of the files beside it."""
        beside = frozenset(path.name for path in found.path.resolve().parent.iterdir())
        twins = tuple(path.name for path in find_twins(found))
        return cls(bot, found.path.is_dir(), beside, twins, secret)

    @property
    def file(self) -> str:
        """The bot's main file, as its author calls it."""
        return file_of(self.bot.name, self.is_folder)

    def tables(self, pool: Pool, fixture: Fixture) -> list[tuple[int, int]]:
        """The bot's seats in a game, each with its `view.table`."""
        key, players = ids.bots_key(self.secret), pool.players
        tables, _ = ids.draw_seat_numbers(key, fixture.id, players)
        line_up = [bot.name for bot in fixture.line_up]
        return [
            (seat, tables[seat])
            for seat, place in enumerate(fixture.seating)
            if line_up[place] == self.bot.name
        ]


class PoolGames(NamedTuple):
    """A pool's part of a check, and its results so far."""

    pool: Pool
    bots: tuple[Bot, ...]  # all that play in it, by name
    log: Log
    played: list[Played]
    tallies: list[Tally]  # of the bot's sessions


def pools() -> list[Pool]:
    """Every game with every number of players, under its default options: the smallest table of
    each game first, then the next larger of each.
    """
    ranked = []
    for name in games.names():
        game = games.load(name)
        for rank, players in enumerate(game.seat_counts(game.Options())):
            teams = len({game.side(seat) for seat in range(players)}) < players
            ranked.append((rank, Pool(name, players, "{}", "same" if teams else "")))
    return [pool for _, pool in sorted(ranked)]


def choose_games(
    pool: Pool, bot: Bot, bots: Sequence[Bot], limits: Limits, confinement: str
) -> Iterator[Fixture]:
    """Choose games of a pool among `bots` (sorted by name) with `bot` in all of them, each game
    once, without end.

    Line-ups come in turn, in an order drawn by a fixed seed, and each time in another seating; then
    deal after deal.
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
