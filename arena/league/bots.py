"""The league's folder: which of its files are bots, and their names.

A bot is a Python file, or a folder with a `bot.py`. `arena.league.files` reads them.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import chain, count
from pathlib import Path, PurePosixPath
from stat import S_ISDIR
from typing import NamedTuple
from unicodedata import combining, normalize

from arena.errors import UsageError
from arena.system.folders import read_ordinary_file
from arena.words import GERMAN, either, nearest

BOTS = "bots"
ENTRY_FILE = "bot.py"
NAME = re.compile(r"[a-z0-9_-]{1,32}")
NAME_RULE = "a bot's name is 1 to 32 characters from a-z, 0-9, _ and -"
NO_BOT = ("_", ".", "test_")  # names that start so are no bots
WILD = re.compile(r"[*?\[]")
MARKS = ("pyvenv.cfg", "conda-meta/history")  # of environments of packages
MACHINERY = re.compile(  # in a path: what is hidden, or made by tools and systems
    r"(^|/)(\.|(__pycache__|__MACOSX|node_modules|Thumbs\.db|desktop\.ini)(/|\Z))|\.egg-info/|\.pyc\Z"
)
SEEN = "[!._]*"  # a pattern of names that are not hidden
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".tgz", ".gz", ".bz2", ".xz")
MOST_BYTES = 1 << 16  # of a file, to guess what it is
DEFINES = re.compile(rb"^[ \t]*(def decide(_many)?|class Bot)\b", re.MULTILINE)
_ENDINGS = re.compile(r"(\.(py|tar))?\.[^.]*$", re.IGNORECASE)
Note = Callable[[str], None]  # takes a line for the user


class BotPath(NamedTuple):
    """A bot in the league's folder."""

    name: str
    path: Path  # its file, or its folder


def find_league(start: Path, prefix: str = "") -> Path:
    """Find the nearest folder, from `start` upwards, that holds `bots/`. Raises UsageError, its
    message begun with `prefix`.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        try:
            if S_ISDIR((folder / BOTS).stat().st_mode):  # as in `_is_there`
                return folder
        except PermissionError as error:
            raise UsageError(f"{prefix}{folder / BOTS}: {_cannot_be_read(error)}") from None
        except OSError:
            continue
    raise UsageError(
        f"{prefix}no folder '{BOTS}' in {start} or any folder above it; make one with "
        f"a bot in it, or start a league with `arena init`"
    )


def check_glob(pattern: str) -> str | None:
    """The problem of a glob of bots, or None."""
    path = PurePosixPath(pattern.removeprefix("!"))
    if not path.parts:
        return f"found {pattern!r}; expected a path such as 'bots/*'"
    if path.is_absolute() or ".." in path.parts:
        return f"found {pattern!r}; expected a path inside the league's folder, such as 'bots/*'"
    if any("**" in part and part != "**" for part in path.parts):
        return f"found {pattern!r}; write '**' alone between two slashes"
    return None


def as_glob(given: str) -> str:
    """A glob as commands take it: `n*` means `bots/n*`. What has no wild card stays as it is."""
    return f"{BOTS}/{given}" if WILD.search(given) and not {"!", "/"} & {*given} else given


def find_bots(
    folder: Path, globs: Sequence[str], places: Sequence[str] = (), note: Note = lambda line: None
) -> list[BotPath]:
    """Find the bots that the globs name, by name; a leading `!` takes bots out again, in order. A
    glob that matches nothing may name a bot, as in `find_bot`.

    What a wild card finds that is no bot, and was most likely meant as one, is left out: `note`
    takes a line on each, with the remedy. Raises UsageError, with all problems at once: a glob that
    finds no bot or takes none out, a path without wild card that is no bot's, a folder that cannot
    be read. A problem of a glob begins with its place, if `places` are given. Two bots may have one
    name: `arena.league.entries` decides.
    """
    problems: list[str] = []
    bots: dict[Path, BotPath] = {}
    seen = set[Path]()  # by wild cards
    places = places or [""] * len(globs)
    for pattern, place in zip(globs, places, strict=True):
        wrong = check_glob(pattern)
        named = PurePosixPath(pattern.removeprefix("!"))
        try:
            unusable = [wrong] if wrong else list(_find_unreadable(folder, named.parts))
            paths = [] if unusable else sorted(folder.glob(str(named)))
            if not WILD.search(named.name):  # from Python 3.12 on, glob finds links to nowhere
                paths = [path for path in paths if _is_there(path)]
            if not unusable and not paths:
                paths = _find_by_name(folder, named)
        except RecursionError:
            unusable = [f"{folder / pattern}: folders are nested too deeply; remove some"]
        if unusable:
            problems += [f"{place}{problem}" for problem in unusable]
            continue
        if pattern.startswith("!"):
            if not bots.keys() & set(paths):
                problems.append(f"{place}{_explain_idle_exclusion(folder, pattern, list(bots))}")
            for path in paths:
                bots.pop(path, None)
                seen.discard(path)
            continue
        wild = WILD.search(pattern)
        refused = {path: why for path in paths if (why := _no_bot(path) or _check_name(path))}
        bots |= {path: BotPath(_stem(path), path) for path in paths if path not in refused}
        seen.update(paths if wild else ())
        if refused and not wild:
            problems += [f"{place}{path}: {why}" for path, why in refused.items()]
        elif len(refused) == len(paths):
            problems.append(f"{place}{_explain_no_match(folder, pattern)}")
            problems += [
                f"{place}{path}: skipped: {why}" for path in paths if (why := _explain(path))
            ]
    if not bots and not problems:
        listed = ", ".join(map(repr, globs))
        problems.append(f"{places[-1]}{folder}: the patterns {listed} leave no bot; exclude fewer")
    raise_problems(problems)
    for path in sorted(seen.difference(*(path.parents for path in bots))):
        if why := _explain(path):
            note(f"{path}: skipped: {why}")
    return sorted(bots.values())


def _find_by_name(folder: Path, named: PurePosixPath) -> list[Path]:
    """The bot, if any, that a path without `.py`, or a name, stands for, as in every command."""
    places = [folder / f"{named}.py", *_in_bots(folder, str(named))]
    return [place for place in places if _is_there(place)][:1]


def _in_bots(folder: Path, name: str) -> list[Path]:
    """The places where the league's bot of that name can be; none if no bot can have that name."""
    bots = folder / BOTS
    return [bots / f"{name}.py", bots / name] if NAME.fullmatch(name) else []


