"""New bots and leagues: what `arena new` and `arena init` write, from the texts in `templates/`.

Of a bot these are the part of each kind, the part common to all kinds, and the test. House bots are
copied into a new league, so that all its bots lie in one folder, to be read, changed and left out
alike.
"""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from keyword import iskeyword
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from arena.errors import UsageError
from arena.league.bots import (
    BOTS,
    ENTRY_FILE,
    NAME,
    NAME_RULE,
    NO_BOT,
    find_house_bots,
    suggest_name,
)
from arena.league.files import Source, hash_text, read_bot
from arena.plan.keys import FileKeys
from arena.system.folders import write_tree
from arena.typed_json import schema_of
from arena.words import amount, either, spell

BotKind = Literal["decide", "class", "numpy", "folder"]

TEMPLATES = Path(__file__).parent / "templates"
DATA = "shares.csv"  # in a bot's folder
IMPORTED = sys.stdlib_module_names | {"arena", "games", "numpy"}  # imported by bots
PLACES = {
    "README.md": "README.md",
    "AGENTS.md": "AGENTS.md",
    "first.toml": "tournaments/first.toml",
    "arena.yml": ".github/workflows/arena.yml",
    "devcontainer.json": ".devcontainer/devcontainer.json",
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
}
"""Places of the texts in a league, by their files in `templates/league/`."""

STARTER = "mine"  # the new league's own bot
UNKNOWN = "OWNER/arena@COMMIT"  # for the organiser to fill in


def write_bot(league: Path, name: str, kind: BotKind) -> list[Path]:
    """Write a bot and its test into the `bots/` of a league's folder; return both paths.

    Raises UsageError for a name that no bot may have, and where such a file exists already.
    """
    wrong = name_problem(name)
    if wrong:
        raise UsageError(f"{name}: {wrong}")
    file, folder, test = (league / BOTS / path for path in (f"{name}.py", name, f"test_{name}.py"))
    for path in (file, folder, test):
        if path.exists():
            raise UsageError(f"{path}: exists already; choose another name, or remove it")
    write_tree(league / BOTS, bot_files(name, kind))
    return [folder if kind == "folder" else file, test]


def bot_files(name: str, kind: BotKind) -> dict[str, bytes]:
    """The files of a new bot and its test, by path in `bots/`."""
    bot = _text(f"bots/{kind}.py.in") + _text("bots/rest.py.in")
    path = name if kind == "folder" else f"{name}.py"
    test = _text("bots/test.py.in").replace("@NAME@", name).replace("@FILE@", path)
    texts = {f"test_{name}.py": test}  # no bot's name may start with `test_`
    if kind == "folder":
        texts |= {f"{name}/{ENTRY_FILE}": bot, f"{name}/{DATA}": _text(f"bots/{DATA}")}
    else:
        texts[path] = bot
    return {file: text.encode() for file, text in texts.items()}


def find_unchanged() -> set[str]:
    """The hashes, as texts, of the installed house bots and of new bots without a change."""
    sources = [read_bot(bot) for bot in find_house_bots()]
    for kind in get_args(BotKind):
        files = bot_files("bot", kind).items()  # bot.py, as a single file's name is in its hash
        parts = ((path.removeprefix("bot/"), text) for path, text in files if path != "test_bot.py")
        sources.append(Source(tuple(sorted(parts))))
    return {*map(hash_text, sources)}


def name_problem(name: str) -> str | None:
    """Explain why a new bot may not have this name, and suggest another; None if it may."""
    if name.startswith(NO_BOT):
        why = f"a bot's name cannot start with {either(NO_BOT)}"
    elif not NAME.fullmatch(name):
        why = NAME_RULE
    elif not name.isidentifier() or iskeyword(name):
        why = "Python cannot import a file with that name"
    elif name in IMPORTED:
        why = f"other bots' `import {name}` would find it"
    else:
        return None
    free = suggest_name(name.replace("-", "_"))
    if free[0].isdigit():
        free = f"bot_{free[:28]}"
    if iskeyword(free) or free in IMPORTED:
        free = f"{free[:28]}_bot"
    return f"{why}; choose {free!r}"


def write_league(folder: Path) -> str | None:
    """Write a new league into a folder that is new or empty, but for `.git`.

    Returns the publisher of the action in its workflow, as `owner/repository@commit`; None if that
    is unknown. Raises UsageError where something is in the way; then nothing was written.
    """
    in_the_way = _find_obstacle(folder)
    if in_the_way:
        raise UsageError(f"{folder}: {in_the_way}; name a new or empty folder")
    action = _published_action()
    files = _league_files(action or UNKNOWN)
    if folder.exists():
        write_tree(folder, files)
        return action
    new_parents = [parent for parent in folder.parents if not parent.exists()]  # innermost first
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:  # the folder is moved there whole, so that a kill leaves no half of it
        write_tree(folder.parent, {f"{folder.name}/{name}": text for name, text in files.items()})
    except BaseException as error:
        for parent in new_parents:
            parent.rmdir()
        if isinstance(error, OSError):
            error.filename = str(folder)
        raise
    return action


def _league_files(action: str) -> dict[str, bytes]:
    files = {
        place: _text(f"league/{name}").replace("@ACTION@", action).encode()
        for name, place in PLACES.items()
    }
    files["tournaments/config.schema.json"] = schema_of(FileKeys).encode()
    for path, content in bot_files(STARTER, "decide").items():
        files[f"{BOTS}/{path}"] = content
    for bot in find_house_bots():
        for file in bot.path.rglob("*") if bot.path.is_dir() else [bot.path]:
            if file.is_file() and "__pycache__" not in file.parts:
                path = file.relative_to(bot.path.parent).as_posix()
                files[f"{BOTS}/{path}"] = file.read_bytes()
    return files


def _published_action() -> str | None:
    """The GitHub repository that this arena was installed from, which publishes the action too, as
    `owner/repository@commit`.

    None unless pip installed it from one on GitHub.
    """
    try:
        text = distribution("botarena").read_text("direct_url.json")  # PEP 610
    except PackageNotFoundError:
        return None
    origin = json.loads(text or "{}")
    url, commit = urlsplit(origin.get("url", "")), origin.get("vcs_info", {}).get("commit_id")
    if url.hostname != "github.com" or not commit:
        return None
    return f"{url.path.strip('/').removesuffix('.git')}@{commit}"


def _find_obstacle(folder: Path) -> str:
    if not folder.exists():
        above = next(parent for parent in folder.absolute().parents if parent.exists())
        return "" if above.is_dir() else f"{above} is not a folder"
    if not folder.is_dir():
        return "exists already and is not a folder"
    names = sorted(path.name for path in folder.iterdir() if path.name != ".git")
    if not names:
        return ""
    more = f" and {amount(len(names) - 1, 'item')} more" if names[1:] else ""
    return f"is not empty: it contains {spell(names[0])}{more}"


def _text(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
