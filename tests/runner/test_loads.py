"""Which bots cannot be loaded: an earlier run's finding is kept."""

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.model import WALLS, Limits, Reason
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.runner import loads
from arena.runner.serial_executor import SerialExecutor
from arena.store.loads import UNLOADABLE
from arena.store.schema import FILE
from arena.store.store import Store
from tests.leagues import main, make
from tests.sessions import CHANCE, FIRST

CONFIG = """\
seed = 5
games = [{ game = "no_thanks", players = 3, deals = 1, seatings = 3 }]
limits = { load_ms = 300, wall_ms = 100, memory_mib = 128 }
"""
BROKEN = {
    "raises": "1 / 0\n",
    "typo": "def decide(view:\n",
    "nothing": "",
    "sleeps": "import time\ntime.sleep(1000)\n",
    "loops": "while True: pass\n",
    "huge": "bytes(1 << 30)\n",
    "dies": "import os\nos.abort()\n",
}


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The bots that each run tries to load."""
    found = list[set[str]]()
    real = SerialExecutor.find_unloadable

    def find(
        self: SerialExecutor, bots: Sequence[str], steps: Progress = SILENT
    ) -> dict[str, Reason]:
        found.append(set(bots))
        return real(self, bots, steps)

    monkeypatch.setattr(SerialExecutor, "find_unloadable", find)
    return found


def play(folder: Path, typo: str) -> Path:
    """Play a league with a bot of this text; return its config."""
    config = make(folder, CONFIG, {"ann": FIRST, "bob": CHANCE, "typo": typo})
    main("tournament", config, "-q")
    return config


def more(config: Path, deals: int) -> None:
    config.write_text(config.read_text().replace(f"deals = {deals - 1}", f"deals = {deals}"))


@pytest.mark.long
def test_a_bot_that_raised_is_not_tried_again_and_one_that_was_ended_is(
    tmp_path: Path, tried: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = {"ann": FIRST, "bob": CHANCE, "cid": CHANCE} | BROKEN
    config = make(tmp_path, CONFIG, bots)
    first = main("tournament", config, "--max-faults", 0)
    assert tried == [bots.keys()]
    more(config, 2)
    again = main("tournament", config, "--max-faults", 0)
    others = bots.keys() - {"raises", "typo", "nothing"}
    assert tried[1] == others
    assert b"raises: forfeits all 126 games (ZeroDivisionError" in again.stderr
    assert first.returncode == again.returncode == 3
    (tmp_path / "bots" / "typo.py").write_text(FIRST)  # another file is another bot
    more(config, 3)
    main("tournament", config, "-q")
    assert tried[2] == others | {"typo"}
    config.write_text(config.read_text().replace("memory_mib = 128", "memory_mib = 129"))
    main("tournament", config, "-q")
    assert tried[3] == bots.keys()
    monkeypatch.setattr(loads, "all_versions", lambda: ({}, ["scipy 1.0"]))
    more(config, 4)
    main("tournament", config, "-q")
    assert tried[4] == bots.keys()


def test_a_dry_run_takes_what_is_kept_and_keeps_nothing(
    tmp_path: Path, tried: list[set[str]]
) -> None:
    config = play(tmp_path, BROKEN["typo"])
    more(config, 2)
    make(tmp_path, config.read_text(), {"raises": BROKEN["raises"]})
    said = main("tournament", config, "--dry-run")
    assert tried[1] == {"ann", "bob", "raises"}
    assert b"typo: does not load, so it will forfeit all its games:" in said.stderr
    assert b"SyntaxError" in said.stderr
    main("tournament", config, "-q")
    assert tried[2] == {"ann", "bob", "raises"}


@pytest.mark.parametrize("kept", ["{}", "[]", '{"under": 1, "why": ""}', "\\x00", b"\xff", 17])
def test_what_is_damaged_is_tried_again(
    tmp_path: Path, tried: list[set[str]], kept: object
) -> None:
    config = play(tmp_path, BROKEN["typo"])
    results = tmp_path / "results" / "cup"
    with closing(Store.create_or_open(results)) as store, store.writing():
        store.db.execute("UPDATE meta SET value = ? WHERE key LIKE ?", (kept, f"{UNLOADABLE}%"))
    more(config, 2)
    assert main("tournament", config, "-q").returncode == 0
    assert tried[1] == {"ann", "bob", "typo"}


def test_what_bots_said_is_in_no_published_copy(tmp_path: Path) -> None:
    play(tmp_path, "raise ValueError('for my author alone')")
    results = tmp_path / "results" / "cup"
    assert b"for my author alone" in (results / FILE).read_bytes()
    main("export", results, "--to", tmp_path / "out")
    (public,) = (tmp_path / "out").glob("*.sqlite")
    assert b"for my author alone" not in public.read_bytes()


def test_a_forged_word_that_a_bot_cannot_be_loaded_is_found_by_playing_again(
    tmp_path: Path,
) -> None:
    config = play(tmp_path, BROKEN["typo"])
    results = tmp_path / "results" / "cup"
    with closing(Store.create_or_open(results)) as store, store.writing():
        ann = next(bot for bot in store.bots() if bot.name == "ann")
        forged = (UNLOADABLE + ann.hash, f"{UNLOADABLE}%")
        store.db.execute("UPDATE meta SET key = ? WHERE key LIKE ?", forged)
    more(config, 2)
    assert b"ann: " in main("tournament", config).stderr
    done = main("verify", results, "--replay-bots", 6)
    assert done.returncode == 1
    assert b"replayed: 6 games, 6 with the same result" not in done.stdout


def test_a_bot_is_tried_again_where_libraries_of_its_own_load_otherwise(
    tmp_path: Path, tried: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = play(tmp_path, BROKEN["typo"])
    monkeypatch.setattr("os.statvfs", lambda at: Mock(f_flag=os.ST_NOEXEC))
    main("tournament", config, "-q")
    assert tried == [{"ann", "bob", "typo"}] * 2


@pytest.mark.parametrize(
    ("memory_mib", "workers", "needed"),
    [(768, 2, 0), (767, 2, 768), (1024, 8, 1536), (512, 1, 640)],
)
def test_that_memory_is_short_is_said_before_play_and_workers_start_all_the_same(
    memory_mib: int, workers: int, needed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """128 MiB a worker, and one bot at its limit."""
    monkeypatch.setattr(loads, "find_memory_mib", lambda: memory_mib)
    said = list[str]()
    plan = Plan("cup", Path("cup"), None, workers, Limits(memory_mib=512), WALLS, (), {})
    assert loads.hire_here(plan, 100, said.append).size == workers
    words = f" need {needed:,} MiB of memory, but there are {memory_mib:,}: "
    assert [words in line for line in said] == [True] * bool(needed)
