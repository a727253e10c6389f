"""Attacks on a league on GitHub: by a pull request, and by what one that was merged left there."""

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.actions import ACTION, CLOSE, LOST, OPEN, PASSWORD, PUBLISH, Runner, git
from tests.leagues import main, make
from tests.places import ROOT

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl is not installed: apt-get install openssl"
)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


CUP = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
TOKEN = "the token of the job"
GIT = shutil.which("git")


@needs_openssl
@pytest.mark.whole
def test_no_store_that_a_pull_request_brought_is_played_on_and_no_link_published(
    runner: Runner,
) -> None:
    config, brought = make(runner.repository, CUP), runner.repository / "results" / "action"
    assert main("tournament", config, "--results", brought).returncode == 0
    commitment = json.loads((brought / "standings.json").read_bytes())["commitment"]
    links = {"secret.json": "-> arena.sqlite", "standings.csv": "-> ../../.git/config"}
    for name, link in links.items():
        (brought / name).unlink(missing_ok=True)
        runner.write({f"results/action/{name}": link})
    runner.commit()
    git(runner.repository, "config", "http.extraheader", TOKEN)
    runner.play("tournaments/cup.toml")
    published = runner.published()
    assert {"README.md", "standings.json"} <= {*published}
    assert json.loads(published["standings.json"])["commitment"] != commitment
    for content in published.values():
        assert b"SQLite format 3" not in content
        assert TOKEN.encode() not in content


@needs_openssl
@pytest.mark.whole
@pytest.mark.long
def test_who_reads_the_cache_learns_no_secret_and_the_next_run_goes_on(runner: Runner) -> None:
    make(runner.repository, CUP)
    runner.commit()
    runner.play("tournaments/cup.toml")
    [name] = set(re.findall(r"path: \$\{\{ runner\.temp \}\}/(\S+)", ACTION))
    kept = runner.folder / "temporary" / name
    files = [kept] if kept.is_file() else [path for path in kept.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if b"SQLite format 3" in path.read_bytes()]
    assert runner.run(OPEN, PASSWORD="").returncode == 1
    shutil.rmtree(runner.folder / "temporary" / "opened")
    before = json.loads(runner.published()["standings.json"])
    runner.play("tournaments/cup.toml")
    assert json.loads(runner.published()["standings.json"]) == before


@needs_openssl
@pytest.mark.parametrize("make_link", [os.symlink, os.link])
def test_no_link_that_the_cache_brought_is_played_on(
    runner: Runner, make_link: Callable[[Path, Path], None]
) -> None:
    runner.results.mkdir()
    mine = runner.results / "standings.html"
    mine.touch()
    make_link(mine, runner.results / "standings.csv")
    assert runner.run(CLOSE, PASSWORD=PASSWORD).returncode == 0
    shutil.rmtree(runner.results)
    done = runner.run(OPEN, PASSWORD=PASSWORD)
    assert done.returncode == 1
    assert "the cache contains '" in done.stdout
    assert not runner.results.exists()


@pytest.mark.parametrize("name", ["standings.md", "secret.json"])
def test_no_link_among_the_tables_is_published(runner: Runner, name: str) -> None:
    runner.commit()
    runner.results.mkdir()
    for table in ("arena.sqlite", "standings.md"):
        (runner.results / table).write_text("the secret")
    (runner.results / name).unlink(missing_ok=True)
    (runner.results / name).symlink_to("arena.sqlite")
    assert runner.run(PUBLISH, BRANCH="standings").returncode == 1
    assert git(runner.folder / "origin.git", "branch", "--list") == ""


