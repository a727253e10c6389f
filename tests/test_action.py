"""The GitHub Action: its steps, run as the runner would run them, in a repository made for it."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from arena.cli import app
from tests.actions import (
    ACTION,
    CLOSE,
    INPUTS,
    INSTALL,
    LOST,
    OPEN,
    PASSWORD,
    PLAY,
    PUBLISH,
    STEPS,
    Done,
    Runner,
    git,
)
from tests.places import ROOT

WORKFLOW = (ROOT / "arena/author/templates/league/arena.yml").read_text()
PAGES = {"action.yml": ACTION, "arena.yml": WORKFLOW}


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_every_script_is_found_and_takes_inputs_from_its_environment_alone() -> None:
    """What stands in a script's text as `${{ }}` would be run, whoever wrote it."""
    assert len(STEPS) == ACTION.count("run: |") == 10
    declared = set(re.findall(r"^  (\w+):$", ACTION.split("runs:")[0], re.MULTILINE))
    assert declared == {"mode", "config", "branch", "password", "fresh"}
    for step in STEPS.values():
        assert "${{" not in step.script
        assert set(step.inputs.values()) <= declared
        for variable in step.inputs:
            assert re.search(rf"(\$|env:){variable}\b", step.script)
    assert set(re.findall(r"inputs\.(\w+)", ACTION)) == declared


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_name_actions_by_hash_and_no_registry(page: str) -> None:
    """A tag can be moved to other code, a hash cannot."""
    assert not re.search(r"https?://|index-url|pypi", PAGES[page])
    used = re.findall(r"uses: (?!@ACTION@)(.*)", PAGES[page])
    assert used
    for each in used:
        assert re.fullmatch(r"actions/[\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", each), each


def test_every_command_the_scripts_run_is_there() -> None:
    program: Any = typer.main.get_command(app.app)
    scripts = "".join(step.script for step in STEPS.values())
    assert set(re.findall(r"^ *arena (\w+)", scripts, re.MULTILINE)) <= {*program.commands}


def test_each_mode_runs_its_own_steps() -> None:
    assert [step.condition for step in STEPS.values()] == [
        "", "inputs.mode == 'check'", "inputs.mode == 'play'", "", "inputs.mode == 'check'",
        "inputs.mode == 'play'",
        "inputs.mode == 'play' && inputs.fresh != 'true'", "inputs.mode == 'play'",
        "always() && inputs.mode == 'play'",
        "inputs.mode == 'play' && inputs.branch != ''",
    ]  # fmt: skip
    assert ACTION.count("if: inputs.mode == 'play'\n      uses: actions/cache/restore") == 1
    assert (
        ACTION.count("if: always() && inputs.mode == 'play'\n      uses: actions/cache/save") == 1
    )


def test_the_workflow_gives_inputs_that_the_action_has() -> None:
    given = re.findall(r"uses: @ACTION@\n +with:\n((?: {10}.*\n)+)", WORKFLOW)
    keys = [set(re.findall(r"^ +(\w+):", each, re.MULTILINE)) for each in given]
    assert keys == [{"mode"}, {"mode", "config", "password", "fresh"}]
    assert WORKFLOW.count("persist-credentials: false") == WORKFLOW.count("actions/checkout@") == 2
    assert "pull_request_target" not in WORKFLOW  # it would give a stranger's code our rights


def test_the_workflow_plays_on_main_by_itself_twice_a_week_and_starts_over_only_by_hand() -> None:
    read = yaml.safe_load(WORKFLOW.replace("@ACTION@", "OWNER/arena@COMMIT"))
    begins = read[True]  # `on`, as YAML 1.1 reads it
    assert set(begins) == {"pull_request", "push", "schedule", "workflow_dispatch"}
    [[minute, *_, days]] = (each["cron"].split() for each in begins["schedule"])
    assert minute != "0"  # GitHub drops runs where all want one
    first, second = (int(day) for day in days.split(","))
    assert {second - first, first + 7 - second} == {3, 4}
    assert begins["workflow_dispatch"]["inputs"]["fresh"]["type"] == "boolean"
    assert set(read["jobs"]) == {"check", "play"}
    assert read["jobs"]["play"]["if"] == "github.ref == 'refs/heads/main'"


