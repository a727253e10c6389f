"""A bot's files in another revision of its git repository.

They are read from git's objects: the working tree stays as it is, and no filter or hook runs. The
league may be a stranger's and bring a repository whose configuration names commands: none runs.
"""

import os
import re
import subprocess
from pathlib import Path, PurePosixPath

from arena.errors import UsageError
from arena.league.bots import ENTRY_FILE, BotPath, find_parts
from arena.league.files import MAX_FILES, MAX_MIB, MAX_PATH, Source, check_source, hash_source

REV_LENGTH, NAME_LENGTH = 16, 32  # characters of a bot's name that a revision takes; of all of it
FILE_MODES = ("100644", "100755")
MOST_LISTED = MAX_FILES * (MAX_PATH + 64)  # bytes: each with its mode, kind and object
ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")  # what a hook's git would look at
NO_FETCH = {
    "GIT_ALLOW_PROTOCOL": "none",  # a missing object is fetched by a command of the configuration
    "GIT_NO_LAZY_FETCH": "1",  # since git 2.45
}
NO_COMMANDS = (
    "-c", "safe.bareRepository=explicit",  # files of a checkout are no repository, since git 2.38
    "-c", "core.fsmonitor=false",  # a command that runs when the index is read
)  # fmt: skip


def name_revision(name: str, revision: str) -> str:
    """Name the bot of an earlier revision: `thrifty-v1_2`."""
    suffix = re.sub(r"[^a-z0-9-]+", "_", revision.lower()).strip("_-")[:REV_LENGTH].strip("_-")
    suffix = suffix or "then"
    return f"{name[: NAME_LENGTH - 1 - len(suffix)]}-{suffix}"


def read_revision(bot: BotPath, revision: str, league: Path) -> Source:
    """Read the bot's files, as `read_bot` does, in a revision of the repository its league lies
    in. For a bot (by its resolved path) outside the league, that is the repository that it lies in
    itself.

    A folder of now may have been a file then, and the other way round. Raises UsageError where
    there is no git, no repository, no such revision or no such bot in it, or where its files cannot
    be taken.
    """
    path = bot.path.resolve()
    folder = league if path.is_relative_to(league) else path.parent
    top = _git(folder, "rev-parse", "--show-prefix")
    if top.returncode:
        why = top.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        why = why.removeprefix("fatal: ").partition(" (or any")[0]
        raise UsageError(f"--since: {bot.path}: {why}; name the other version as B")
    if revision[:1] in ("", "-"):
        raise UsageError(f"--since: found {revision!r}; expected a revision, such as HEAD~1")
    commit = _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit.returncode:
        raise UsageError(
            f"--since: {folder} has no revision {revision!r}; `git log -- {bot.path}` lists "
            f"revisions"
        )
    then = commit.stdout.decode().strip()
    prefix = top.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")
    at = PurePosixPath(prefix, path.relative_to(folder))
    other = at.with_suffix("") if at.suffix == ".py" else at.with_name(f"{at.name}.py")
    for place in (at, other):
        entries = _entries(bot, folder, then, place)
        if entries:
            return _source(bot, revision, folder, place, entries)
    raise UsageError(
        f"--since: {bot.path}: is not in {revision}; `git log -- {bot.path}` shows where it is"
    )


Entry = tuple[str, str, str]
"""A file's mode, object and path, from the repository's top."""


def _entries(bot: BotPath, folder: Path, commit: str, place: PurePosixPath) -> list[Entry]:
    words = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", str(place))
    with _start_git(folder, *words) as git:
        assert git.stdout is not None, "it has a pipe"
        listed = git.stdout.read(MOST_LISTED + 1)  # a few kB of a repository can list billions
        if len(listed) > MOST_LISTED:
            git.kill()
    if len(listed) > MOST_LISTED:
        raise UsageError(f"--since: {bot.path}: has more than {MAX_FILES:,} files in {commit[:12]}")
    if git.returncode:
        raise _missing_objects(bot, folder)
    text = listed.decode("utf-8", "surrogateescape")
    return re.findall(r"(\d+) \w+ (\w+)\t([^\0]+)\0", text)


def _source(
    bot: BotPath, revision: str, folder: Path, place: PurePosixPath, entries: list[Entry]
) -> Source:
    """The files of these entries, of a bot that was at `place` then."""
    single = [path for _, _, path in entries] == [str(place)]
    names = [ENTRY_FILE if single else path.removeprefix(f"{place}/") for *_, path in entries]
    files, parts = [], find_parts(names)
    for name, (mode, object, path) in zip(names, entries, strict=True):
        if name not in parts:
            continue
        if mode not in FILE_MODES:
            raise UsageError(
                f"--since: {path} is not a regular file in {revision}; name another revision"
            )
        files.append((name, object))
    if ENTRY_FILE not in dict(files):
        raise UsageError(
            f"--since: {bot.path}: has no {ENTRY_FILE} in {revision}; name another revision"
        )
    contents = _contents(bot, folder, [object for _, object in files])
    source = Source(
        tuple(sorted((name, text) for (name, _), text in zip(files, contents, strict=True))),
        is_folder=not single,
    )
    if problem := check_source(source, hash_source(source)):
        raise UsageError(f"--since: {bot.path}: in {revision}, {problem}; name another revision")
    return source


def _contents(bot: BotPath, folder: Path, objects: list[str]) -> list[bytes]:
    asked = "".join(f"{object}\n" for object in objects).encode()
    sizes = _git(folder, "cat-file", "--batch-check=%(objectsize)", given=asked).stdout.split()
    if len(sizes) != len(objects) or not all(size.isdigit() for size in sizes):
        raise _missing_objects(bot, folder)
    if sum(map(int, sizes)) > MAX_MIB << 20:
        raise UsageError(f"--since: {bot.path}: is larger than {MAX_MIB} MiB in that revision")
    output, at, contents = _git(folder, "cat-file", "--batch", given=asked).stdout, 0, []
    for size in map(int, sizes):
        at = output.index(b"\n", at) + 1  # after the line that names the object
        contents.append(output[at : at + size])
        at += size + 1
    return contents


def _missing_objects(bot: BotPath, folder: Path) -> UsageError:
    """The error for objects that a partial clone did not fetch."""
    return UsageError(
        f"--since: {folder} lacks files of that revision; if you trust its .git/config, fetch "
        f"them with `git log -p -- {bot.path}`"
    )


def _git(folder: Path, *words: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    with _start_git(folder, *words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as git:
        output, complaint = git.communicate(given)
    return subprocess.CompletedProcess(git.args, git.returncode, output, complaint)


def _start_git(
    folder: Path, *words: str, stdin: int = subprocess.DEVNULL, stderr: int = subprocess.DEVNULL
) -> "subprocess.Popen[bytes]":
    environment = {name: text for name, text in os.environ.items() if name not in ELSEWHERE}
    try:
        return subprocess.Popen(
            ["git", "--literal-pathspecs", *NO_COMMANDS, *words], cwd=folder,
            env=environment | NO_FETCH | {"LC_ALL": "C"},
            stdin=stdin, stdout=subprocess.PIPE, stderr=stderr,
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError(
            "--since: git is not installed; install it, or name the other version as B"
        ) from None
