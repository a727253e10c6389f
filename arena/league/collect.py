"""Bots out of a class's hand-ins, as learning platforms give them to a teacher: nothing of them is
run, and whatever is not taken is said.

The platforms' names of files (November 2026, from their documentation, source and users' scripts):
Moodle's `NAME_ID_assignsubmission_file_`, a folder a pupil or the beginning of a file's name;
ILIAS's folders `LASTNAME_FIRSTNAME_LOGIN_ID`, within those of teams; Canvas's files
`lastnamefirstname_[LATE_]ID_ID_NAME`; a clone a pupil in a folder `ASSIGNMENT-LOGIN`, as GitHub
Classroom's `gh classroom clone` makes them. Else each folder or file at the top is a pupil's.
"""

import io
import lzma
import os
import re
import stat
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple
from unicodedata import normalize

from arena.errors import UsageError
from arena.league.author import read_authors
from arena.league.bots import (
    DEFINES,
    ENTRY_FILE,
    HOUSE_BOTS,
    MACHINERY,
    MOST_BYTES,
    NO_BOT,
    find_parts,
    suggest_name,
)
from arena.league.files import MAX_FILES, MAX_MIB, MAX_PATH
from arena.system.folders import open_inside

MOST_MIB = 1024  # of all hand-ins together, unpacked
MOST_ENTRIES = 20 * MAX_FILES

_SHAPES = (
    re.compile(r"(?P<pupil>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_(?P<rest>.*)"),
    re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<id>.+)_\d+"),
    re.compile(r"(?P<pupil>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)"),
)
"""Folders and files of Moodle, ILIAS and Canvas."""

_ATTEMPT = re.compile(r"(?P<stem>.*?)(?: ?\((?P<n>\d+)\)|-(?P<m>\d{1,2}))?")
_LATIN = re.compile(r"[A-Za-z0-9]")
_ARCHIVE = ".zip"
_PAPERS = (".pdf", ".doc", ".docx", ".odt", ".ipynb", ".html", ".png", ".jpg", ".jpeg", ".md")

Files = dict[str, bytes]  # by path with /

_UNREADABLE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError,
    zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""Exceptions of reading a stranger's archive."""


class HandIn(NamedTuple):
    """A pupil's hand-in: the bot in it, and what else."""

    pupil: str
    id: str  # the platform's, "" where it gives none
    bot: Files  # a single file is `bot.py`; empty where there is none
    notes: list[str]  # what was left out, and why


def read_handins(given: Path) -> tuple[list[HandIn], list[str]]:
    """Read the hand-ins of a zip, of a folder, or of a CSV file with the columns `pupil` and `bot`
    (paths from its folder), by pupil; and what belongs to none, and why. Raises UsageError where
    nothing can be read.
    """
    left: list[str] = []
    if given.is_dir():
        files = _read_folder(given, left)
    elif zipfile.is_zipfile(given):
        files = _read_zip(given.read_bytes(), str(given), left, MOST_MIB)
    elif given.suffix.lower() == ".csv" and given.is_file():
        return [_find_bot(*row, []) for row in _read_rows(given)], left
    else:
        raise UsageError(f"{given}: expected a zip, a folder, or a CSV file (pupil,bot)")
    by_pupil = _by_pupil(files, left)
    if not by_pupil:
        raise UsageError(f"{given}: no hand-in in it", *left)
    named = Counter(pupil for pupil, _ in by_pupil)
    return [
        _find_bot(pupil if named[pupil] == 1 else f"{pupil} ({id})", id, files, [])
        for (pupil, id), files in sorted(by_pupil.items())
    ], left


def _read_rows(given: Path) -> Iterator[tuple[str, str, Files]]:
    """Yield each pupil of a CSV file, without an id, with the files of the path beside him."""
    for pupil, bot in read_authors(given):
        path = given.parent / bot
        if not (bot and path.exists()):
            raise UsageError(f"{given}: {pupil}: {path}: no such file or folder")
        files = _read_folder(path, []) if path.is_dir() else {path.name: path.read_bytes()}
        yield pupil, "", files


def _read_folder(folder: Path, left: list[str]) -> Files:
    places = []
    for place, inner, names in os.walk(folder):
        links = [name for name in inner if os.path.islink(os.path.join(place, name))]
        places += [Path(place, name).relative_to(folder).as_posix() for name in names + links]
        inner[:] = [name for name in inner if not MACHINERY.search(f"{name}/")]
    entries = [(place, partial(open_inside, folder, place)) for place in sorted(places)]
    return _read_all(entries, str(folder), left, MOST_MIB)


