"""The Markdown pages that come with arena: the rules of games, and the page for bots' authors."""

import re
from pathlib import Path

import games
from arena.errors import ArenaError, UsageError
from arena.league.bots import house_folder
from arena.words import not_one_of


def rules_of(game: str) -> str:
    """Return the page of a game's rules. Raises UsageError if there is no such game."""
    if game not in games.names():
        raise UsageError(f"GAME: {not_one_of(game, games.names())}")
    return _read(Path(*games.__path__) / f"{game}.md")


def page_for_bots() -> str:
    """Return `bots/README.md`: of a clone, or as it came with an installed package."""
    return _read(house_folder() / "README.md")


def sections(page: str) -> dict[str, str]:
    """Return the sections of second level by their headings, each with its heading."""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    return {
        part.partition("\n")[0].removeprefix("## "): part for part in parts if part[:3] == "## "
    }


def deeper(page: str) -> str:
    """Return a page with all its headings a level deeper, so that it can stand in another one."""
    in_code, lines = False, []
    for line in page.splitlines():
        in_code ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not in_code else line)
    return "\n".join(lines)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise ArenaError(f"{file}: {error.strerror}; install arena again") from None
