"""A stranger's store says what its bots get; on the machine of who reads it they get no more than
that reader's bound, unless `--its-limits` says so.
"""

import json
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.leagues import Done, main, make
from tests.places import source
from tests.sessions import FIRST

CONFIG = """\
seed = 5
workers = 1

[limits]
memory_mib = 65536
cpu_ms = 600000
wall_ms = 600000

[[games]]
game = "sixteen"
players = 2
deals = {}
"""
DEALS = 3
FICKLE_THEN_GREEDY = """\
import mmap
import time

def decide(view):
    if len(view.hand) < 3:
        mmap.mmap(-1, 1536 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    return view.legal[time.time_ns() // 1000 % len(view.legal)]
"""


def play(folder: Path, eve: str, deals: int) -> Path:
    """Return the results of two bots, one of which takes what it can in seat 0."""
    config = make(folder, CONFIG.format(deals), {"bob": FIRST, "eve": eve})
    done = main("tournament", config, "-q")
    assert done.returncode == 0, done.stderr.decode()
    standings = json.loads((folder / "results" / "cup" / "standings.json").read_bytes())
    assert [each["total"] for each in standings["faults"]] == [0, 0]
    return folder / "results" / "cup"


HELD = "cpu_ms 5000 (of 600000), wall_ms 5000 (of 600000), memory_mib 1024 (of 65536); --its-limits"


def said(done: Done, cut: int) -> None:
    """Hold a command to what it says of games that the bound cut short, and to no finding."""
    told = done.stderr.decode()
    assert done.returncode == 0, (told, done.stdout)
    assert HELD in told
    games = f"{cut} games were" if cut > 1 else "1 game was"
    assert f"{games} cut short by that, and not compared: eve {cut}\n" in told


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("greedy"), source("takes_memory"), DEALS)


@pytest.mark.whole
@pytest.mark.parametrize("words", [("audit",), ("verify", "--replay-bots", 6), ("rerun", "eve")])
def test_a_stored_bot_takes_no_more_memory_than_the_reader_s_bound(
    results: Path, words: tuple[str, ...]
) -> None:
    """A bot that was given 1.5 GiB decides as before; one that was not has a fault."""
    done = main(words[0], results, *words[1:])
    said(done, DEALS)
    trusted = main(words[0], results, *words[1:], "--its-limits")
    assert trusted.returncode == 0, trusted.stdout
    assert b"less here" not in trusted.stderr
    assert b"cut short" not in trusted.stderr


@pytest.mark.whole
def test_nor_where_a_recorded_game_is_shown_to_it(results: Path) -> None:
    with closing(Store.open(results)) as store:
        games = [(row.id, [row.line_up[at].name for at in row.fixture.seating])
                 for row in store.games()]  # fmt: skip
    (game, *_) = (id for id, names in games if names[0] == "eve")
    done = main("debug", results, f"{game}:0", "--trace")
    assert HELD in done.stderr.decode()
    assert b"OSError: [Errno 12] Cannot allocate memory" in done.stdout
    trusted = main("debug", results, f"{game}:0", "--trace", "--its-limits")
    assert b"OSError" not in trusted.stdout


@pytest.mark.long
def test_nor_more_time(tmp_path: Path) -> None:
    results = play(tmp_path, source("takes_time"), deals=1)
    said(main("audit", results), cut=1)
    assert b"cut short" not in main("audit", results, "--its-limits").stderr


@pytest.mark.whole
def test_one_that_decides_otherwise_before_it_is_cut_short_is_found(tmp_path: Path) -> None:
    results = play(tmp_path, FICKLE_THEN_GREEDY, DEALS)
    done = main("audit", results)
    assert done.returncode == 1
    assert b"eve decided differently at action " in done.stdout


@pytest.mark.whole
def test_within_the_bound_nothing_is_said(played: Path) -> None:
    for words in (("audit", "--games", 5), ("rerun", "ann")):
        done = main(words[0], played / "results" / "cup", *words[1:])
        assert done.returncode == 0
        assert b"its-limits" not in done.stderr
