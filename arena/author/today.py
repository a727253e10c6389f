"""A bot as it is now, of which a store has games."""

from pathlib import Path
from typing import NamedTuple

from arena.errors import UsageError
from arena.league.bots import BOTS, ENTRY_FILE, BotPath, find_bot, folder_from
from arena.league.files import Source, content_hash, read_bot
from arena.model import Bot


class Today(NamedTuple):
    """A bot's files as they are now."""

    path: Path  # the file, or its folder
    source: Source
    bot: Bot  # of the name that it has in the store

    @property
    def entry(self) -> Path:
        """The file that defines the bot."""
        return self.path / ENTRY_FILE if self.path.is_dir() else self.path


def today(results: Path, name: str, given: Path | None = None) -> Today:
    """Return the bot of that name as it is now: of the league that the results lie in, or of the
    one at hand; or the bot that was `given` in its place. Raises UsageError where there is none.
    """
    found = _in_league(results, name) if given is None else find_bot(Path.cwd(), str(given))
    source = read_bot(found)
    return Today(found.path.absolute(), source, Bot(name, content_hash(source)))


def _in_league(results: Path, name: str) -> BotPath:
    try:
        folder = folder_from(results.absolute().parent)
    except UsageError:
        folder = folder_from(Path.cwd())
    try:
        return find_bot(folder, name)
    except UsageError:
        raise UsageError(
            f"{folder / BOTS}: {name} is gone; put it back, or name its file by --bot PATH"
        ) from None
