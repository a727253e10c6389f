"""What each kind of process does not load, and which processes a small tournament starts: starting
is most of what a small tournament costs, and nearly all of what a look at results does.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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
ALL = NUMBERS | WORDS | PROCESSES
ALONE = NUMBERS | WORDS | CONFIG | DATA


def command(*words: str) -> str:
    """Return code that runs a command, which is to end well."""
    return (
        f"import sys; sys.argv = {['arena', *words]}\n"
        "from arena.cli.app import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code, end.code\n"
    )


STARTS: dict[str, tuple[str, set[str]]] = {
    "a worker": (
        "import arena.__main__, arena.runner.worker",
        ALONE | {"typer", "arena.cli", "arena.store.store", "arena.tables"},
    ),
    "a zygote": (
        "import arena.sandbox.zygote as z; z._warm_up(z.PRELOADED)",
        ALONE | PROCESSES | {"typer", "arena.model", "subprocess"},
    ),
    "who chooses an executor": (
        "import arena.cli.tournament, arena.cluster, arena.runner.tournament", CLUSTER
    ),
    "a cluster's host, beside Dask": (
        "import arena.cluster.host", CLUSTER | NUMBERS | WORDS | DATA | {"typer"}
    ),
    "a process that rates": (
        "import arena.tables.pool_table", WORDS | CONFIG | PROCESSES | {"typer", "numpy.ma"}
    ),
    "a process that judges": (
        "import arena.audit.game_check", ALL | CONFIG | {"typer", "arena.plan", "arena.session"}
    ),
    "a test of a bot": ("import arena.testing", ALL | DATA | {"typer", "arena.session"}),
    "pytest, which has a plugin of ours": (
        "import arena.author.pytest_plugin", NUMBERS | CONFIG | {"msgspec", "arena.words", "games"}
    ),
    "a check, until it rates": ("import arena.author.check", ALL - {"tabulate"} | DATA | {"typer"}),
    "--version": (command("--version"), ALONE | PROCESSES | {"msgspec"}),
    "--help": (
        command("--help"),
        ALONE - {"rich"} | PROCESSES | {"matplotlib", "msgspec", "arena.system.machine"},
    ),
    "judge": (command("judge", os.devnull), ALL | DATA),
    "doctor --json": (command("doctor", "--json"), ALL | DATA),
    "records": (command("records", "RESULTS"), ALL),
    "history": (command("history", "RESULTS"), ALL - {"tabulate"}),
    "logs": (command("logs", "RESULTS", "ann"), ALL),
    "rerun": (command("rerun", "RESULTS", "ann"), ALL),
    "standings --json": (
        command("standings", "RESULTS", "--json"), {"jinja2", "rich", "numpy.ma"} | PROCESSES
    ),
    "verify": (command("verify", "RESULTS"), {"rich", "numpy.ma"} | PROCESSES),
}  # fmt: skip
"""Code as a kind of process runs it when it starts, and what it is not to load by that."""


def told(code: str, what: str) -> Any:
    code += f"\nimport json, sys; print(json.dumps({what}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.whole
@pytest.mark.parametrize("kind", STARTS)
def test_a_process_does_not_load_what_it_does_not_need(kind: str, played: Path) -> None:
    code, without = STARTS[kind]
    code = code.replace("RESULTS", str(played / "results" / "cup"))
    assert set(told(code, "sorted(sys.modules)")) & without == set()


@pytest.mark.whole
def test_what_was_made_before_takes_nothing_that_makes_it(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(league / "cache"))
    play = command("tournament", str(league / "tournaments" / "cup.toml"), "-q")
    show = command("standings", str(league / "results" / "cup"))
    assert {"numpy", "jinja2"} & set(told(play, "sorted(sys.modules)"))
    rates = {*NUMBERS, "jinja2", "rich"}
    assert set(told(play, "sorted(sys.modules)")) & {*rates, "multiprocess", "dill"} == set()
    assert set(told(show, "sorted(sys.modules)")) & {*rates, *PROCESSES} == set()


POOLS = """\
workers = 2
games = [
    { game = "no_thanks", players = 3, deals = 40 }, { game = "sixteen", players = 2, deals = 9 },
]
"""

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
def test_a_small_tournament_starts_its_workers_and_no_pool_and_none_imports_the_script(
    tmp_path: Path,
) -> None:
    """Workers start their zygotes themselves; before them comes the one that tries the walls."""
    script, config = tmp_path / "script.py", make(tmp_path, POOLS, dict.fromkeys("abc", FIRST))
    played = command("tournament", str(config), "-q")
    told = "import json; print(json.dumps([str(words) for words in started]), file=sys.stderr)\n"
    script.write_text(f"print('once', flush=True)\n{NOTED}{played}{told}")
    done = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == b"once\n"
    tries, *workers, copies = json.loads(done.stderr.splitlines()[-1])
    assert "arena.sandbox.zygote" in tries
    assert "arena.sandbox.zygote" in copies  # that are looked for after play
    assert len(workers) == 2, workers
    assert all("from multiprocess.spawn import" in each for each in workers), workers
