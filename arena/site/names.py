"""Names of the site's files. Pure."""

import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[^a-z0-9_]+")
LONGEST = 60  # characters of a slug


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return by name a word that is safe in a file's name and an address, unique among these.

    Small ASCII letters, digits, `_` and `-` alone: no two differ by case, which some disks ignore.
    """
    out: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names)):
        word = _UNSAFE.sub("-", name.lower()).strip("-")[:LONGEST] or "unnamed"
        slug, number = word, 2
        while slug in taken:
            slug, number = f"{word}-{number}", number + 1
        taken.add(slug)
        out[name] = slug
    return out


def bot_page(slug: str) -> str:
    """Return the file of a bot's page."""
    return f"bot-{slug}.html"


def game_page(game: str) -> str:
    """Return the file of a game's page; games are named as modules are."""
    return f"game-{game}.html"


def games_page(number: int = 1) -> str:
    """Return the file of a list of games to watch, of the pages' numbers from 1."""
    return "games.html" if number == 1 else f"games-{number}.html"


def watch_page(number: int = 1) -> str:
    """Return the file of the viewer of such a list."""
    return "watch.html" if number == 1 else f"watch-{number}.html"
