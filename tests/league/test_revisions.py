"""`arena match BOT --since REV`: a bot against its own file of another git revision."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from arena.league.bots import BotPath
from arena.league.revisions import name_since, read_since
from tests.leagues import main, make
from tests.sessions import FIRST

WORDS = ("--game", "sixteen", "--games", 24, "--seed", 1, "-q", "--workers", 1)
LAST = FIRST.replace("view.legal[0]", "view.legal[-1]")


def git(league: Path, *words: str) -> None:
    """Run git as nobody in particular, with nobody's configuration."""
    who = {
        f"GIT_{role}_{key}": "a@b" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *words], cwd=league, capture_output=True, check=False,
        env={**os.environ, **who, **quiet},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()


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
    told = json.loads(done.stdout)
    assert (told["first"], told["second"]) == ("ann", "ann-v1_0")
    assert Path(told["results"]) == league / "results" / "match-ann-ann-v1_0"
    assert told["pools"][0]["games"] > 0
    by_path = main("match", "bots/deep", "--since", "HEAD~1", *WORDS, "--json", cwd=league)
    assert json.loads(by_path.stdout)["second"] == "deep-head_1"


@pytest.mark.whole
def test_its_files_are_those_of_the_revision(league: Path) -> None:
    ann, deep = (BotPath(name, league / "bots" / name) for name in ("ann.py", "deep"))
    assert read_since(ann, "v1.0").files == (("bot.py", FIRST.encode()),)
    assert read_since(ann, "main").files == (("bot.py", LAST.encode()),)
    assert read_since(deep, "HEAD").files == (
        ("bot.py", LAST.encode()),
        ("own/täble.txt", b"\0\r\n\xff"),
    )
    assert read_since(deep, "v1.0").files == (("bot.py", FIRST.encode()),)


@pytest.mark.whole
def test_what_is_not_there_is_said_in_one_line(
    league: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(league, "checkout", "-q", "--", "bots/ann.py")
    no_repository = make(tmp_path_factory.mktemp("bare")).parents[1]
    here, no_git = {"PATH": os.environ["PATH"]}, {"PATH": ""}
    for folder, words, environment, told in (
        (league, ("ann", "--since", "v9"), here, "has no revision 'v9'; `git log"),
        (league, ("ann", "--since", "--all"), here, "found '--all'; it takes a revision"),
        (league, ("new", "--since", "v1.0"), here, "new.py: is not in v1.0; `git log"),
        (league, ("ann", "--since", "HEAD"), here, "is now what it was in HEAD; take"),
        (league, ("ann", "--since", "HEAD"), no_git, "git is not installed; install it"),
        (no_repository, ("ann", "--since", "HEAD"), here, "not a git repository; give the other"),
        (league, ("ann",), here, "B: found no second bot; name one"),
        (league, ("ann", "new", "--since", "v1.0"), here, "leave B or --since out"),
    ):
        done = main("match", *words, cwd=folder, environment=environment)
        assert done.returncode == 2, (words, done.stderr)
        assert told in done.stderr.decode(), words
        assert done.stderr.count(b"\n") == 1, done.stderr.decode()
        assert not (folder / "results").exists()


@pytest.mark.whole
def test_a_link_in_a_revision_is_no_file(league: Path) -> None:
    (league / "bots" / "deep" / "link.py").symlink_to("/etc/passwd")
    git(league, "add", "bots/deep")
    git(league, "commit", "-qm", "link")
    (league / "bots" / "deep" / "link.py").unlink()
    done = main("match", "deep", "--since", "HEAD", cwd=league)
    assert done.returncode == 2
    assert b"bots/deep/link.py is no ordinary file in HEAD" in done.stderr


@pytest.mark.parametrize(
    ("name", "revision", "called"),
    [
        ("ann", "v1.0", "ann-v1_0"),
        ("ann", "HEAD~3", "ann-head_3"),
        ("ann", "origin/Main", "ann-origin_main"),
        ("ann", "@{u}", "ann-u"),
        ("ann", "@", "ann-then"),
        ("a" * 32, "0123456789abcdef0123", "a" * 15 + "-0123456789abcdef"),
    ],
)
def test_what_it_was_has_a_name_that_a_bot_may_have(name: str, revision: str, called: str) -> None:
    assert name_since(name, revision) == called
