"""The bot that is checked, where it sits in its games, and the games it had in a pool."""

from typing import NamedTuple

from arena import ids, seeds
from arena.author.watched import Log
from arena.league.bots import ENTRY_FILE, BotPath
from arena.league.remedies import file_in
from arena.model import Bot, Fixture, Played, Pool, Tally


class Subject(NamedTuple):
    """The bot that is checked, and what its games come from."""

    bot: Bot
    folder: str  # "" if it is a single file, else `NAME/`
    beside: frozenset[str]  # names of what lies beside it
    secret: bytes

    @classmethod
    def of(cls, found: BotPath, bot: Bot, secret: bytes) -> "Subject":
        """Return the subject that the bot at this place is."""
        folder = f"{found.path.name}/" if found.path.is_dir() else ""
        beside = frozenset(path.name for path in found.path.resolve().parent.iterdir())
        return cls(bot, folder, beside, secret)

    @property
    def file(self) -> str:
        """The bot's main file, as its author calls it."""
        return f"{self.folder}{ENTRY_FILE}" if self.folder else f"{self.bot.name}.py"

    def file_of(self, text: str) -> str | None:
        """Return the author's file that a fault's text names; None if it names none."""
        inside = file_in(text)
        if not inside:
            return None
        return f"{self.folder}{inside}" if self.folder else self.file

    def tables(self, pool: Pool, fixture: Fixture) -> list[tuple[int, int]]:
        """Return the bot's seats in a game, each with its `view.table`."""
        key, players = ids.bots_key(self.secret), pool.players
        tables, _ = seeds.VERSIONS[seeds.NEWEST].of_seats(key, fixture.id, players)
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