def test_wrong_inputs_are_refused_before_anything_is_installed(runner: Runner) -> None:
    done = runner.run(INPUTS, MODE="watch", CONFIG="")
    assert (done.returncode, done.stderr) == (2, "mode: found 'watch'; expected check or play\n")
    done = runner.run(INPUTS, MODE="play", CONFIG="cup.toml")
    assert done.returncode == 2
    assert done.stderr == "config: no such file 'cup.toml'; name the tournament's TOML file\n"
    (runner.repository / "cup.toml").touch()
    assert runner.run(INPUTS, MODE="play", CONFIG="cup.toml").returncode == 0
    assert runner.run(INPUTS, MODE="check", CONFIG="no.toml").returncode == 0


def test_arena_is_installed_from_the_action_s_own_files(runner: Runner) -> None:
    runner.program("python", '#!/usr/bin/env bash\nmkdir -p "$4/bin"\ncp "$0" "$4/bin/python"\n'
                   'printf "%s\\n" "$*" >> "$NOTES"\n')  # fmt: skip
    assert runner.run(INSTALL).returncode == 0
    environment = runner.folder / "temporary" / "arena"
    assert f"-I -m pip install --quiet --no-deps --no-build-isolation {ROOT}" in runner.asked
    assert (runner.folder / "path").read_text() == f"{environment / 'bin'}\n"


def test_a_pull_request_has_the_bots_checked_that_it_changes(runner: Runner) -> None:
    old = {"old.py": "1", "gone.py": "1", "folder/bot.py": "1", "folder/data.csv": "1"}
    runner.commit(**old)
    git(runner.repository, "checkout", "--quiet", "-b", "request")
    new = dict.fromkeys(("new.py", "test_new.py", "_help.py", "README.md", "a b$(id).py"), "2")
    runner.commit(**new, **dict.fromkeys(("gone.py", "folder/data.csv")))
    git(runner.repository, "checkout", "--quiet", "main")
    runner.commit(**{"others.py": "3"})  # of the base, not of the request
    git(runner.repository, "merge", "--quiet", "--no-edit", "request")
    done = runner.check()
    assert done.returncode == 0, done.stderr
    assert runner.asked == {
        "check bots/new.py", "check bots/folder", "check bots/a b$(id).py",
    }  # fmt: skip


def test_a_bot_that_fails_fails_the_check_and_the_others_are_checked_all_the_same(
    runner: Runner,
) -> None:
    runner.commit()
    runner.commit(**{"broken.py": "1", "fine.py": "1"})
    assert runner.check().returncode == 1
    assert runner.asked == {"check bots/broken.py", "check bots/fine.py"}


def test_where_no_bot_has_changed_none_is_checked_nor_without_the_commit_before(
    runner: Runner,
) -> None:
    runner.commit(**{"ann.py": "1", "bob/bot.py": "1"})
    done = runner.check()
    assert (done.returncode, "set fetch-depth: 2" in done.stdout) == (1, True)
    runner.commit()
    done = runner.check()
    assert (done.returncode, "no bot changed" in done.stdout) == (0, True)
    assert not runner.asked


@pytest.mark.parametrize("run", [Runner.check, lambda runner: runner.play_all("cup.toml")])
def test_no_file_of_the_repository_is_imported_outside_the_walls(
    runner: Runner, run: Callable[[Runner], Done]
) -> None:
    runner.commit()
    runner.commit(**{"ann.py": "1"})
    for module in ("secrets", "subprocess", "unicodedata", "hashlib"):  # what the steps import
        (runner.repository / f"{module}.py").write_text("open('stolen', 'w')\n")
    # as the workers that arena starts: `-c` makes modules of what lies in the current folder
    worker = f'#!/usr/bin/env bash\nexec {sys.executable} -c "import secrets"\n'
    runner.program("arena", worker)
    assert run(runner).returncode == 0
    assert not (runner.repository / "stolen").exists()


def test_what_bots_print_is_no_command_to_the_runner(runner: Runner) -> None:
    runner.commit()
    runner.commit(**{"ann.py": "1"})
    runner.program("arena", "#!/usr/bin/env bash\necho '::add-mask::x'\n")
    for done in (runner.check(), runner.run(PLAY, CONFIG="cup.toml")):
        *_, stops, printed, goes_on = done.stdout.splitlines()
        token = re.fullmatch(r"::stop-commands::(\w{32})", stops)
        assert token
        assert (printed, goes_on) == ("::add-mask::x", f"::{token[1]}::")


