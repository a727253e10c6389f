"""What each kind of process does not load, and which processes a small tournament starts.

Starting is most of what a small tournament costs, and nearly all of what a look at results does. An
import is soon added, and nobody sees it in the tables: so it is held here, by name.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.leagues import make
from tests.places import ROOT
from tests.sessions import FIRST

NUMBERS = {"numpy", "trueskill"}  # 0.1 to 0.3 s: only who rates needs them
WORDS = {"jinja2", "rich", "tabulate"}  # only who shows tables, help or progress
CONFIG = {"pydantic"}  # 0.1 s; typer itself loads it where a command has arguments
PROCESSES = {"multiprocess", "dill", "multiprocessing", "concurrent"}  # only who plays, or shares
CLUSTER = {"dask", "distributed", "tornado"}  # 0.7 s: only `--cluster` needs it
DATA = {"sqlite3"}  # only who holds the store


class Start(NamedTuple):
    """Code as a kind of process runs it when it starts, and what it is not to load by that."""

    code: str
    without: set[str]


def command(*words: str) -> str:
    """Return code that runs a command, which is to end well."""
    return (
        f"import sys; sys.argv = {['arena', *words]}\n"
        "from arena.cli.app import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code, end.code\n"
    )


STARTS = {
    "a worker": Start(
        "import arena.__main__, arena.runner.worker",
        {
            *NUMBERS,
            *WORDS,
            *CONFIG,
            *DATA,
            "typer",
            "arena.cli",
            "arena.store.store",
            "arena.tables",
        },
    ),
    "a zygote": Start(
        "import arena.sandbox.zygote as z; z._warm_up(z.PRELOADED)",
        {*NUMBERS, *WORDS, *CONFIG, *DATA, *PROCESSES, "typer", "arena.model", "subprocess"},
    ),
    "who chooses an executor": Start(
        "import arena.cli.tournament, arena.cluster, arena.runner.tournament", CLUSTER
    ),
    "a cluster's host, beside Dask": Start(
        "import arena.cluster.host", {*CLUSTER, *NUMBERS, *WORDS, *DATA, "typer"}
    ),
    "a process that rates": Start(
        "import arena.tables.pool_table", {*WORDS, *CONFIG, *PROCESSES, "typer", "numpy.ma"}
    ),
    "a process that judges": Start(
        "import arena.audit.game_check",
        {*NUMBERS, *WORDS, *CONFIG, *PROCESSES, "typer", "arena.plan", "arena.session"},
    ),
    "a test of a bot": Start(
        "import arena.testing", {*NUMBERS, *WORDS, *DATA, *PROCESSES, "typer", "arena.session"}
    ),
    "pytest, which has a plugin of ours": Start(
        "import arena.author.pytest_plugin", {*NUMBERS, *CONFIG, "msgspec", "arena.words", "games"}
    ),
    "a check, until it rates": Start(
        "import arena.author.check", {*NUMBERS, *DATA, *PROCESSES, "jinja2", "rich", "typer"}
    ),
    "--version": Start(
        command("--version"), {*NUMBERS, *WORDS, *CONFIG, *DATA, *PROCESSES, "msgspec"}
    ),
    "--help": Start(
        command("--help"),
        {
            *NUMBERS,
            *CONFIG,
            *DATA,
            *PROCESSES,
            "jinja2",
            "matplotlib",
            "msgspec",
            "tabulate",
            "arena.system.machine",
        },
    ),
    "judge": Start(command("judge", os.devnull), {*NUMBERS, *WORDS, *DATA, *PROCESSES}),
    "doctor --json": Start(command("doctor", "--json"), {*NUMBERS, *WORDS, *DATA, *PROCESSES}),
    "records": Start(command("records", "RESULTS"), {*NUMBERS, *WORDS, *PROCESSES}),
    "history": Start(command("history", "RESULTS"), {*NUMBERS, "jinja2", "rich", *PROCESSES}),
    "logs": Start(command("logs", "RESULTS", "ann"), {*NUMBERS, *WORDS, *PROCESSES}),
    "rerun": Start(command("rerun", "RESULTS", "ann"), {*NUMBERS, *WORDS, *PROCESSES}),
    "standings --json": Start(
        command("standings", "RESULTS", "--json"), {"jinja2", "rich", "numpy.ma", *PROCESSES}
    ),
    "verify": Start(command("verify", "RESULTS"), {"rich", "numpy.ma", *PROCESSES}),
}


LATE = {
    "__main__": "commands take long to load, and that may be interrupted",
    "audit.exported": "pyarrow is an extra, and only Unix has limits",
    "audit.rerun": "a process of a bot, on Linux only",
    "author.check_results": "numpy",
    "author.game_tests": "SQLite",
    "author.in_process": "numpy",
    "author.players": "SQLite, and a process of a bot, on Linux only",
    "author.pytest_plugin": "all of arena",
    "cluster.scheduler": "Dask is an extra",
    "export.files": "pyarrow is an extra",
    "plan.plan": "a process of a bot, on Linux only",
    "runner.loads": "multiprocess",
    "sequential.verdicts": "numpy",
    "site.picture": "Pillow is an extra",
    "system.folders": "Windows has no walls",
    "system.locks": "Windows has no pwd",
    "system.parallel": "multiprocessing, and walls, on Linux only",
    "tables.page": "jinja2",
    "tables.results": "numpy",
}
"""Modules that import inside functions, and what is to load late. So does all of the command line:
for `--help` each command is loaded, and nothing that it uses."""


def test_imports_inside_functions_are_those_that_must_be_late() -> None:
    late = set[str]()
    for file in (ROOT / "arena").rglob("*.py"):
        tree = ast.parse(file.read_text())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        inside = (node for function in functions for node in ast.walk(function))
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in inside):
            late.add(".".join(file.relative_to(ROOT / "arena").with_suffix("").parts))
    assert {name for name in late if not name.startswith("cli.")} == LATE.keys()


def told(code: str, what: str) -> Any:
    """Return the value of the expression `what` in a process that has run the code."""
    code += f"\nimport json, sys; print(json.dumps({what}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.whole
@pytest.mark.parametrize("kind", STARTS)
def test_a_process_does_not_load_what_it_does_not_need(kind: str, played: Path) -> None:
    start = STARTS[kind]
    code = start.code.replace("RESULTS", str(played / "results" / "cup"))
    assert set(told(code, "sorted(sys.modules)")) & start.without == set()


RECALLED = {
    ("standings", "RESULTS"): {*NUMBERS, "jinja2", "rich", *PROCESSES},
    ("tournament", "CONFIG", "-q"): {*NUMBERS, "jinja2", "rich", "multiprocess", "dill"},
}
"""Commands that read tables which were made before, and what they do without."""


@pytest.mark.whole
@pytest.mark.parametrize("words", RECALLED, ids=lambda words: words[0])
def test_what_was_made_before_takes_nothing_that_makes_it(
    words: tuple[str, ...], league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(league / "cache"))
    places = {"RESULTS": league / "results" / "cup", "CONFIG": league / "tournaments" / "cup.toml"}
    code = command(*(str(places.get(word, word)) for word in words))
    assert {"numpy", "jinja2"} & set(told(code, "sorted(sys.modules)"))
    assert set(told(code, "sorted(sys.modules)")) & RECALLED[words] == set()


@pytest.mark.whole
def test_what_tables_are_made_with_can_be_loaded_before_there_is_a_game() -> None:
    """So it loads while workers start, who take longer."""
    code = "from arena.tables.results import load_makers; load_makers()"
    modules = set(told(code, "sorted(sys.modules)"))
    assert {"jinja2", "numpy", "tabulate", "trueskill", "arena.tables.standings"} <= modules


PACKAGE = """\
MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
Rating = TrueSkill = Gaussian = None
assert MU is not 25
"""  # every Python warns of its last line, as 3.12 and later do of an escape in the true package


def test_nothing_is_said_of_the_trueskill_package_s_source(tmp_path: Path) -> None:
    package = tmp_path / "trueskill"
    package.mkdir()
    for name in ("__init__", "mathematics"):
        (package / f"{name}.py").write_text(PACKAGE)
    said = [
        subprocess.run(
            [sys.executable, "-B", "-c", f"import {name}"], cwd=ROOT, capture_output=True,
            env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=True,
        ).stderr
        for name in ("arena.rating.fit", "trueskill")
    ]  # fmt: skip
    assert (said[0], b"SyntaxWarning" in said[1]) == (b"", True)


POOLS = """\
workers = 2
games = [
    { game = "no_thanks", players = 3, deals = 40 }, { game = "sixteen", players = 2, deals = 9 },
]
"""

BOTS = ("ann", "bob", "cid")

NOTED = """
import subprocess
from multiprocess import util
from multiprocessing import util as pools
started, start, popen = [], util.spawnv_passfds, subprocess.Popen.__init__
def noted(path, words, fds):
    started.append(words)
    return start(path, words, fds)