KEEP = "bots/** -text"
BASE = {
    ".github/workflows/arena.yml": "on: pull_request", ".gitattributes": KEEP,
    "bots/ann.py": "1", "bots/dan/bot.py": "1", "bots/dan/data.csv": "1", "bots/gruss.py": "1",
    "bots/mu\u0308ller.py": "1",
}  # fmt: skip
BARE = {"HEAD": "ref: refs/heads/x", "config": "[core]", "refs/x": "", "objects/x": ""}
NOBODY_MAY = {
    "a link in results": {"results/action/secret.json": "-> arena.sqlite"},
    "a store": {"results/action/arena.sqlite": "a secret of mine"},
    "a store, where a file's case is no matter": {"Results/first/arena.sqlite": "mine"},
    "results as a link": {"results": "-> ."},
    "a bot that is a link": {"bots/x.py": "-> ../../secret"},
    "a bare repository": {f"bots/x/{name}": text for name, text in BARE.items()},
    "a bare repository, in its parts": {"data/head": "ref: refs/heads/x\n"},
    "a workflow": {".github/workflows/mine.yml": "on: push"},
    "a workflow that is gone": {".github/workflows/arena.yml": None},
    "attributes of a rival's bot": {"bots/.gitattributes": "kim.py working-tree-encoding=UTF-16"},
    "attributes in a bot's folder": {"bots/cid/.gitattributes": "* ident"},
    "attributes, where a file's case is no matter": {"bots/.GitAttributes": "*.py eol=crlf"},
    "attributes as a link": {"bots/.gitattributes": "-> ../ATTRIBUTES"},
    "a folder in the place of attributes": {"bots/.gitattributes/x": ""},
    "attributes that the base has": {".gitattributes": "[attr]mine working-tree-encoding=UTF-16"},
    "attributes that are gone": {".gitattributes": None, "docs/old-attributes": KEEP},
    "a server for large files": {".lfsconfig": "[lfs]\nurl = https://example.org"},
    "places of submodules": {"docs/.gitmodules": '[submodule "x"]'},
    "a bot in another case": {"bots/Ann.py": "1"},
    "a bot's folder in another case": {"bots/Dan/data.csv": "1"},
    "a file of a bot in another case": {"bots/dan/Data.csv": "1"},
    "the bots' folder in another case": {"Bots/ann.py": "1"},
    "a folder with the name of a bot's file": {"bots/ann/bot.py": "1"},
    "a file with the name of a bot's folder": {"bots/DAN.py": "1"},
    "two new bots that differ in case": {"bots/Eve.py": "1", "bots/eve.py": "1"},
}
UNSEEN = (
    "bots/m\u00fcller.py", "bots/\uff41nn.py", "bots/gru\xdf.py", "bots/a\u200dnn.py",
    "bots/ann.py ", "bots/.gitattri\u200cbutes", "bots/\uff0egitattributes",
)  # fmt: skip
"""Composed, in wide letters, two letters in capitals, with an invisible one, with a space."""


@pytest.mark.parametrize("files", NOBODY_MAY.values(), ids=NOBODY_MAY)
def test_what_no_pull_request_may_touch_fails_the_check_and_runs_no_bot(
    runner: Runner, files: Mapping[str, str | None]
) -> None:
    runner.write(BASE)
    runner.commit()
    runner.request({**files, "bots/bob.py": "1"})
    for repository in ("cards/league", "mallory/league"):
        done = runner.check(FROM=repository)
        assert done.returncode == 1, done.stdout
        assert re.search(r"^::error::", done.stdout, re.MULTILINE)
        assert f"%0A'{next(iter(files))}' " in done.stdout
    assert not runner.asked


@pytest.mark.parametrize("file", UNSEEN, ids=ascii)
def test_no_name_looks_like_another_or_is_the_same_on_other_systems(
    runner: Runner, file: str
) -> None:
    runner.write(BASE)
    runner.commit()
    runner.request({file: "1"})
    done = runner.check()
    assert done.returncode == 1, done.stdout
    assert re.search(r"^::error::.*; (rename it|a maintainer)", done.stdout, re.MULTILINE)
    assert not runner.asked


def test_a_bot_may_become_a_folder_and_get_the_name_that_arena_suggests(runner: Runner) -> None:
    """Also where the base has two of a name already, and neither is new."""
    runner.write({"bots/Old.py": "1", "bots/ann.py": "1", "bots/b/bot.py": "1", "bots/b.py": "1"})
    runner.commit()
    runner.request({
        "bots/Old.py": None, "bots/old.py": "1", "bots/ann.py": None, "bots/ann/bot.py": "1",
        "bots/b/data.csv": "1",
    })  # fmt: skip
    done = runner.check()
    assert done.returncode == 0, done.stdout
    assert runner.asked == {"check bots/old.py", "check bots/ann", "check bots/b"}