def test_the_table_is_in_the_summary_unless_the_tournament_failed(runner: Runner) -> None:
    assert runner.run(PLAY, CONFIG="my cup.toml", PLAYED="4").returncode == 4
    results = runner.results
    assert runner.asked == {f"tournament my cup.toml --results {results}"}
    assert not (runner.folder / "summary").exists()
    assert runner.run(PLAY, CONFIG="my cup.toml").returncode == 0
    assert (runner.folder / "summary").read_text() == "| bot | rating |\n"
    assert f"standings {results} --format github" in runner.asked


def test_the_tables_are_published_on_a_branch_and_the_store_is_not(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    git(runner.repository, "push", "--quiet", "origin", "main")
    results = runner.results
    (results / "history").mkdir(parents=True)
    for name in (
        "standings.md", "standings.json", "provenance.json", "arena.sqlite", "history/0001.json"
    ):  # fmt: skip
        (results / name).write_text(f"{name} 1")
    origin = runner.folder / "origin.git"
    for run in ("1", "2"):
        (results / "standings.md").write_text(f"table {run}")
        for time in "morning", "noon":  # a run without news makes no commit
            (results / "provenance.json").write_text(time)
            done = runner.run(PUBLISH, BRANCH="standings")
            assert done.returncode == 0, done.stderr
        assert "nothing new to publish" in done.stdout
        assert git(origin, "show", "standings:README.md") == f"table {run}"
        listed = git(origin, "ls-tree", "-r", "--name-only", "standings").splitlines()
        tables = ["history/0001.json", "provenance.json", "standings.json"]
        assert listed == ["README.md", *tables]
        assert git(origin, "rev-list", "--count", "standings") == run
    assert git(runner.repository, "status", "--porcelain") == ""


@pytest.fixture
def published(runner: Runner) -> Runner:
    """A league with two weeks on its branch of tables, on a new machine."""
    runner.commit()
    git(runner.repository, "push", "--quiet", "origin", "main")
    put_weeks(runner, 2)
    assert runner.run(PUBLISH, BRANCH="standings").returncode == 0
    shutil.rmtree(runner.results)
    return runner


def put_weeks(runner: Runner, number: int) -> None:
    """Make results of so many weeks, as if the cache had had them."""
    (runner.results / "history").mkdir(parents=True)
    (runner.results / "standings.md").write_text("table")
    for week in range(1, number + 1):
        (runner.results / f"history/{week:04}.json").write_text("{}")


def look_for_lost(runner: Runner, branch: str = "standings") -> Done:
    return runner.run(LOST, BRANCH=branch, CONFIG="my cup.toml", TOKEN="token")


def test_a_lost_cache_stops_the_league_and_leaves_all_as_it_was(published: Runner) -> None:
    """GitHub drops it after a week without a run: the next would start over, in silence."""
    before = git(published.folder / "origin.git", "for-each-ref")
    assert published.run(OPEN, PASSWORD=PASSWORD).returncode == 0
    done = look_for_lost(published)
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error::the cache has no games of my cup.toml, but the branch standings has weeks of "
        "them: history/0001.json history/0002.json%0A"
    )
    for cause_or_remedy in ("7 days", "renamed", "password", "re-run this job", "fresh: true"):
        assert cause_or_remedy in done.stdout
    assert done.stdout.count("\n") == 1
    assert published.run(CLOSE, PASSWORD=PASSWORD).returncode == 0  # it runs in any case
    assert not (published.folder / "temporary" / "games").exists()  # what would be saved
    assert git(published.folder / "origin.git", "for-each-ref") == before


def test_a_cache_from_before_the_last_published_week_stops_it_too(published: Runner) -> None:
    """GitHub's cache is not saved where its service is out of reach: only a warning says so."""
    put_weeks(published, 1)
    done = look_for_lost(published)
    assert done.returncode == 1
    said = "lacks games of my cup.toml, but the branch standings has weeks of them: "
    assert f"{said}history/0002.json%0A" in done.stdout
    for week in (2, 3):
        (published.results / f"history/{week:04}.json").write_text("{}")
        done = look_for_lost(published)
        assert (done.returncode, said in done.stdout) == (0, False)


def test_a_league_begins_where_no_week_is_published_and_is_warned_without_a_branch_of_tables(
    published: Runner,
) -> None:
    for branch in ("no-branch", "main"):
        done = look_for_lost(published, branch)
        assert (done.returncode, done.stdout) == (0, "")
    done = look_for_lost(published, "")
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::the cache has no games of my cup.toml: the league")
    put_weeks(published, 1)
    assert look_for_lost(published, "").stdout == ""
    shutil.rmtree(published.folder / "origin.git")
    assert look_for_lost(published).returncode != 0, "a branch that cannot be read"