def noted_too(self, words, *rest, **more):
    started.append(words)
    return popen(self, words, *rest, **more)
util.spawnv_passfds = pools.spawnv_passfds = noted
subprocess.Popen.__init__ = noted_too
"""


@pytest.mark.whole
def test_a_small_tournament_starts_its_workers_and_no_pool(tmp_path: Path) -> None:
    """Workers start their zygotes themselves: one each, if no bot uses numpy. Before them comes the
    one of the child that tries the walls.
    """
    config = make(tmp_path, POOLS, dict.fromkeys(BOTS, FIRST))
    code = NOTED + command("tournament", str(config), "-q")
    started = told(code, "[str(words) for words in started]")
    tries, *workers = started
    assert "arena.sandbox.zygote" in tries
    assert len(workers) == 2, started
    assert all("from multiprocess.spawn import" in each for each in workers), started


SCRIPT = """\
from arena.__main__ import main
print("once", flush=True)
main()
"""


@pytest.mark.whole
def test_a_script_without_a_guard_plays_a_tournament_once(tmp_path: Path) -> None:
    """Workers do not import the main module of who starts them."""
    script, config = tmp_path / "script.py", make(tmp_path, POOLS, dict.fromkeys(BOTS, FIRST))
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script, "tournament", config, "-q"], capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"once\n"), done.stderr.decode()
    assert len(list((tmp_path / "results").iterdir())) == 1
