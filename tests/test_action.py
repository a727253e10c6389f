"""The GitHub Action: its steps, run as the runner would run them, in a repository made for it.

Outside a workflow there is no runner: a program called `arena` notes what it is asked to do.
"""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from arena.cli import app
from tests.places import ROOT

ACTION = (ROOT / "action.yml").read_text()
WORKFLOW = (ROOT / "arena/author/templates/league/arena.yml").read_text()
PAGES = {"action.yml": ACTION, "arena.yml": WORKFLOW}

NOTES = """\
#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$NOTES"
if [[ $1 == standings ]]; then echo "| bot | rating |"; exit; fi
if [[ $1 == tournament ]]; then exit "${PLAYED:-0}"; fi
[[ $2 != *broken* ]]
"""


class Step(NamedTuple):
    """A step of the action that is a script."""

    condition: str
    script: str
    inputs: Mapping[str, str]  # the input that each variable of its environment is
    fixed: Mapping[str, str]  # the other variables, with their values


def steps() -> dict[str, Step]:
    """Return the action's scripts, by the step's name; read by their indentation."""
    found = {}
    for text in re.split(r"^    - ", ACTION, flags=re.MULTILINE)[1:]:
        name = re.match(r"name: (.*)", text)
        script = re.search(r"^      run: \|\n((?:        .*\n|\n)+)", text, re.MULTILINE)
        if name and script:
            lines = [line[8:] for line in script[1].splitlines()]
            condition = re.search(r"^      if: (.*)$", text, re.MULTILINE)
            given = re.findall(r"^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", text, re.MULTILINE)
            fixed = re.findall(r'^        (\w+): "(.*)"$', text, re.MULTILINE)
            script_text, when = "\n".join(lines), condition[1] if condition else ""
            found[name[1]] = Step(when, script_text, dict(given), dict(fixed))
            assert "\n      shell: bash\n" in text
    return found


STEPS = steps()
LOOK, INSTALL, CHECK, PLAY, PUBLISH = STEPS


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=ann", "-c", "user.email=ann@localhost")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


