"""What hosts return is looked at before it is kept: forgers of Dask's workers, and their games."""

import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.audit import game_check
from arena.cluster import inspection
from arena.cluster.host import Returned
from arena.cluster.inspection import JUDGED, inspect, inspect_loading
from arena.errors import ArenaError
from arena.model import Bot, Entry, Limits, Pool, Reason, StoredPlan, Tally
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.store import chunk, schema
from arena.store.chunk import Chunk, pack_bodies
from tests.benchmarks.fleet_hosts import returned
from tests.clusters import LEAGUE, SLOW, cluster
from tests.leagues import arena, main, make
from tests.needs import needs_cluster

needs_cluster()

FORGER = """
import pickle
from arena.cluster import host as far

honest = far.honest = getattr(far, "honest", far.play)  # Dask may load a file twice

def play(host, job):
    return pickle.dumps(forged(host, pickle.loads(job)))

far.play = play
"""
FORGERS = {
    "deals": "return far.unpacked(honest(host, far.packed(asked._replace(secret=bytes(32)))))",
    "garbage": "return far.Returned([('no', 'chunk')], None, 7)",
}
"""What each returns of a session; what else one may return is handed to `inspect` below."""


@pytest.mark.whole
def test_forgers_get_no_more_work_and_their_games_are_played_by_others(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW))
    forgers = {name: f"def forged(host, asked):\n    {body}" for name, body in FORGERS.items()}
    with cluster(tmp_path) as hosts:
        for name, lines in forgers.items():
            (preload := tmp_path / f"{name}_forger.py").write_text(f"{FORGER}\n{lines}\n")
            hosts.worker(name, "--preload", str(preload))
        hosts.worker("honest")
        hosts.wait_for_workers(len(forgers) + 1)
        done = main("tournament", config, "--cluster", hosts.address)
    said = done.stderr.decode()
    print(said)
    assert done.returncode == 0
    named = {line.partition(" ")[0] for line in said.splitlines() if " skipped: " in line}
    assert named == set(forgers)
    assert main("verify", tmp_path / "results" / "cup").returncode == 0
    home = arena("tournament", config, "--results", tmp_path / "home", "-q")
    assert home.returncode == 0, home.stderr
    results = tmp_path / "results" / "cup"
    assert main("records", results).stdout == main("records", tmp_path / "home").stdout


@pytest.mark.parametrize(
    "why",
    [
        {"nobody": Reason("load", "sleeps")},
        {"ann": 7},
        {"ann": Reason("sloth")},  # type: ignore[arg-type]
        {"ann": Reason("load", "\ud800")},
        {"ann": Reason("load", text="x" * schema.LONG_CELL)},
        ["ann"],
        None,
    ],
    ids=lambda why: str(why)[:40],
)
def test_a_host_that_slanders_bots_is_not_heard(why: Any) -> None:
    with pytest.raises(ArenaError, match="bots that do not load"):
        inspect_loading(["ann", "bob"], why)


POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(name, name * 8) for name in ("ann", "bob", "cid"))
ENTRY = Entry(POOL, BOTS, 2, "all", False)
GAMES = list(make_schedule(StoredPlan("cup", True, "", Limits(), (ENTRY,)), ENTRY))
JOB = Job(POOL, Limits(), False, GAMES, b"secret", {})


class Never(Random):
    """Has no chunk judged."""

    def randrange(self, *_: Any) -> int:
        """Return what draws no chunk."""
        return 1


class Always(Random):
    """Has every chunk judged."""

    def randrange(self, *_: Any) -> int:
        """Return what draws a chunk."""
        return 0


def chunk_with(**columns: Callable[[list[Any]], list[Any]]) -> Returned:
    """Return a session with a chunk whose columns are changed."""
    made = returned(POOL, GAMES)
    (games,) = made.games
    changed: dict[str, Any] = {
        name: change(getattr(games, name)) for name, change in columns.items()
    }
    return made._replace(games=[games._replace(**changed)])


def first(value: Any) -> Callable[[list[Any]], list[Any]]:
    """Return what puts a value in the place of a column's first."""
    return lambda column: [value, *column[1:]]


FAULT = (GAMES[0].id, 0, BOTS[GAMES[0].seating[0]], "error", 3, '{"kind":"error"}')
WRONG: dict[str, dict[str, Callable[[list[Any]], list[Any]]]] = {
    "another game": {"ids": first("f" * 20)},
    "a game twice": {"ids": first(GAMES[1].id)},
    "another seating": {"seatings": first("[2, 1, 0]")},
    "a seating written otherwise": {"seatings": lambda all: [each + " " for each in all]},
    "another deal": {"deals": first(7)},
    "a deal that is no number": {"deals": lambda all: [float(each) for each in all]},
    "too few ranks": {"ranks": first("[1, 2]")},
    "ranks that are none": {"ranks": first("[1, 2, 4]")},
    "ranks as long as a cell": {"ranks": first("[1, 2, 3" + " " * schema.CELL + "]")},
    "scores that are none": {"scores": first("[1, 2, true]")},
    "scores without end": {"scores": first(str([0] * 9999))},
    "a checksum too large": {"checksums": first(1 << 64)},
    "a checksum that is text": {"checksums": first("7")},
    "line-ups that nobody plays": {"line_ups": lambda all: [*all, (Bot("eve", ""),) * 3]},
    "no line-up": {"own_line_ups": first(-1)},
    "a column too short": {"deals": lambda all: all[1:]},
    "a fault twice": {"faults": lambda _: [FAULT, FAULT]},
    "another bot's fault": {"faults": lambda _: [(*FAULT[:2], Bot("eve", ""), *FAULT[3:])]},
    "a fault of no seat": {"faults": lambda _: [(FAULT[0], -1, *FAULT[2:])]},
    "a fault of no kind": {"faults": lambda _: [(*FAULT[:3], "sloth", *FAULT[4:])]},
    "a fault at no action": {"faults": lambda _: [(*FAULT[:4], 1 << 70, "why")]},
    "a fault of no game": {"faults": lambda _: [("f" * 20, *FAULT[1:])]},
    "a fault of two kinds": {"faults": lambda _: [(*FAULT[:5], '{"kind":"time"}')]},
    "a fault with half a pair": {"faults": lambda _: [(*FAULT[:5], chr(0xD800))]},
    "records that are text": {"bodies": lambda _: ["no", "bytes"]},
    "more than a chunk takes": {"bodies": lambda _: bytes(chunk.PACKED + 1)},  # type: ignore
}
"""What no store takes, or what is not of this session, however seldom a chunk is judged."""


