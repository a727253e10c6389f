"""What takes minutes (`make test-long`): many random games, the walls as an ordinary user, and one
store whose rows are in another order each time.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import games
from arena.model import Bot, Fixture, Pool
from arena.records.record import judge_record, make_body, make_line
from arena.store.store import Store
from arena.tables import formats
from arena.tables.results import make_document
from tests.leagues import arena, make
from tests.places import ROOT

pytestmark = pytest.mark.long

NOBODY = "65534"
WALLED = (
    "tests/process/test_bot_process.py", "tests/session/test_session.py",
    "tests/sandbox/test_walls.py", "tests/whole/test_load.py", "tests/whole/test_tournament.py",
    "tests/whole/test_hostile.py",
)  # fmt: skip


@pytest.mark.parametrize("name", games.names())
def test_thousands_of_random_games_with_forfeits_are_agreed_with(name: str, seed: int) -> None:
    rng, game = Random(seed), games.load(name)
    options = game.Options()
    for _ in range(3000):
        seats = rng.choice(game.seat_counts(options))
        state = game.State(options, seats, game.deal(options, seats, rng))
        while state.to_act is not None:
            seat = rng.randrange(seats)
            if rng.random() < 0.005 and seat not in state.forfeited:
                state.forfeit(seat)
            elif state.to_act in state.forfeited:
                state.apply(state.legal()[0])
            else:
                state.apply(rng.choice(state.legal()))
        bots = tuple(Bot(f"bot{seat}", "") for seat in range(seats))
        fixture = Fixture("0", bots, tuple(range(seats)), 0)
        body = make_body(game, state, state.result())
        record = json.loads(make_line(Pool(name, seats, "{}", ""), fixture, [], body))
        assert judge_record(record)


def python_for_nobody(folder: Path) -> list[str]:
    """Return the command of a Python that an ordinary user may run, with all that we have."""
    system = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    assert system, "no Python outside root's home: install python3 to test as an ordinary user"
    subprocess.run([system, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    ours = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    theirs = next((folder / "venv" / "lib").glob("python3*/site-packages"))
    shutil.copytree(ours, theirs, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__editable__*", "__pycache__"))  # fmt: skip
    (theirs / "league.pth").write_text(str(folder / "main"))
    drop = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    return [*drop, str(folder / "venv" / "bin" / "python")]


@pytest.mark.skipif(os.getuid() != 0, reason="this is an ordinary user already")
def test_the_walls_stand_for_an_ordinary_user_too(public: Path) -> None:
    folder = public
    left = shutil.ignore_patterns(".venv", ".*_cache", "__pycache__", "*.egg-info", "arena.sqlite*")
    shutil.copytree(ROOT, folder / "main", ignore=left)
    python = python_for_nobody(folder)
    (folder / "tmp").mkdir()
    subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(folder)], check=True)
    done = subprocess.run(
        [*python, "-m", "pytest", "-m", "not long", "-p", "no:cacheprovider",
         f"--basetemp={folder / 'tmp' / 'pytest'}", *WALLED],
        cwd=folder / "main", capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder / "tmp")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    print(done.stdout.splitlines()[-1])


def shuffle(file: Path, rng: Random) -> None:
    """Store the games anew, in another order."""
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = connection.execute("SELECT * FROM game").fetchall()
        connection.execute("DELETE FROM game")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO game VALUES ({marks})", rng.sample(rows, len(rows)))


def test_50_shuffles_of_a_store_give_one_document(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    assert arena("tournament", make(tmp_path), "-q").returncode == 0
    results = tmp_path / "results" / "cup"
    published = (results / "standings.json").read_text()
    for number in range(50):
        shuffle(results / "arena.sqlite", rng)
        with closing(Store.open(results)) as store:
            tables = formats.json(make_document(store))
        assert tables == published, f"shuffle {number}"
    for threads in ("1", "2", "7"):
        again = arena(
            "standings", results, "--json",
            environment={**os.environ, "OPENBLAS_NUM_THREADS": threads},
        )  # fmt: skip
        assert again.stdout.decode() == published, f"{threads} threads"