class Runner:
    """A checked-out repository with an origin, and what its steps did."""

    def __init__(self, folder: Path) -> None:
        self.repository, self.folder = folder / "league", folder
        for name in ("league/bots", "bin", "temporary"):
            (folder / name).mkdir(parents=True)
        self.program("arena", NOTES)
        self.program("python", f'#!/usr/bin/env bash\nexec {sys.executable} "$@"\n')
        git(folder, "init", "--quiet", "--bare", "origin.git")
        git(self.repository, "init", "--quiet", "--initial-branch=main")
        git(self.repository, "remote", "add", "origin", str(folder / "origin.git"))

    def program(self, name: str, text: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def commit(self, **files: str | None) -> None:
        """Commit these files of bots/, by name; None removes one."""
        for name, text in files.items():
            path = self.repository / "bots" / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "--allow-empty", "-m", "Bots")

    def run(self, name: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run a step as the runner does, with bash and these inputs."""
        script = self.folder / "step.sh"
        script.write_text(STEPS[name].script)
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "NOTES": str(self.folder / "notes"),
            "RUNNER_TEMP": str(self.folder / "temporary"),
            "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            **STEPS[name].fixed,
            **variables,
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository, env=environment, capture_output=True, text=True,
        )  # fmt: skip

    @property
    def asked(self) -> set[str]:
        """Return what the program called `arena` was asked to do."""
        notes = self.folder / "notes"
        return set(notes.read_text().splitlines()) if notes.exists() else set()


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_every_script_is_found_and_takes_inputs_from_its_environment_alone() -> None:
    """What stands in a script's text as `${{ }}` would be run, whoever wrote it."""
    assert len(STEPS) == ACTION.count("run: |") == 5
    declared = set(re.findall(r"^  (\w+):$", ACTION.split("runs:")[0], re.MULTILINE))
    assert declared == {"mode", "config", "branch"}
    for step in STEPS.values():
        assert "${{" not in step.script
        assert set(step.inputs.values()) <= declared
        for variable in step.inputs:
            assert f"${variable}" in step.script or f'"${variable}"' in step.script
    assert set(re.findall(r"inputs\.(\w+)", ACTION)) == declared


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_are_indented_by_two_and_name_no_registry(page: str) -> None:
    text = PAGES[page]
    assert "\t" not in text
    assert all((len(line) - len(line.lstrip())) % 2 == 0 for line in text.splitlines())
    assert not re.search(r"https?://|index-url|pypi", text)


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_say_to_yaml_what_they_say_to_this_test(page: str) -> None:
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load(PAGES[page].replace("@ACTION@", "OWNER/arena@main"))
    if page == "action.yml":
        scripts = {each["name"]: each["run"] for each in read["runs"]["steps"] if "run" in each}
        assert {name: text.rstrip() for name, text in scripts.items()} == {
            name: step.script.rstrip() for name, step in STEPS.items()
        }
    else:
        assert set(read["jobs"]) == {"check", "play"}


def test_every_command_the_scripts_run_is_there() -> None:
    program: Any = typer.main.get_command(app.app)
    scripts = "".join(step.script for step in STEPS.values())
    assert set(re.findall(r"^ *arena (\w+)", scripts, re.MULTILINE)) <= {*program.commands}


def test_each_mode_runs_its_own_steps() -> None:
    assert [step.condition for step in STEPS.values()] == [
        "", "", "inputs.mode == 'check'", "inputs.mode == 'play'",
        "inputs.mode == 'play' && inputs.branch != ''",
    ]  # fmt: skip
    assert ACTION.count("if: inputs.mode == 'play'\n      uses: actions/cache/restore") == 1
    assert (
        ACTION.count("if: always() && inputs.mode == 'play'\n      uses: actions/cache/save") == 1
    )


def test_the_workflow_gives_inputs_that_the_action_has() -> None:
    given = re.findall(r"uses: @ACTION@\n +with:\n((?: {10}.*\n)+)", WORKFLOW)
    keys = [set(re.findall(r"^ +(\w+):", each, re.MULTILINE)) for each in given]
    assert keys == [{"mode"}, {"mode", "config"}]
    assert "pull_request_target" not in WORKFLOW  # it would give a stranger's code our rights


def test_wrong_inputs_are_refused_before_anything_is_installed(runner: Runner) -> None:
    done = runner.run(LOOK, MODE="watch", CONFIG="")
    assert (done.returncode, done.stderr) == (2, "mode: found 'watch'; it takes check or play\n")
    done = runner.run(LOOK, MODE="play", CONFIG="cup.toml")
    assert done.returncode == 2
    assert done.stderr == "config: no file 'cup.toml'; give the tournament's TOML file\n"
    (runner.repository / "cup.toml").touch()
    assert runner.run(LOOK, MODE="play", CONFIG="cup.toml").returncode == 0
    assert runner.run(LOOK, MODE="check", CONFIG="no.toml").returncode == 0


def test_arena_is_installed_from_the_action_s_own_files(runner: Runner) -> None:
    runner.program("python", '#!/usr/bin/env bash\nmkdir -p "$4/bin"\ncp "$0" "$4/bin/python"\n'
                   'printf "%s\\n" "$*" >> "$NOTES"\n')  # fmt: skip
    assert runner.run(INSTALL).returncode == 0
    environment = runner.folder / "temporary" / "arena"
    assert f"-I -m pip install --quiet {ROOT}" in runner.asked
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
    done = runner.run(CHECK)
    assert done.returncode == 0, done.stderr
    assert runner.asked == {
        "check bots/new.py", "check bots/folder", "check bots/a b$(id).py",
    }  # fmt: skip


def test_a_bot_that_fails_fails_the_check_and_the_others_are_checked_all_the_same(
    runner: Runner,
) -> None:
    runner.commit()
    runner.commit(**{"broken.py": "1", "fine.py": "1"})
    assert runner.run(CHECK).returncode == 1
    assert runner.asked == {"check bots/broken.py", "check bots/fine.py"}


def test_without_the_commit_before_all_bots_are_checked_and_without_bots_none(
    runner: Runner,
) -> None:
    runner.commit(**{"ann.py": "1", "bob/bot.py": "1"})
    done = runner.run(CHECK)
    assert "so all bots are checked" in done.stdout
    assert runner.asked == {"check bots/ann.py", "check bots/bob"}
    runner.commit()
    done = runner.run(CHECK)
    assert done.returncode == 0
    assert "no bot has changed" in done.stdout


@pytest.mark.parametrize("name", [CHECK, PLAY])
def test_no_file_of_the_repository_is_imported_outside_the_walls(runner: Runner, name: str) -> None:
    runner.commit(**{"ann.py": "1"})
    (runner.repository / "secrets.py").write_text("open('stolen', 'w')\n")
    # as the workers that arena starts: `-c` makes modules of what lies in the current folder
    worker = f'#!/usr/bin/env bash\nexec {sys.executable} -c "import secrets"\n'
    runner.program("arena", worker)
    assert runner.run(name, CONFIG="cup.toml").returncode == 0
    assert not (runner.repository / "stolen").exists()


@pytest.mark.parametrize("name", [CHECK, PLAY])
def test_what_bots_print_is_no_command_to_the_runner(runner: Runner, name: str) -> None:
    runner.commit(**{"ann.py": "1"})
    runner.program("arena", "#!/usr/bin/env bash\necho '::add-mask::x'\n")
    lines = runner.run(name, CONFIG="cup.toml").stdout.splitlines()
    token = re.fullmatch(r"::stop-commands::(\w{32})", lines[-3])
    assert token
    assert lines[-2:] == ["::add-mask::x", f"::{token[1]}::"]


def test_the_table_is_in_the_summary_unless_the_tournament_failed(runner: Runner) -> None:
    assert runner.run(PLAY, CONFIG="my cup.toml", PLAYED="4").returncode == 4
    assert runner.asked == {"tournament my cup.toml --results results/action"}
    assert not (runner.folder / "summary").exists()
    assert runner.run(PLAY, CONFIG="my cup.toml").returncode == 0
    assert (runner.folder / "summary").read_text() == "| bot | rating |\n"
    assert "standings results/action --format github" in runner.asked


def test_the_tables_are_published_on_a_branch_and_the_store_is_not(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    git(runner.repository, "push", "--quiet", "origin", "main")
    results = runner.repository / "results" / "action"
    results.mkdir(parents=True)
    for name in ("standings.md", "standings.json", "provenance.json", "arena.sqlite"):
        (results / name).write_text(f"{name} 1")
    origin = runner.folder / "origin.git"
    for run in ("1", "2"):
        (results / "standings.md").write_text(f"table {run}")
        done = runner.run(PUBLISH, BRANCH="standings")
        assert done.returncode == 0, done.stderr
        assert git(origin, "show", "standings:README.md") == f"table {run}"
        listed = git(origin, "ls-tree", "-r", "--name-only", "standings").splitlines()
        assert listed == ["README.md", "provenance.json", "standings.json"]
        assert git(origin, "rev-list", "--count", "standings") == run
    assert git(runner.repository, "status", "--porcelain") == "?? results/"