def find_bot(folder: Path, given: str) -> BotPath:
    """Find one bot: of the league's by its name, or any by its path. Raises UsageError."""
    places = _in_bots(folder, given)
    if places:
        raise_problems([*_find_unreadable(folder, (BOTS, "*"))])
    path = next((path for path in places if not _no_bot(path) and path.exists()), Path(given))
    if not _is_there(path):
        inside = {path: _explain(path) for path in (folder / BOTS).glob("*")}
        names = {
            _stem(path).lower(): path for path, why in inside.items() if why or not _no_bot(path)
        }
        near = nearest(given.lower(), names)
        hint = f"did you mean {near}?" if near else "name a bot, or its path"
        if near and (wrong := inside[names[near]]):
            hint = f"{names[near].name}: {wrong}"
        raise UsageError(f"{given}: no bot of that name in {folder / BOTS}, and no file; {hint}")
    if problem := _no_bot(path) or _check_name(path):
        raise UsageError(f"{path}: {problem}")
    return BotPath(_stem(path), path)


def is_part(entry: os.DirEntry[str], within: int | None) -> bool:
    """True if an entry of a bot's folder, open as `within`, is part of the bot."""
    marks, end = (MARKS, "/") if entry.is_dir(follow_symlinks=False) else ((), "")
    return not MACHINERY.search(f"{entry.name}{end}") and not any(
        os.access(f"{entry.path}/{mark}", os.F_OK, dir_fd=within) for mark in marks
    )


def find_parts(paths: Collection[str]) -> set[str]:
    """Find, of all files in a bot's folder, those that are part of it, as `is_part` does."""
    roots = tuple(path[: -len(end)] for end in MARKS for path in paths if path.endswith(f"/{end}"))
    return {path for path in paths if not (path.startswith(roots) or MACHINERY.search(path))}


def find_twins(bot: BotPath) -> list[Path]:
    """The other bots beside this one that have its name: `ann/` beside `ann.py`."""
    places = (bot.path.parent / bot.name, bot.path.parent / f"{bot.name}.py")
    return [
        place
        for place in places
        if place.name != bot.path.name and _is_there(place) and not _no_bot(place)
    ]


