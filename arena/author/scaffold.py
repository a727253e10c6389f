"""New bots and leagues: what `arena new` and `arena init` write, from the texts in `templates/`.

Of a bot these are the part of each kind, the part common to all kinds, and the test. House bots are
copied into a new league, so that all its bots lie in one folder, to be read, changed and left out
alike.
"""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from keyword import iskeyword
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from arena.errors import UsageError
from arena.league.bots import (
    BOTS,
    ENTRY_FILE,
    NAME,
    NAME_RULE,
    NO_BOT,
    BotPath,
    find_house_bots,
    suggest_name,
)
from arena.system import write_tree
from arena.words import amount, either, shown

Kind = Literal["decide", "class", "numpy", "folder"]

BOT_TEMPLATES = Path(__file__).parent / "templates" / "bots"
DATA = "shares.csv"  # in a bot's folder
IMPORTED = sys.stdlib_module_names | {"arena", "games", "numpy"}  # imported by bots


def write_bot(league: Path, name: str, kind: Kind) -> list[Path]:
    """Write a bot and its test into the `bots/` of a league's folder; return both paths.

    Raises UsageError for a name that no bot may have, and where such a file exists already.
    """
    wrong = name_problem(name)
    if wrong:
        raise UsageError(f"{name}: {wrong}")
    bots = league / BOTS
    for file in (f"{name}.py", name, test_of(name)):
        if (bots / file).exists():
            raise UsageError(f"{bots / file}: is there already; take another name, or remove it")
    write_tree(bots, bot_files(name, kind))
    return [bots / (name if kind == "folder" else f"{name}.py"), bots / test_of(name)]


def bot_files(name: str, kind: Kind) -> dict[str, bytes]:
    """The files of a new bot and its test, by path in `bots/`."""
    path = name if kind == "folder" else f"{name}.py"
    bot = _text(f"{kind}.py.in") + _text("rest.py.in")
    test = _text("test.py.in").replace("@NAME@", name).replace("@FILE@", path)
    tests = {test_of(name): test.encode()}
    if kind != "folder":
        return {path: bot.encode(), **tests}
    data = (BOT_TEMPLATES / DATA).read_bytes()
    return {f"{path}/{ENTRY_FILE}": bot.encode(), f"{path}/{DATA}": data, **tests}


def test_of(name: str) -> str:
    """The file name of a bot's test; no bot's name may start with `test_`."""
    return f"test_{name}.py"


def name_problem(name: str) -> str | None:
    """Why a new bot may not have this name, with a name that it may have; None if it may."""
    why = ""
    if name.startswith(NO_BOT):
        why = f"no bot's name starts with {either(NO_BOT)}"
    elif not NAME.fullmatch(name):
        why = NAME_RULE
    elif not name.isidentifier() or iskeyword(name):
        why = "Python cannot import a file of that name"
    elif name in IMPORTED:
        why = f"an `import {name}` of the bots beside it would find it"
    return f"{why}; take {_free_name(name)!r}" if why else None


def _free_name(name: str) -> str:
    """The nearest name that a new bot may have."""
    right = suggest_name(name.replace("-", "_"))
    if right[0].isdigit():
        right = f"bot_{right[:28]}"
    return f"{right[:28]}_bot" if iskeyword(right) or right in IMPORTED else right


def _text(name: str) -> str:
    return (BOT_TEMPLATES / name).read_text("utf-8")


LEAGUE_TEMPLATES = Path(__file__).parent / "templates" / "league"
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


def write_league(folder: Path) -> str | None:
    """Write a new league into a folder that is new or empty, but for `.git`.

    Returns the publisher of the action in its workflow, as `owner/repository@commit`; None if that
    is unknown. Raises UsageError where something is in the way; then nothing was written.
    """
    in_the_way = _in_the_way(folder)
    if in_the_way:
        raise UsageError(f"{folder}: {in_the_way}")
    action = published_action()
    contents = league_files(action or UNKNOWN)
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


def league_files(action: str) -> dict[str, bytes]:
    """The files of a new league, by path."""
    texts = {
        place: (LEAGUE_TEMPLATES / name).read_text("utf-8").replace("@ACTION@", action).encode()
        for name, place in PLACES.items()
    }
    bots = {name: content for bot in find_house_bots() for name, content in _files_of(bot)}
    bots |= bot_files(STARTER, "decide")
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