@pytest.mark.parametrize("what", WRONG)
def test_what_no_store_takes_is_found_though_nothing_is_unpacked(what: str) -> None:
    with pytest.raises(ArenaError, match="it returned a wrong session"):
        inspect(JOB, chunk_with(**WRONG[what]), is_first=False, chance=Never())


BOMB = zlib.compress(bytes(chunk.UNPACKED + 1))


@pytest.mark.parametrize(
    "lie",
    [
        returned(POOL, GAMES)._replace(games=[]),
        Returned([("no", "chunk")], None, 7),  # type: ignore[arg-type,list-item]
        chunk_with(bodies=lambda _: BOMB),  # type: ignore[arg-type,return-value]
    ],
    ids=["nothing", "garbage", "a bomb"],
)
def test_what_is_no_session_is_not_taken(lie: Returned) -> None:
    with pytest.raises(ArenaError):
        inspect(JOB, lie, is_first=True, chance=Never())


def test_a_fault_of_a_seat_s_bot_is_taken() -> None:
    inspect(JOB, chunk_with(faults=lambda _: [FAULT]), is_first=False, chance=Never())


USED = Tally("ann", 1, 0.1, 0.1, (), "")
DEEP: Any = ()
for _ in range(100_000):
    DEEP = (DEEP,)


@pytest.mark.parametrize(
    "lie",
    [
        {"bot": "eve"},
        {"decisions": -1},
        {"decisions": 7.5},  # a reader would take the table for damaged
        {"decisions": 1 << 70},  # SQLite has no such numbers, and storing them would end arena
        {"decisions": 10**400},
        {"cpu_s": 1 << 70},
        {"worst_s": float("nan")},
        {"notes": ("x" * (schema.LONG_CELL // 2),) * 3},
        {"notes": (7,)},
        {"notes": "text"},
        {"notes": DEEP},
        {"printed": chr(0xD800)},
        {"ends": ((7,),)},
        {"ends": ((1 << 60, Reason("error")),)},
        {"ends": ((1, Reason("sloth")),)},  # type: ignore[arg-type]
    ],
    ids=lambda lie: next(iter(lie)),
)
def test_what_bots_used_is_of_its_form(lie: dict[str, Any]) -> None:
    made = returned(POOL, GAMES)
    assert made.tallies
    lying = made._replace(tallies=[USED._replace(**lie), *made.tallies[1:]])
    with pytest.raises(ArenaError):
        inspect(JOB, lying, False, Never())


def test_no_chunk_without_games_takes_room() -> None:
    empty = Chunk([], [], [], [], [], [], [], [], [], pack_bodies([b"x" * 999]))
    made = returned(POOL, GAMES)
    with pytest.raises(ArenaError, match="a chunk has 0 games"):
        inspect(JOB, made._replace(games=[*made.games, empty]), False, Never())


def test_of_fifty_chunks_one_is_judged_whole_and_of_a_host_s_first_one_game_in_fifty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = list[str]()
    monkeypatch.setattr(
        inspection,
        "wrong_game",
        lambda row, *_: judged.append(row.id),  # so says nothing
    )
    made = pickle.dumps(returned(POOL, GAMES))

    def count(is_first: bool, chance: Random) -> int:
        judged.clear()
        inspect(JOB, pickle.loads(made), is_first, chance)
        return len(judged)

    assert count(False, Never()) == 0
    assert count(True, Never()) == -(-len(GAMES) // JUDGED)
    assert count(False, Always()) == len(GAMES)
    chance = Random(1)
    drawn = sum(count(False, chance) > 0 for _ in range(1000))
    assert 8 < drawn < 35  # 20, with a standard deviation of 4.4


@pytest.mark.parametrize(
    "lie",
    [
        {"ranks": lambda all: ["[1, 1, 1]" for _ in all]},  # of its form, and not how it ended
        {"checksums": first(7)},
        {"bodies": lambda _: pack_bodies([b"{}"] * len(GAMES))},
    ],
)
def test_what_a_judged_chunk_says_has_to_be_true(
    lie: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not judged is taken at the host's word: SECURITY.md says so."""
    monkeypatch.setattr(game_check, "is_dealt", lambda *_: True)
    inspect(JOB, chunk_with(), False, Always())
    inspect(JOB, chunk_with(**lie), False, Never())
    with pytest.raises(ArenaError):
        inspect(JOB, chunk_with(**lie), False, Always())


def test_decks_of_another_secret_are_found() -> None:
    with pytest.raises(ArenaError, match="its deal does not follow from the secret"):
        inspect(JOB, chunk_with(), False, Always())