def raise_problems(problems: Sequence[str]) -> None:
    """Raise UsageError with the problems, one a line, if there are any."""
    if problems:
        raise UsageError(*problems)


def _stem(path: Path) -> str:
    return path.name if os.path.isdir(path) else path.stem


def _no_bot(path: Path) -> str | None:
    """The reason why a path is no bot's, or None; the rest of its name is checked later."""
    if path.name.startswith(NO_BOT):
        return f"not a bot: its name starts with {either(NO_BOT)}; rename it"
    if os.path.isdir(path):  # Path.is_dir() raises for some links
        try:
            (path / ENTRY_FILE).lstat()
        except FileNotFoundError:
            hint = f"the folder has no {ENTRY_FILE}; put the bot there under that name"
            return f"not a bot: {_guess_meaning(path) or hint}"
        except OSError:
            pass  # `read_bot` refuses it, as it does a link to nowhere
        return None
    if path.suffix.lower() == ".py":
        return None
    hint = f"the file does not end in .py; name one that does, or a folder with {ENTRY_FILE}"
    return f"not a bot: {_guess_meaning(path) or hint}"


def _guess_meaning(path: Path) -> str:
    """Guess what a path that is no bot's was meant as, with a remedy; "" without a guess."""
    if os.path.isdir(path):
        inside = sorted(file for file in path.glob("*") if not file.name.startswith(NO_BOT))
        python = [file.name for file in inside if file.suffix == ".py"]
        deeper = [*path.glob(f"{SEEN}/{ENTRY_FILE}"), *path.glob(f"{SEEN}/{SEEN}/{ENTRY_FILE}")]
        files = ((file.name, _guess_meaning(file)) for file in inside if not os.path.isdir(file))
        told = (f"{name}: {what}" for name, what in files if what)
        hint = next(told, "" if inside else "put the bot there under that name")
        if len(deeper) == 1 and path.name != BOTS:
            hint = f"move what is in {deeper[0].parent.relative_to(path.parent)} up to {path.name}"
        elif python and path.name != BOTS:
            likely = python[0] if len(python) == 1 else "the bot's file"
            hint = f"rename {'main.py' if 'main.py' in python else likely} to {ENTRY_FILE}"
        return hint and f"the folder has no {ENTRY_FILE}; {hint}"
    kind, right = path.suffix.lower(), suggest_name(_ENDINGS.sub("", path.name))
    places = path.with_name(f"{right}.py"), path.with_name(right) / ENTRY_FILE
    if any(map(os.path.exists, places)):  # then this is where that bot came from
        return ""
    if kind == ".ipynb":
        return "a notebook; convert it with `jupyter nbconvert --to script`"
    if kind in ARCHIVES:
        return f"an archive; unpack it to {right}.py, or to {right}/ with {ENTRY_FILE} in it"
    if path.is_symlink() and not os.path.exists(path):
        return "a link to a missing file or folder; replace it with the bot itself"
    with suppress(OSError):
        if kind not in (".md", ".rst") and DEFINES.search(read_ordinary_file(path, MOST_BYTES)):
            return f"the file does not end in .py; rename it to {right}.py"
    return ""


def _is_there(path: Path) -> bool:
    """True if there is such a file or folder. Raises UsageError where that cannot be seen; from
    Python 3.14 on, `Path.exists` says no there.
    """
    try:
        path.stat()
    except PermissionError as error:
        raise UsageError(f"{path}: {_cannot_be_read(error)}") from None
    except (OSError, ValueError):
        return False
    return True


def _find_unreadable(folder: Path, parts: Sequence[str]) -> Iterator[str]:
    """Yield folders on a glob's way that cannot be read, and why: `Path.glob` skips them."""
    first, wild = parts[0], WILD.search(parts[0])
    try:
        os.stat(f"{folder}/.")  # it takes the right to search: a list of names is not enough
        inner = list(os.scandir(folder)) if wild else []
    except PermissionError as error:
        yield f"{folder}: {_cannot_be_read(error)}"
        return
    except OSError:  # no folder: then the glob finds nothing in it
        return
    anywhere = first == "**"
    deeper = parts if anywhere else parts[1:]
    if deeper and not wild:
        yield from _find_unreadable(folder / first, deeper)
    for entry in inner if deeper else ():
        if entry.is_dir(follow_symlinks=not anywhere) and fnmatchcase(entry.name, first):
            yield from _find_unreadable(Path(entry.path), deeper)


