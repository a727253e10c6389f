"""`arena match BOT --since REV`: a bot against its own file of another git revision."""

import json
import os
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league.bots import BotPath
from arena.league.revisions import name_revision, read_revision
from tests.leagues import main, make
from tests.sessions import FIRST

WORDS = ("--game", "sixteen", "--games", 24, "--seed", 1, "-q", "--workers", 1)
LAST = FIRST.replace("view.legal[0]", "view.legal[-1]")


def git(league: Path, *words: str, given: str = "") -> str:
    """Run git without a user's name and configuration; return what it prints."""
    who = {
        f"GIT_{role}_{key}": "a@b" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *words], cwd=league, capture_output=True, check=False, input=given, text=True,
        env={**os.environ, **who, **quiet},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A repository: ann as a file at v1.0, as another later; deep was a file and is a folder."""
    make(tmp_path, bots={"ann": FIRST, "deep": FIRST})
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "tag", "v1.0")
    (tmp_path / "bots" / "ann.py").write_text(LAST)
    (tmp_path / "bots" / "deep.py").unlink()
    (tmp_path / "bots" / "deep" / "own").mkdir(parents=True)
    (tmp_path / "bots" / "deep" / "bot.py").write_text(LAST)
    (tmp_path / "bots" / "deep" / "own" / "täble.txt").write_bytes(b"\0\r\n\xff")
    (tmp_path / "bots" / "new.py").write_text(FIRST)
    git(tmp_path, "add", "bots/ann.py", "bots/deep", "bots/deep.py")
    git(tmp_path, "commit", "-qm", "two")
    (tmp_path / "bots" / "ann.py").write_text(f"{LAST}# not committed\n")
    return tmp_path


@pytest.mark.whole
def test_a_bot_plays_what_it_was_in_another_revision(league: Path) -> None:
    done = main("match", "ann", "--since", "v1.0", *WORDS, "--json", cwd=league)
    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert (document["first_bot"], document["second_bot"]) == ("ann", "ann-v1_0")
    assert Path(document["results_folder"]) == league / "results" / "match-ann-ann-v1_0"
    assert document["pools"][0]["games"] > 0


@pytest.mark.whole
def test_its_files_are_those_of_the_revision(league: Path) -> None:
    """Whatever attributes do to files at checkout."""
    attributes = "* working-tree-encoding=UTF-16 text eol=crlf ident filter=x export-ignore\n"
    (league / "bots" / ".gitattributes").write_text(attributes)
    git(league, "config", "filter.x.smudge", f"touch {league / 'ran'}")
    ann, deep = (BotPath(name, league / "bots" / name) for name in ("ann.py", "deep"))
    assert read_revision(ann, "v1.0", league).files == (("bot.py", FIRST.encode()),)
    assert read_revision(ann, "main", league).files == (("bot.py", LAST.encode()),)
    assert read_revision(deep, "HEAD", league).files == (
        ("bot.py", LAST.encode()),
        ("own/täble.txt", b"\0\r\n\xff"),
    )
    assert read_revision(deep, "v1.0", league).files == (("bot.py", FIRST.encode()),)
    assert not (league / "ran").exists()


@pytest.mark.whole
def test_a_league_may_be_a_folder_of_a_repository_and_that_a_worktree(tmp_path: Path) -> None:
    make(tmp_path / "own" / "games" / "cup", bots={"ann": FIRST})
    git(tmp_path / "own", "init", "-q", "-b", "main")
    git(tmp_path / "own", "add", ".")
    git(tmp_path / "own", "commit", "-qm", "one")
    git(tmp_path, "clone", "-q", "--bare", "own", "bare")
    git(tmp_path / "bare", "worktree", "add", "-q", "-b", "other", "../tree")
    for top in ("own", "tree"):
        league = tmp_path / top / "games" / "cup"
        (league / "bots" / "ann.py").write_text(LAST)
        git(league, "commit", "-qam", "two")
        for since, text in (("HEAD", LAST), ("HEAD~1", FIRST)):
            bot = BotPath("ann", league / "bots" / "ann.py")
            assert read_revision(bot, since, league).files == (("bot.py", text.encode()),)
    elsewhere = BotPath("ann", tmp_path / "own" / "games" / "cup" / "bots" / "ann.py")
    assert read_revision(elsewhere, "HEAD~1", league).files == (("bot.py", FIRST.encode()),)


@pytest.mark.whole
@pytest.mark.parametrize("without", ["blob:none", "tree:0"])
def test_what_a_partial_clone_lacks_is_not_fetched(league: Path, without: str) -> None:
    git(league, "config", "uploadpack.allowFilter", "true")
    git(league, "clone", "-q", f"--filter={without}", f"file://{league}", "partial")
    partial = league / "partial"
    bot = BotPath("ann", partial / "bots" / "ann.py")
    assert read_revision(bot, "HEAD", partial).files == (("bot.py", LAST.encode()),)
    with pytest.raises(UsageError) as caught:
        read_revision(bot, "v1.0", partial)
    assert str(caught.value) == (
        f"--since: {partial} lacks files of that revision; if you trust its .git/config, fetch "
        f"them with `git log -p -- {bot.path}`"
    )


@pytest.mark.whole
def test_what_is_not_there_is_said_in_one_line(
    league: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(league, "checkout", "-q", "--", "bots/ann.py")
    (league / "bots" / "deep" / "link.py").symlink_to("/etc/passwd")
    git(league, "add", "bots/deep")
    git(league, "commit", "-qm", "link")
    (league / "bots" / "deep" / "link.py").unlink()
    no_repository = make(tmp_path_factory.mktemp("bare")).parents[1]
    here, no_git = {"PATH": os.environ["PATH"]}, {"PATH": ""}
    for folder, words, environment, why in (
        (league, ("ann", "--since", "v9"), here, "has no revision 'v9'; `git log"),
        (league, ("ann", "--since", "--all"), here, "found '--all'; expected a revision"),
        (league, ("new", "--since", "v1.0"), here, "new.py: is not in v1.0; `git log"),
        (league, ("deep", "--since", "HEAD"), here, "deep/link.py is not a regular file in HEAD"),
        (league, ("ann", "--since", "HEAD"), here, "has not changed since HEAD; name"),
        (league, ("ann", "--since", "HEAD"), no_git, "git is not installed; install it"),
        (no_repository, ("ann", "--since", "HEAD"), here, "not a git repository; name the other"),
        (league, ("ann",), here, "Name a second bot, or use --played RESULTS or"),
        (league, ("ann", "new", "--since", "v1.0"), here, "B, --played, --since: cannot be"),
    ):
        done = main("match", *words, cwd=folder, environment=environment)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), (words, done.stderr)
        assert why in done.stderr.decode(), words
        assert not (folder / "results").exists()


NOWHERE = "1" * 40
"""An object that no repository has: git fetches it from where the configuration says."""

CONFIG = """
[core]
    repositoryformatversion = 1
    bare = false
    worktree = {above}
