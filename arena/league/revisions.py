"""A bot's files as a git repository has them in another revision.

They are read from git's objects: the working tree stays as it is, and no filter or hook runs.
"""

import os
import re
import subprocess
from pathlib import Path

from arena.errors import UsageError
from arena.league.bots import ENTRY_FILE, BotPath
from arena.league.files import MAX_FILES, MAX_MIB, Source, content_hash, problem_of

REV_LENGTH, NAME_LENGTH = 16, 32  # characters of a bot's name that a revision takes; of all of it
FILE_MODES = ("100644", "100755")
ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")  # what a hook's git would look at


def name_since(name: str, revision: str) -> str:
    """Return what a bot of an earlier revision is called: `thrifty-v1_2`."""
    said = re.sub(r"[^a-z0-9-]+", "_", revision.lower()).strip("_-")[:REV_LENGTH].strip("_-")
    said = said or "then"
    return f"{name[: NAME_LENGTH - 1 - len(said)]}-{said}"


def read_since(bot: BotPath, revision: str) -> Source:
    """Return the bot's files in a revision of the repository that it lies in, bytecode apart.

    What is a folder now may have been a file then, and the other way round. Raises UsageError where
    there is no git, no repository, no such revision or no such bot in it, or where its files cannot
    be taken.
    """
    path = bot.path.resolve()
    top = Path(_said(path.parent, f"{bot.path}", "rev-parse", "--show-toplevel"))
    if revision[:1] in ("", "-"):
        raise UsageError(f"--since: found {revision!r}; it takes a revision, such as HEAD~1")
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit.returncode:
        raise UsageError(
            f"--since: {top} has no revision {revision!r}; `git log -- {bot.path}` lists them"
        )
    then = commit.stdout.decode().strip()
    own = path.relative_to(top.resolve())
    other = own.with_suffix("") if own.suffix == ".py" else own.with_name(f"{own.name}.py")
    for place in (own, other):
        entries = _entries(top, then, place)
        if entries:
            return _source(bot, revision, top, place, entries)
    raise UsageError(
        f"--since: {bot.path}: is not in {revision}; `git log -- {bot.path}` shows where it is"
    )


Entry = tuple[str, str, str]
"""A file's mode, object and path, from the repository's top."""


def _entries(top: Path, commit: str, place: Path) -> list[Entry]:
    listed = _git(top, "ls-tree", "-r", "-z", "--full-tree", commit, "--", place.as_posix())
    entries = []
    for line in listed.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        told, _, path = line.partition("\t")
        mode, _, object = told.split()
        entries.append((mode, object, path))
    return entries


def _source(bot: BotPath, revision: str, top: Path, place: Path, entries: list[Entry]) -> Source:
    """Return the files of these entries, of a bot at `place` then."""
    single = [path for _, _, path in entries] == [place.as_posix()]
    files = []
    for mode, object, path in entries:
        name = ENTRY_FILE if single else Path(path).relative_to(place).as_posix()
        if name.endswith(".pyc") or "__pycache__" in Path(name).parts:
            continue
        if mode not in FILE_MODES:
            raise UsageError(f"--since: {path} is no ordinary file in {revision}; take another")
        files.append((name, object))
    if ENTRY_FILE not in dict(files):
        raise UsageError(f"--since: {bot.path}: has no {ENTRY_FILE} in {revision}; take another")
    if len(files) > MAX_FILES:
        raise UsageError(f"--since: {bot.path}: has more than {MAX_FILES:,} files in {revision}")
    contents = _contents(bot, top, [object for _, object in files])
    source = Source(
        tuple(sorted((name, text) for (name, _), text in zip(files, contents, strict=True)))
    )
    if problem := problem_of(source, content_hash(source)):
        raise UsageError(f"--since: {bot.path}: in {revision} {problem}; take another")
    return source


def _contents(bot: BotPath, top: Path, objects: list[str]) -> list[bytes]:
    """Return what the objects hold."""
    asked = "".join(f"{object}\n" for object in objects).encode()
    sizes = _git(top, "cat-file", "--batch-check=%(objectsize)", given=asked).stdout.split()
    if len(sizes) != len(objects) or not all(size.isdigit() for size in sizes):
        raise UsageError(f"--since: {bot.path}: {top} lacks files of that revision; fetch them")
    if sum(map(int, sizes)) > MAX_MIB << 20:
        raise UsageError(f"--since: {bot.path}: is larger than {MAX_MIB} MiB in that revision")
    told, at, contents = _git(top, "cat-file", "--batch", given=asked).stdout, 0, []
    for size in map(int, sizes):
        at = told.index(b"\n", at) + 1  # after the line that names the object
        contents.append(told[at : at + size])
        at += size + 1
    return contents


def _said(folder: Path, place: str, *words: str) -> str:
    done = _git(folder, *words)
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        why = why.removeprefix("fatal: ").partition(" (or any")[0]
        raise UsageError(f"--since: {place}: {why}; give the other version as B")
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def _git(folder: Path, *words: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    environment = {name: text for name, text in os.environ.items() if name not in ELSEWHERE}
    try:
        return subprocess.run(
            ["git", "--literal-pathspecs", *words], cwd=folder, input=given, capture_output=True,
            check=False, env=environment | {"LC_ALL": "C"},
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError(
            "--since: git is not installed; install it, or give the other version as B"
        ) from None