def _cannot_be_read(error: OSError) -> str:
    return f"cannot be read ({error.strerror}); change its permissions"


def _explain_no_match(folder: Path, pattern: str) -> str:
    if WILD.search(pattern):
        return f"{folder}: '{pattern}' matches no bot; put a file with `def decide(view)` there"
    return f"{folder / pattern}: no such file; 'bots/*' includes all bots"


def _explain_idle_exclusion(folder: Path, pattern: str, bots: Sequence[Path]) -> str:
    names = [path.relative_to(folder).as_posix() for path in bots]
    near = nearest(pattern.removeprefix("!"), names)
    hint = f"did you mean '!{near}'?" if near else "remove it from the list"
    return f"'{pattern}' excludes no bot; {hint}"


def _check_name(path: Path) -> str | None:
    name, end = _stem(path), "" if os.path.isdir(path) else path.suffix.removesuffix(".py")
    wrong = f"the ending {end!r}, not .py" if end else f"the name {name!r}; {NAME_RULE}"
    if not end and NAME.fullmatch(name):
        return None
    right, others = suggest_name(name), (other for other in path.parent.glob("*") if other != path)
    taken = {_stem(other) for other in others}
    numbered = chain([right], (f"{right[:29]}_{n}" for n in count(2)))
    free = next(name for name in numbered if name not in taken)
    return f"found {wrong}; rename it to {free}{'' if os.path.isdir(path) else '.py'}"


def suggest_name(name: str) -> str:
    """The allowed name that is nearest to one that is not."""
    stem = normalize("NFC", name.rpartition("/")[2]).removesuffix(".py").lower().translate(GERMAN)
    plain = "".join(char for char in normalize("NFKD", stem) if not combining(char))
    right = re.sub(r"[^a-z0-9-]+", "_", plain).strip("_")
    while right.startswith(NO_BOT):
        right = right.removeprefix("test_").strip("_")
    return right[:32] or "bot"


def _explain(path: Path) -> str | None:
    """Explain why what was meant as a bot is none, with a remedy; "" or None for the rest."""
    if path.name.startswith(NO_BOT):
        return None
    return _guess_meaning(path) if _no_bot(path) else _check_name(path)


HOUSE_BOTS = {
    "adder": "8a9d7c78067221c35a18d5e9be7ec4defcc75f95e0895a96bb94c2c347c607a4",
    "almanac": "2068c24923eaa80ce6d82c8ebd26eb28b018465c21f8a6ebe534f58ad6f3b5d6",
    "arrays": "e0c586b802f7cf575d7ac79ac99fffc7a745dc2e1c040bc8ac2eaf9ef72eb2f5",
    "champion": "add5b4198cb41f07299072ae27ba3240381830a93d37dc21e09d29bd62bb0c93",
    "first_legal": "6f6627d8b17e54fecd8fba1f288ba9729b5d7368ab977cc1d6afebd5649b22c0",
    "haggler": "34a1ac8f0b5e771a82047712ba4b78c9132b8bcd7bb153a27962caa35328817a",
    "ledger": "9a8cead3707d5aa08fdb23c8dc3637ceb3a22936be31366e5ffbbed6afa62a97",
    "novice": "b570c57a186429f6d5a5a50a32c00c3742c549116ad2691ec64d099c309422ab",
    "random_choice": "2da7880e724d5235b97d3b4652d82eb3d58627a365dee73d80b29a6d0ffb4a73",
}
"""The house bots' names, with the hashes of their files (`arena.league.files.hash_source`). A
clone's `bots/` may hold its owner's beside them, and a pull request may change one of them there.
"""

_PACKAGE = Path(__file__).parents[1]


def find_house(package: Path = _PACKAGE) -> Path:
    """Find the folder of the house bots, and of the page for bots' authors."""
    installed = package / "house"
    return installed if installed.is_dir() else package.parent / BOTS


def find_house_bots(package: Path = _PACKAGE) -> list[BotPath]:
    """Find the house bots that came with arena, by name. Raises UsageError where one is missing."""
    folder = find_house(package)
    return [
        find_bot(folder, str(path if (path := folder / f"{name}.py").exists() else folder / name))
        for name in HOUSE_BOTS
    ]
