"""The bots without a place: by the config, as guests, and those too many of their author."""

from collections.abc import Callable, Collection, Iterable, Mapping
from math import inf

from arena import words
from arena.errors import UsageError
from arena.league.author import read_authors
from arena.league.bots import HOUSE_BOTS
from arena.league.entries import Entries
from arena.league.files import hash_text
from arena.model import NotRanked
from arena.plan import config as configs
from arena.plan.keys import UnrankedKeys

FURTHER = "its author has enough ranked bots"


def find_further(
    config: configs.Config,
    entries: Entries,
    not_ranked: Iterable[NotRanked],
    ratings: Callable[[], Mapping[str, float]],
) -> tuple[NotRanked, ...]:
    """The bots that are too many of their author: all but the last in the file of authors, or but
    the best by `ratings`. Those `not_ranked` anyway count for none. The run warns of bots that are
    not in the file. Raises UsageError.
    """
    keys = config.keys
    if keys.authors is None:
        return ()
    place = config.place(("authors",))
    names = {bot.name for bot in entries.bots if HOUSE_BOTS.get(bot.name) != bot.hash}
    names -= {one.bot for one in not_ranked}
    by_author, author_of = dict[str, list[str]](), dict[str, str]()
    try:
        rows = read_authors(config.folder / keys.authors)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None
    for author, name in reversed(rows):
        if author_of.setdefault(name, author) != author:
            raise UsageError(f"{place}: {name} has two authors in {keys.authors}; remove one")
        if name in names:
            by_author.setdefault(author, []).append(name)
            names.remove(name)
    if names:
        entries.left_out.append(f"{place}: no author of {words.every(sorted(names))}")
    most = keys.ranked_per_author or len(entries.bots)
    mus = ratings() if keys.ranked_choice == "best" else {}
    for bots in by_author.values():
        bots.sort(key=lambda bot: mus.get(bot, -inf), reverse=True)  # stable
    return tuple(
        NotRanked(bot, "guest", FURTHER) for bots in by_author.values() for bot in bots[most:]
    )


def find_not_ranked(
    entries: Entries, unranked: Iterable[UnrankedKeys], guests: Collection[str]
) -> tuple[NotRanked, ...]:
    """The bots without a place: those of the config, and others with a guest's hash or text."""
    not_ranked = {
        bot.name: NotRanked(bot.name, "guest")
        for bot in (entries.bots if guests else ())
        if bot.hash in guests or hash_text(entries.sources[bot.name]) in guests
    }
    not_ranked |= {
        row.bot: NotRanked(row.bot, "unranked", row.reason, str(row.until or ""))
        for row in unranked
    }
    return tuple(sorted(not_ranked.values()))