def _read_zip(packed: bytes, place: str, left: list[str], most_mib: int) -> Files:
    """Read a stranger's archive, or raise UsageError where it is none."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(packed))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UsageError(f"{place}: no zip that can be read ({error})") from None
    if min((entry.header_offset for entry in archive.infolist()), default=0):
        raise UsageError(f"{place}: part of a zip is missing; download it again")
    entries = []
    for entry in archive.infolist():
        if problem := _find_problem(entry):
            left.append(f"{entry.filename[:MAX_PATH]}: {problem}")
        elif not entry.is_dir():
            entries.append((entry.filename.replace("\\", "/"), partial(archive.open, entry)))
    return _read_all(entries, place, left, most_mib)


def _read_all(
    entries: Sequence[tuple[str, Callable[[], AbstractContextManager[IO[bytes]]]]],
    place: str, left: list[str], most_mib: int,
) -> Files:  # fmt: skip
    """Read files, without machinery; what cannot be read is `left`. Raises UsageError for more than
    so many MiB, whatever an archive says of itself, or `MOST_ENTRIES`.
    """
    if len(entries) > MOST_ENTRIES:
        raise UsageError(f"{place}: more than {MOST_ENTRIES:,} files")
    files, room = Files(), most_mib << 20
    for path, opens in entries:
        name = normalize("NFC", path)
        if MACHINERY.search(name):
            continue
        try:
            with opens() as file:
                content = file.read(min(room, MAX_MIB << 20) + 1)
        except _UNREADABLE as error:
            left.append(f"{name}: cannot be read ({error})")
            continue
        room -= len(content)
        if room < 0:
            raise UsageError(f"{place}: more than {most_mib:,} MiB; hand-ins are smaller")
        if len(content) > MAX_MIB << 20:
            left.append(f"{name}: larger than {MAX_MIB} MiB")
        else:
            files[name] = content
    return files


def _find_problem(entry: zipfile.ZipInfo) -> str:
    name = entry.filename.replace("\\", "/")
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "a link"
    if name.startswith("/") or ".." in name.split("/") or re.match(r"[A-Za-z]:", name):
        return "leads out of the archive"
    if entry.flag_bits & 1:
        return "locked by a password"
    return "its path is too long" if len(name.encode()) > MAX_PATH else ""


def _by_pupil(files: Files, left: list[str]) -> dict[tuple[str, str], Files]:
    """Part the files by pupil and id, as the platform does whose names most of them have."""
    cuts = [{path: cut for path in files if (cut := _cut(shape, path))} for shape in _SHAPES]
    best = max(cuts, key=len)
    if 2 * len(best) < len(files) or not best:
        best = _cut_plainly([*files])
    by_pupil: dict[tuple[str, str], Files] = defaultdict(dict)
    for path, content in files.items():
        if cut := best.get(path):
            pupil, id, rest = cut
            by_pupil[pupil, id][rest] = content
        else:
            left.append(f"{path}: belongs to no pupil")
    return by_pupil


Cut = tuple[str, str, str]  # pupil, id, and the path that is left


def _cut(shape: re.Pattern[str], path: str) -> Cut | None:
    parts = path.split("/")
    for at, part in enumerate(parts):
        if match := shape.fullmatch(part):
            groups = match.groupdict()
            rest = "/".join(filter(None, [groups.get("rest"), *parts[at + 1 :]]))
            pupil = groups.get("pupil") or f"{match['first']} {match['last']}"
            return (pupil, match["id"], rest) if rest else None
    return None


def _cut_plainly(paths: list[str]) -> dict[str, Cut]:
    """Take each folder or file at the top for a pupil's, below a folder that all are in; without
    the assignment's name, if all folders begin with it.
    """
    tops = {path.split("/")[0] for path in paths}
    within = 0
    while len(tops) == 1 and all(path.count("/") > within + 1 for path in paths):
        within += 1
        tops = {path.split("/")[within] for path in paths}
    shared = os.path.commonprefix([*tops]) if len(tops) > 2 else ""  # noqa: RUF071 (no paths)
    begins = len(shared[: shared.rfind("-") + 1])
    cut = {}
    for path in paths:
        top, *rest = path.split("/")[within:]
        pupil = top if rest else _cut_attempt(PurePosixPath(top).stem)[0]
        cut[path] = (pupil[begins:], "", "/".join(rest) or top)
    return cut


def _find_bot(pupil: str, id: str, files: Files, notes: list[str]) -> HandIn:
    """Find the bot among a pupil's files: the one `bot.py` that lies highest, or the one file that
    defines a bot; with the files that it names, or that lie in the folder of its `bot.py`.
    """
    files = _keep_last_attempts(files, notes)
    for name in [name for name in files if name.lower().endswith(_ARCHIVE)]:
        try:
            inner = _read_zip(files[name], f"{pupil}: {name}", notes, MAX_MIB)
        except UsageError as error:
            notes.append(str(error))
            continue
        finally:
            del files[name]
        files |= {f"{name[: -len(_ARCHIVE)]}/{path}": content for path, content in inner.items()}
    parts = find_parts(files)
    code = {path: files[path] for path in parts if path.lower().endswith(".py")}
    entries = [path for path in code if PurePosixPath(path).name == ENTRY_FILE]
    highest = min((path.count("/") for path in entries), default=0)
    bots = [path for path in entries if path.count("/") == highest] or [
        path
        for path, text in code.items()
        if DEFINES.search(text[:MOST_BYTES]) and not path.rpartition("/")[2].startswith(NO_BOT)
    ]
    if len(bots) != 1:
        notes.append(_explain_none(files, bots))
        return HandIn(pupil, id, {}, notes)
    (chosen,) = bots
    folder = chosen.rpartition("/")[0]
    within = f"{folder}/" if folder else ""
    near = {path: path.removeprefix(within) for path in parts if path.startswith(within)}
    text = code[chosen].decode("utf-8", "replace")
    bot = {ENTRY_FILE: code[chosen]}
    for path, name in near.items():
        is_beside = name.lower().endswith(_PAPERS) or name.rpartition("/")[2].startswith(NO_BOT)
        if path != chosen and (_names(text, name) or (chosen in entries and not is_beside)):
            bot[name] = files[path]
    left = sorted(path for path in files if path != chosen and near.get(path) not in bot)
    notes += [f"{path}: left out" for path in left]
    return HandIn(pupil, id, bot, notes)


def _names(text: str, path: str) -> bool:
    """True if a bot's code may need a file: it has its name, or imports the module."""
    module = re.escape(path.partition("/")[0].removesuffix(".py"))
    imports = path.endswith(".py") and re.search(rf"\b(?:import|from) +\.?{module}\b", text)
    return bool(imports) or path.rpartition("/")[2] in text