[extensions]
    partialClone = evil
[remote "evil"]
    promisor = true
"""
RUNS = {  # by what a configuration has git run: its further lines, and a revision that does so
    "uploadpack": ('url = .\nuploadpack = "{command}"', "HEAD"),
    "ext": ('url = "ext::{command}"\n[protocol]\nallow = always', "HEAD"),
    "ssh": ('url = ssh://nobody/x\n[core]\nsshCommand = "{command}"', "HEAD"),
    "fsmonitor": ('url = .\n[core]\nfsmonitor = "{command}"', ":ann.py"),
}


@pytest.mark.whole
@pytest.mark.parametrize("way", RUNS)
@pytest.mark.parametrize("place", ["cup/bots", "cup", "cup/bots/.git", "cup/.git"])
def test_nothing_runs_that_a_league_s_files_name(tmp_path: Path, place: str, way: str) -> None:
    """Four files in a cloned league are a repository, as is a `.git` out of a zip."""
    brought, cloned, mark = tmp_path / "brought", tmp_path / "cloned", tmp_path / "ran"
    lines, revision = RUNS[way]
    above = ".." if place.endswith(".git") else "."
    make(brought / "cup", bots={"ann": FIRST})
    git(brought, "init", "-q", "-b", "main")
    unpacked = cloned if place.endswith(".git") else brought

    def add() -> None:
        for name, text in {
            "HEAD": NOWHERE,
            "config": CONFIG.format(above=above) + lines.format(command=f"touch {mark}"),
            "refs/keep": "",
            "objects/info/keep": "",
        }.items():
            file = unpacked / place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")

    if unpacked is brought:
        add()
    git(brought, "add", ".")
    git(brought, "commit", "-qm", "one")
    git(tmp_path, "clone", "-q", "brought", "cloned")
    if unpacked is cloned:
        add()
    done = main("match", "ann", "--since", revision, cwd=cloned / "cup")
    assert done.returncode == 2, done.stderr
    assert not mark.exists(), done.stderr


def test_what_it_was_has_a_name_that_a_bot_may_have() -> None:
    for name, revision, then in (
        ("ann", "HEAD~3", "ann-head_3"),
        ("ann", "origin/Main", "ann-origin_main"),
        ("ann", "@", "ann-then"),
        ("a" * 32, "0123456789abcdef0123", "a" * 15 + "-0123456789abcdef"),
    ):
        assert name_revision(name, revision) == then


def test_a_tree_that_lists_millions_of_files_fills_no_memory(league: Path) -> None:
    """Each of seven folders in one another has ten times the same: 6 kB of git's objects."""
    kind, object = "100644 blob", git(league, "hash-object", "-w", "--stdin")
    for _ in range(7):
        lines = [f"{kind} {object}\tf{number}\n" for number in range(10)]
        kind, object = "040000 tree", git(league, "mktree", given="".join(lines))
    for folder in ("ann", "bots"):
        object = git(league, "mktree", given=f"{kind} {object}\t{folder}\n")
    git(league, "tag", "bomb", git(league, "commit-tree", object, "-m", "bomb"))
    tracemalloc.start()
    try:
        with pytest.raises(UsageError, match="more than 10,000 files"):
            read_revision(BotPath("ann", league / "bots" / "ann.py"), "bomb", league)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