CHANGED = {  # what changes ann.py at checkout: files in the commit, then the machine's own
    "another encoding": ({"bots/.gitattributes": "ann.py working-tree-encoding=UTF-16"}, {}),
    "an identity": ({"bots/.gitattributes": "ann.py ident"}, {}),
    "line ends": ({".gitattributes": "*.py text eol=crlf"}, {}),
    "a macro": ({".gitattributes": "[attr]x working-tree-encoding=UTF-32\n*.py x"}, {}),
    "a filter": ({".gitattributes": "*.py filter=x"}, {"filter.x.smudge": "tr 1 2"}),
    "line ends of the machine": ({}, {"core.autocrlf": "true"}),
    "attributes of the machine": ({}, {"core.attributesFile": "../attributes"}),
}


@pytest.mark.parametrize(("files", "config"), CHANGED.values(), ids=CHANGED)
def test_no_bot_plays_that_git_changed_at_checkout(
    runner: Runner, files: Mapping[str, str], config: Mapping[str, str]
) -> None:
    (runner.folder / "attributes").write_text("*.py text eol=crlf")
    runner.commit(**{"ann.py": "$Id$\nx = 1\n", "kim\n%0A'.txt": "1", "-v.csv": "1"})
    runner.write(files)
    git(runner.repository, "add", "--", *files)  # alone: to git, the others have changed now
    git(runner.repository, "commit", "--quiet", "--allow-empty", "-m", "Attributes")
    for name, value in config.items():
        git(runner.repository, "config", name, value)
    runner.check_out()
    done = runner.play_all("cup.toml")
    assert done.returncode == 1, done.stdout
    assert re.search(r"^::error::.*git check-attr.*%0A'bots/ann.py'$", done.stdout, re.MULTILINE)
    assert not runner.asked