def _keep_last_attempts(files: Mapping[str, bytes], notes: list[str]) -> Files:
    """Leave out a bot `NAME.py` where there is a `NAME (1).py`, or Canvas's `NAME-1.py`, and zips
    alike; data files may have numbers.
    """
    last: dict[tuple[str, ...], tuple[int, str]] = {}
    for path in sorted(files):
        place = PurePosixPath(path)
        is_bot = place.suffix.lower() in (".py", _ARCHIVE)
        stem, number = _cut_attempt(place.stem) if is_bot else (place.stem, 0)
        key = (str(place.parent), stem, place.suffix.lower())
        last[key] = max(last.get(key, (number, path)), (number, path))
    newest = {path for _, path in last.values()}
    notes += [f"{path}: an earlier attempt" for path in sorted(files) if path not in newest]
    return {path: content for path, content in files.items() if path in newest}


def _cut_attempt(stem: str) -> tuple[str, int]:
    """A file's name without the number of its attempt, and that number; 0 where it has none."""
    match = _ATTEMPT.fullmatch(stem)
    assert match  # it fits every word
    return match["stem"], int(match["n"] or match["m"] or 0)


def _explain_none(files: Mapping[str, bytes], bots: list[str]) -> str:
    if bots:
        return f"more than one bot: {', '.join(sorted(bots))}; hand in one, or call it bot.py"
    for path in sorted(files):
        if path.endswith(".ipynb"):
            return f"{path}: a notebook; export it as a Python file"
        if DEFINES.search(files[path][:MOST_BYTES]):
            return f"{path}: looks like a bot; call it .py"
    what = ", ".join(sorted(files)[:4]) or "nothing"
    return f"no Python file that defines decide, decide_many or Bot: {what}"


def name_bots(handins: list[HandIn], known: Mapping[str, str], place: str) -> dict[str, HandIn]:
    """Name each pupil's bot: as `known` by pupil from a `place`, or after the pupil, with the id
    where two, or a house bot, have one name. Raises UsageError where two would still have one.
    """
    wanted = [suggest_name(handin.pupil if _LATIN.search(handin.pupil) else f"player_{handin.id}")
              for handin in handins]  # fmt: skip
    named: dict[str, HandIn] = {}
    for handin, name in zip(handins, wanted, strict=True):
        if handin.pupil in known:
            name = known[handin.pupil]
        elif wanted.count(name) > 1 or name in HOUSE_BOTS:
            name = suggest_name(f"{name[:20]}_{handin.id or 2}")
        if name in named:
            both = f"{named[name].pupil} and {handin.pupil}"
            raise UsageError(f"{both} would both be called {name!r}; name their bots in {place}")
        named[name] = handin
    return named
