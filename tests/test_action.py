"""The GitHub Action: its steps, run as the runner would run them, in a repository made for it."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests import actions
from tests.actions import ACTION, PASSWORD, STEPS, Done, Runner, git
from tests.places import ROOT
from tests.sessions import FIRST

WORKFLOW = (ROOT / "arena/author/templates/league/arena.yml").read_text()
PAGES = {"action.yml": ACTION, "arena.yml": WORKFLOW}


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_every_script_is_found_and_takes_inputs_from_its_environment_alone() -> None:
    assert len(STEPS) == ACTION.count("      run: ") == 11
    declared = set(re.findall(r"^  (\w+):$", ACTION.split("runs:")[0], re.MULTILINE))
    assert declared == {"mode", "config", "branch", "password", "fresh", "label", "site"}
    for step in STEPS.values():
        assert (step["shell"], "${{" in step["run"]) == ("bash", False)
        for variable, value in step.get("env", {}).items():
            assert "inputs." not in value or re.search(rf"(\$|env:){variable}\b", step["run"])
    assert set(re.findall(r"inputs\.(\w+)", ACTION)) == declared


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_name_actions_by_hash_and_no_registry(page: str) -> None:
    """A tag can be moved to other code, a hash cannot."""
    assert not re.search(r"https?://|index-url|pypi", PAGES[page])
    used = re.findall(r"uses: (?!@ACTION@)(.*)", PAGES[page])
    assert used
    for each in used:
        assert re.fullmatch(r"actions/[\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", each), each


def test_games_are_kept_though_the_run_failed_and_lost_and_published_as_the_inputs_say() -> None:
    conditions = [STEPS[name]["if"] for name in (actions.LOST, actions.CLOSE, actions.PUBLISH)]
    play = "inputs.mode == 'play'"
    assert conditions == [
        f"{play} && inputs.fresh != 'true'", f"always() && {play}", f"{play} && inputs.branch != ''"
    ]  # fmt: skip
    assert f"if: always() && {play}\n      uses: actions/cache/save" in ACTION


def test_the_workflow_gives_inputs_that_the_action_has() -> None:
    given = re.findall(r"uses: @ACTION@\n +with:\n((?: {10}.*\n)+)", WORKFLOW)
    keys = [re.findall(r"^ +(\w+):", each, re.MULTILINE) for each in given]
    assert keys == [["mode"], ["mode", "config", "password", "fresh", "label", "site"]]
    assert WORKFLOW.count("persist-credentials: false") == WORKFLOW.count("actions/checkout@") == 2
    assert "pull_request_target" not in WORKFLOW  # it would give a stranger's code our rights


def test_the_workflow_plays_on_main_by_itself_twice_a_week() -> None:
    read = yaml.safe_load(WORKFLOW.replace("@ACTION@", "OWNER/arena@COMMIT"))
    begins = read[True]  # `on`, as YAML 1.1 reads it
    assert set(begins) == {"pull_request", "push", "schedule", "workflow_dispatch"}
    days = begins["schedule"][0]["cron"].split()[-1].split(",")
    assert int(days[1]) - int(days[0]) in (3, 4)  # twice a week: GitHub drops caches after one
    assert read["jobs"]["play"]["if"] == "github.ref == 'refs/heads/main'"


def test_wrong_inputs_are_refused_before_anything_is_installed(runner: Runner) -> None:
    (runner.repository / "cup.toml").touch()
    for mode, config, told in (
        ("watch", "", "mode: found 'watch'; expected check or play\n"),
        ("play", "x", "config: no such file 'x'; name the tournament's TOML file\n"),
        ("play", "cup.toml", ""),
        ("check", "x", ""),
    ):
        done = runner.run(actions.INPUTS, MODE=mode, CONFIG=config)
        assert (done.stderr, done.returncode) == (told, 2 if told else 0)


def test_arena_is_installed_from_the_action_s_own_files(runner: Runner) -> None:
    runner.program("python", '#!/usr/bin/env bash\nmkdir -p "$4/bin"\ncp "$0" "$4/bin/python"\n'
                   'printf "%s\\n" "$*" >> "$NOTES"\n')  # fmt: skip
    assert runner.run(actions.INSTALL).returncode == 0
    environment = runner.folder / "temporary" / "arena"
    install = "-I -m pip install --quiet --no-deps --no-build-isolation"
    pins = f"{ROOT}/.github/requirements.txt"  # whatever newer version somebody publishes
    assert {f"{install} {ROOT}", f"{install} --requirement {pins}"} <= runner.asked
    pip = [words for words in runner.asked if "-m pip install" in words]
    assert all(words.startswith(install) for words in pip)
    assert (runner.folder / "path").read_text() == f"{environment / 'bin'}\n"


def test_a_bot_that_fails_fails_the_check_and_the_others_are_checked_all_the_same(
    runner: Runner,
) -> None:
    runner.commit(**{"ann.py": "1"})
    done = runner.check()
    assert (done.returncode, "set fetch-depth: 2" in done.stdout) == (1, True)
    runner.commit()
    done = runner.check()
    assert (done.returncode, "no bot changed" in done.stdout, runner.asked) == (0, True, set())
    runner.commit(**{"broken.py": "1", "fine.py": "1"})
    assert runner.check().returncode == 1
    assert runner.asked == {"check bots/broken.py", "check bots/fine.py"}


def test_lines_of_faults_are_marked_and_no_message_is_a_command(runner: Runner) -> None:
    runner.commit()
    text = (
        "def decide(view):\n    if view.game == 'sixteen':\n"
        "        raise ValueError('50%\\n::add-mask::x')\n    return view.legal[0]\n"
    )
    name = "__file__.replace('bot.py', '../ann.py')"  # another's file
    elsewhere = f"def decide(view):\n    exec(compile('1 / 0', {name}, 'exec'))\n"
    runner.commit(**{"ann.py": text, "bob/bot.py": "import bob_x\n" + FIRST,
                     "bob/bob_x.py": "1 +\n", "eve/bot.py": elsewhere})  # fmt: skip
    runner.program("arena", f'#!/usr/bin/env bash\nexec {sys.executable} -m arena "$@"\n')
    done = runner.check()
    assert done.returncode == 1, done.stderr
    marks = sorted(line for line in done.stdout.splitlines() if line.startswith("::error"))
    assert marks == [
        "::error file=bots/ann.py,line=3::ann: ValueError: 50%25",
        "::error file=bots/bob/bob_x.py,line=1::bob: SyntaxError: invalid syntax",
        "::error::eve: ZeroDivisionError: division by zero",
    ]
    assert "ann is not sound: it forfeits" in done.stdout


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
    letter = "mkdir -p $RUNNER_TEMP/letters; cat > $RUNNER_TEMP/letters/ann.txt"
    printed = "echo '::add-mask::x'"
    program = f"if [[ $1 == check ]]; then {letter} <<< $({printed}); else {printed}; fi"
    runner.program("arena", f"#!/usr/bin/env bash\n{program}\n")
    for done in (runner.check(), runner.run(actions.PLAY, CONFIG="cup.toml")):
        *_, stops, printed, goes_on = done.stdout.splitlines()
        token = re.fullmatch(r"::stop-commands::(\w{32})", stops)
        assert token
        assert (printed, goes_on) == ("::add-mask::x", f"::{token[1]}::")


def test_the_table_is_in_the_summary_unless_the_tournament_failed(runner: Runner) -> None:
    assert runner.run(actions.PLAY, CONFIG="my cup.toml", PLAYED="4").returncode == 4
    assert runner.asked == {f"tournament my cup.toml --quiet --results {runner.results}"}
    assert not (runner.folder / "summary").exists()
    assert runner.run(actions.PLAY, CONFIG="my cup.toml").returncode == 0
    assert (runner.folder / "summary").read_text() == "| bot | rating |\n"


def test_the_tables_are_published_on_a_branch_and_the_store_is_not(runner: Runner) -> None:
    runner.commit(**{"ann.py": "1"})
    git(runner.repository, "push", "--quiet", "origin", "main")
    put_weeks(runner, 1)
    results = runner.results
    for name in ("standings.json", "provenance.json", "arena.sqlite"):
        (results / name).touch()
    origin = runner.folder / "origin.git"
    for run in ("1", "2"):
        (results / "standings.md").write_text(f"table {run}")
        for time in "morning", "noon":  # a run without news makes no commit
            (results / "provenance.json").write_text(time)
            done = runner.run(actions.PUBLISH, BRANCH="standings")
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
    assert runner.run(actions.PUBLISH, BRANCH="standings").returncode == 0
    shutil.rmtree(runner.results)
    return runner


def look_for_lost(runner: Runner, branch: str = "standings") -> Done:
    return runner.run(actions.LOST, BRANCH=branch, CONFIG="my cup.toml", TOKEN="token")


def put_weeks(runner: Runner, number: int) -> None:
    (runner.results / "history").mkdir(parents=True, exist_ok=True)
    (runner.results / "standings.md").write_text("table")
    for week in range(1, number + 1):
        (runner.results / f"history/{week:04}.json").write_text("{}")


def test_a_lost_cache_stops_the_league_and_leaves_all_as_it_was(published: Runner) -> None:
    """GitHub drops it after a week without a run: the next would start over, in silence."""
    before = git(published.folder / "origin.git", "for-each-ref")
    assert published.run(actions.OPEN, PASSWORD=PASSWORD).returncode == 0
    done = look_for_lost(published)
    assert (done.returncode, done.stdout.count("\n")) == (1, 1)
    assert done.stdout.startswith(
        "::error::the cache has no games of my cup.toml, but the branch standings has weeks of "
        "them: history/0001.json history/0002.json%0A"
    )
    assert published.run(actions.CLOSE, PASSWORD=PASSWORD).returncode == 0  # it runs in any case
    assert not (published.folder / "temporary" / "games").exists()  # what would be saved
    assert git(published.folder / "origin.git", "for-each-ref") == before


def test_a_cache_from_before_the_last_published_week_stops_it_too(published: Runner) -> None:
    said = "lacks games of my cup.toml, but the branch standings has weeks of them: "
    for weeks in (1, 2, 3):
        put_weeks(published, weeks)
        done = look_for_lost(published)
        assert done.returncode == (weeks == 1)
        assert (f"{said}history/0002.json%0A" in done.stdout) == (weeks == 1)


def test_a_league_begins_where_no_week_is_published_and_is_warned_without_a_branch_of_tables(
    published: Runner,
) -> None:
    done = look_for_lost(published, "main")
    assert (done.returncode, done.stdout) == (0, "")
    done = look_for_lost(published, "")
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::the cache has no games of my cup.toml: the league")
    shutil.rmtree(published.folder / "origin.git")
    assert look_for_lost(published).returncode != 0, "a branch that cannot be read"