def test_no_bot_plays_that_is_missing_or_changed_or_was_never_committed(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1", "bob.py": "1"})
    runner.write({"bots/bob.py": None})
    for text in (None, "2"):
        if text:
            runner.write({"bots/bob.py": text})
        done = runner.play_all("cup.toml")
        assert done.returncode == 1, done.stdout
        assert done.stdout.startswith("::error::")
        assert done.stdout.endswith(":%0A'bots/bob.py'\n")
    shutil.rmtree(runner.repository / ".git")
    done = runner.play_all("cup.toml")
    assert done.returncode == 1
    assert done.stdout.startswith("::error::git cannot tell what bots were committed; ")
    assert not runner.asked


def test_bots_play_as_they_were_committed_on_every_machine(runner: Runner) -> None:
    keep = ROOT / "arena/author/templates/league/gitattributes"
    runner.write({".gitattributes": keep.read_text()})
    runner.commit(**{"ann.py": "$Id$\nx = 1\n", "kim/\n%0A'.txt": "1\n", "-v.csv": "1\r\n"})
    git(runner.repository, "config", "core.autocrlf", "true")
    runner.check_out()
    (runner.repository / "bots" / "ann.py").chmod(0o755)
    runner.write(dict.fromkeys(("bots/__pycache__/ann.pyc", "bots/kim/.c", "bots/%0Abob.py"), "1"))
    done = runner.play_all("cup.toml")
    assert done.returncode == 0, done.stdout
    [line] = re.findall(r"::warning::these files.*", done.stdout)
    assert line.endswith("not committed, and play too:%0A'bots/%250Abob.py'")
    assert runner.asked


@pytest.mark.parametrize("file", ["tournaments/x.toml", "bots/conftest.py", "bots/a/conftest.py"])
def test_what_no_fork_may_touch_fails_the_check_there_and_is_named_elsewhere(
    runner: Runner, file: str
) -> None:
    runner.commit(**{"bob.py": "1"})
    runner.request({file: "import os"})
    for fork in ("mallory/league", ""):  # a fork that was deleted since has no name
        assert runner.check(FROM=fork).returncode == 1
    assert not runner.asked
    done = runner.check()
    assert done.returncode == 0, done.stderr
    assert f"%0A'{file}'" in done.stdout


def test_a_submodule_fails_the_check_where_gitmodules_hides_it_too(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    commit = git(runner.repository, "rev-parse", "HEAD")
    git(runner.repository, "checkout", "--quiet", "-b", "request")
    hidden = '[submodule "x"]\npath = bots/x\nurl = https://example.org/x\nignore = all\n'
    runner.write({".gitmodules": hidden})
    git(runner.repository, "add", "--all")
    git(runner.repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},bots/x")
    git(runner.repository, "commit", "--quiet", "-m", "Request")
    done = runner.check()
    assert done.returncode == 1, done.stdout
    assert "'bots/x' is a submodule" in done.stdout


def test_where_git_cannot_say_what_has_changed_the_check_fails(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    before = git(runner.repository, "rev-parse", "HEAD^{tree}")
    runner.commit(**{"ann.py": "2"})
    (runner.repository / ".git" / "objects" / before[:2] / before[2:]).unlink()
    assert (runner.check().returncode, runner.asked) == (1, set())


def test_what_is_no_bot_is_named_however_much_it_is(runner: Runner) -> None:
    """GitHub shows the first ten warnings of a step and no more, so it is one."""
    runner.commit(**{"ann.py": "1", "gone.py": "1"})
    others = dict.fromkeys([f"docs/{number}.md" for number in range(30)], "1")
    others |= dict.fromkeys(("bots/test_ann.py", "bots/x_test.py", "bots/cid/test_it.py"), "1")
    others |= {"AGENTS.md": "1", "pytest.ini": "1", "bots/_help.py": "1"}
    runner.request({**others, "bots/gone.py": None, "bots/a b$(id).py": "2"})
    done = runner.check()
    assert done.returncode == 0, done.stderr
    (warning,) = re.findall(r"^::warning::.*", done.stdout, re.MULTILINE)
    assert {*re.findall(r"%0A'([^']*)'", warning)} == {*others, "bots/gone.py"}
    assert runner.asked == {"check bots/a b$(id).py", "check bots/x_test.py", "check bots/cid"}


def test_no_name_of_a_file_is_a_command(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    names = [
        "x\n::add-mask::y", "x%0A::add-mask::y", "x\r::add-mask::y", "$(touch stolen)",
        "`touch stolen`", "'; touch stolen; '", "a\x1b[2Kb",
    ]  # fmt: skip
    runner.request({f"{folder}/{name}.md": "1" for name in names for folder in ("bots", "docs")})
    done = runner.check()
    assert done.returncode == 0, done.stderr
    lines = re.split(r"[\r\n]", done.stdout)
    commands = [line.split("::")[1] for line in lines if line.startswith("::")]
    assert (commands[0], "add-mask" in commands) == ("warning", False)
    assert "%0A::" not in done.stdout  # the runner makes a line's end of it
    assert "\x1b" not in done.stdout
    assert not (runner.repository / "stolen").exists()


def test_the_token_is_for_the_server_of_the_tables_alone_and_stays_nowhere(runner: Runner) -> None:
    """The checkout keeps none: `persist-credentials: false`."""
    runner.commit()
    runner.results.mkdir()
    (runner.results / "standings.md").touch()
    for step in (LOST, PUBLISH):
        for server in ("https://github.com", "https://example.org"):
            ask = f"git() {{ [[ $1 != ls-remote ]] || echo url={server} | {GIT} credential fill >&2"
            runner.program("git", f'#!/usr/bin/env bash\n{ask}; }}\ngit "$@"; exec {GIT} "$@"\n')
            variables = {"BRANCH": "standings", "CONFIG": "cup.toml", "GIT_TERMINAL_PROMPT": "0"}
            done = runner.run(step, TOKEN=TOKEN, **variables)
            assert (f"password={TOKEN}" in done.stderr) == server.endswith("github.com")
    assert runner.published() == {"README.md": b""}
    for path in runner.folder.rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


def test_all_packages_that_arena_needs_have_a_version_that_it_takes() -> None:
    pins = (ROOT / ".github" / "requirements.txt").read_text()
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)$", pins.lower(), re.MULTILINE))
    for need in map(Requirement, requires("botarena") or ()):
        if need.marker is None or need.marker.evaluate({"extra": ""}):
            assert need.specifier.contains(pinned[need.name.lower()]), need
