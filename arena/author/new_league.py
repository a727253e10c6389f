"""A new league: what `arena init` writes, from the texts in `templates/league/` and the house bots.

House bots are copied, so that all bots of a league lie in one folder, to be read, changed and left
out alike.
"""

import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit

from arena.author import new_bot
from arena.errors import UsageError
from arena.league.bots import BOTS, BotPath, find_house_bots
from arena.system import write_tree
from arena.words import amount, shown

TEMPLATES = Path(__file__).parent / "templates" / "league"
PLACES = {
    "README.md": "README.md",
    "AGENTS.md": "AGENTS.md",
    "first.toml": "tournaments/first.toml",
    "arena.yml": ".github/workflows/arena.yml",
    "gitignore": ".gitignore",
}
"""Where each text goes, by its file in `templates/league/`."""

STARTER = "mine"  # the new league's own bot
UNKNOWN = "OWNER/arena@COMMIT"  # for the organiser to fill in
MAY_BE_THERE = {".git"}


def begin(folder: Path) -> str | None:
    """Write a new league into a folder that is new or empty, but for `.git`.

    Returns the publisher of the action in its workflow, as `owner/repository@commit`; None if that
    is unknown. Raises UsageError where something is in the way; then nothing was written.
    """
    in_the_way = _in_the_way(folder)
    if in_the_way:
        raise UsageError(f"{folder}: {in_the_way}")
    action = published_action()
    contents = files(action or UNKNOWN)
    if folder.exists():
        write_tree(folder, contents)
        return action
    made = [each for each in folder.parents if not each.exists()]  # innermost first
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:  # the folder is moved there whole, so that a kill leaves no half of it
        write_tree(
            folder.parent, {f"{folder.name}/{name}": text for name, text in contents.items()}
        )
    except BaseException as error:
        for each in made:
            each.rmdir()
        if isinstance(error, OSError):
            error.filename = str(folder)
        raise
    return action


def files(action: str) -> dict[str, bytes]:
    """The files of a new league, by path."""
    texts = {
        place: (TEMPLATES / name).read_text("utf-8").replace("@ACTION@", action).encode()
        for name, place in PLACES.items()
    }
    bots = {name: content for bot in find_house_bots() for name, content in _files_of(bot)}
    bots |= new_bot.files(STARTER, "decide")
    return texts | {f"{BOTS}/{name}": content for name, content in bots.items()}


def published_action() -> str | None:
    """The GitHub repository that this arena was installed from, which publishes the action too, as
    `owner/repository@commit`.

    None unless pip installed it from one on GitHub.
    """
    try:
        text = distribution("arena").read_text("direct_url.json")  # PEP 610
    except PackageNotFoundError:
        return None
    origin = json.loads(text or "{}")
    url, commit = urlsplit(origin.get("url", "")), origin.get("vcs_info", {}).get("commit_id")
    if url.hostname != "github.com" or not commit:
        return None
    return f"{url.path.strip('/').removesuffix('.git')}@{commit}"


def _files_of(bot: BotPath) -> Iterator[tuple[str, bytes]]:
    """A bot's files, by path in `bots/`."""
    inside = sorted(bot.path.rglob("*")) if bot.path.is_dir() else [bot.path]
    for file in inside:
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(bot.path.parent).as_posix(), file.read_bytes()


def _in_the_way(folder: Path) -> str | None:
    """What keeps a league from being written there, with the remedy; None if nothing does."""
    remedy = "name a new folder, or an empty one"
    if not folder.exists():
        above = next(each for each in folder.absolute().parents if each.exists())
        return None if above.is_dir() else f"{above} is no folder; {remedy}"
    if not folder.is_dir():
        return f"is there already, and no folder; {remedy}"
    names = sorted(each.name for each in folder.iterdir() if each.name not in MAY_BE_THERE)
    if not names:
        return None
    more = f" and {amount(len(names) - 1, 'thing')} more" if names[1:] else ""
    return f"is not empty, it holds {shown(names[0])}{more}; {remedy}"
