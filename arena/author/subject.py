"""The bot that is checked, where it sits in its games, and the games it had in a pool."""

from typing import NamedTuple

from arena import ids, seeds
from arena.author.watched import Log
from arena.league.bots import BotPath, twins_of
from arena.model import Bot, Fixture, Played, Pool, Tally, file_of


class Subject(NamedTuple):
    """The bot that is checked, and what its games come from."""

    bot: Bot
    is_folder: bool  # else a single file
    beside: frozenset[str]  # names of what lies beside it
    twins: tuple[str, ...]  # the bots beside it of its name
    secret: bytes

    @classmethod
    def of(cls, found: BotPath, bot: Bot, secret: bytes) -> "Subject":
        """Return the subject that the bot at this place is."""
        beside = frozenset(path.name for path in found.path.resolve().parent.iterdir())
        twins = tuple(path.name for path in twins_of(found))
        return cls(bot, found.path.is_dir(), beside, twins, secret)

    @property
    def file(self) -> str:
        """The bot's main file, as its author calls it."""
        return file_of(self.bot.name, self.is_folder)

    def tables(self, pool: Pool, fixture: Fixture) -> list[tuple[int, int]]:
        """Return the bot's seats in a game, each with its `view.table`."""
        key, players = ids.bots_key(self.secret), pool.players
        tables, _ = seeds.of_seats(key, fixture.id, players)
        line_up = [bot.name for bot in fixture.line_up]
        return [
            (seat, tables[seat])
            for seat, place in enumerate(fixture.seating)
            if line_up[place] == self.bot.name
        ]


class Bout(NamedTuple):
    """A pool, and what came of it so far."""

    pool: Pool
    bots: tuple[Bot, ...]  # all that play in it, by name
    log: Log
    played: list[Played]
    tallies: list[Tally]  # of the bot's sessions
