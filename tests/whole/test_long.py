"""What takes minutes: the walls as an ordinary user, and a store whose rows are in other orders."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from arena.store.store import Store
from arena.tables import formats
from arena.tables.results import make_document
from tests.leagues import BOTS, SMALL, arena, played_in
from tests.places import ROOT

pytestmark = pytest.mark.long

NOBODY = "65534"
WALLED = (
    "tests/process/test_bot_process.py", "tests/session/test_session.py",
    "tests/sandbox/test_walls.py", "tests/whole/test_load.py", "tests/whole/test_tournament.py",
    "tests/whole/test_hostile.py",
)  # fmt: skip


@pytest.mark.skipif(os.getuid() != 0, reason="this is an ordinary user already")
def test_the_walls_stand_for_an_ordinary_user_too(public: Path) -> None:
    left = shutil.ignore_patterns(".venv", ".*_cache", "__pycache__", "*.egg-info", "arena.sqlite*")
    shutil.copytree(ROOT, public / "main", ignore=left)
    system = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    assert system, "no Python outside root's home: install python3 to test as an ordinary user"
    subprocess.run([system, "-m", "venv", "--without-pip", str(public / "venv")], check=True)
    ours = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    theirs = next((public / "venv" / "lib").glob("python3*/site-packages"))
    shutil.copytree(ours, theirs, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__editable__*", "__pycache__"))  # fmt: skip
    (theirs / "league.pth").write_text(str(public / "main"))
    (public / "tmp").mkdir()
    subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(public)], check=True)
    done = subprocess.run(
        ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups",
         str(public / "venv" / "bin" / "python"), "-m", "pytest", "-m", "not long",
         "-p", "no:cacheprovider", f"--basetemp={public / 'tmp' / 'pytest'}", *WALLED],
        cwd=public / "main", capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(public), "TMPDIR": str(public / "tmp")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_50_shuffles_of_a_store_give_one_document(tmp_path: Path, seed: int) -> None:
    rng, results = Random(seed), played_in(tmp_path, SMALL, BOTS)
    published = (results / "standings.json").read_text()
    for number in range(50):
        with closing(sqlite3.connect(results / "arena.sqlite")) as database, database:
            rows = database.execute("SELECT * FROM game").fetchall()
            database.execute("DELETE FROM game")
            insert = f"INSERT INTO game VALUES ({', '.join('?' * len(rows[0]))})"
            database.executemany(insert, rng.sample(rows, len(rows)))
        with closing(Store.open(results)) as store:
            tables = formats.json(make_document(store))
        assert tables == published, f"shuffle {number}"
    for threads in ("1", "2", "7"):
        environment = {"OPENBLAS_NUM_THREADS": threads}
        again = arena("standings", results, "--json", environment=environment)
        assert again.stdout.decode() == published, f"{threads} threads"
