"""What hosts return is looked at before it is kept: forgers of Dask's workers, and their games."""

import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.audit import game_check
from arena.cluster import inspection
from arena.cluster.host import Returned
from arena.cluster.inspection import JUDGED, inspect
from arena.errors import ArenaError
from arena.model import Bot, Entry, Limits, Pool, StoredPlan
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.store.chunk import pack_bodies
from tests.clusters import LEAGUE, SLOW, cluster
from tests.leagues import arena, main, make
from tests.needs import needs_cluster
from tests.returned import returned

needs_cluster()

FORGER = """
import pickle
from arena.cluster import host as far

honest = far.honest = getattr(far, "honest", far.play)  # Dask may load a file twice

def play(host, job):
    return pickle.dumps(forged(host, pickle.loads(job)))

far.play = play
"""
FORGERS = {  # what each returns of a session; the rest is handed to `inspect` below
    "deals": "pickle.loads(honest(host, pickle.dumps(asked._replace(secret=bytes(32)))))",
    "garbage": "far.Returned([('no', 'chunk')], None, 7)",
}


@pytest.mark.whole
def test_forgers_get_no_more_work_and_their_games_are_played_by_others(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW))
    with cluster(tmp_path) as hosts:
        for name, value in FORGERS.items():
            lines = f"{FORGER}\nforged = lambda host, asked: {value}\n"
            (preload := tmp_path / f"{name}_forger.py").write_text(lines)
            hosts.worker(name, "--preload", str(preload))
        hosts.worker("honest")
        hosts.wait_for_workers(len(FORGERS) + 1)
        done = main("tournament", config, "--cluster", hosts.address)
    said, results = done.stderr.decode().splitlines(), tmp_path / "results" / "cup"
    assert done.returncode == 0
    assert {line.partition(" ")[0] for line in said if " skipped: " in line} == set(FORGERS), said
    assert main("verify", results).returncode == 0
    assert arena("tournament", config, "--results", tmp_path / "home", "-q").returncode == 0
    assert main("records", results).stdout == main("records", tmp_path / "home").stdout


POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(name, name * 8) for name in ("ann", "bob", "cid"))
ENTRY = Entry(POOL, BOTS, 2, "all", False)
GAMES = list(make_schedule(StoredPlan("cup", True, "", Limits(), (ENTRY,)), ENTRY))
JOB = Job(POOL, Limits(), False, GAMES, b"secret", {})


NEVER, ALWAYS = (  # has a chunk judged
    cast(Random, SimpleNamespace(randrange=lambda _, drawn=drawn: drawn, sample=Random(1).sample))
    for drawn in (1, 0)
)


def chunk_with(**columns: Callable[[list[Any]], list[Any]]) -> Returned:
    made = returned(POOL, GAMES)
    (games,) = made.games
    changed: Any = {name: change(getattr(games, name)) for name, change in columns.items()}
    return made._replace(games=[games._replace(**changed)])


def first(value: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda column: [value, *column[1:]]


@pytest.mark.parametrize(
    "lie",
    [
        returned(POOL, GAMES)._replace(games=[]),
        Returned([("no", "chunk")], None, 7),  # type: ignore[arg-type,list-item]
        chunk_with(ids=first("f" * 20)),
        chunk_with(ids=first(GAMES[1].id)),
    ],
)
def test_what_is_no_session_is_not_taken(lie: Returned) -> None:
    with pytest.raises(ArenaError, match="it returned a wrong session"):
        inspect(JOB, lie, is_first=False, chance=NEVER)


def test_of_fifty_chunks_one_is_judged_whole_and_of_a_host_s_first_one_game_in_fifty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = list[str]()
    monkeypatch.setattr(inspection, "wrong_game", lambda row, *_: judged.append(row.id))
    made = pickle.dumps(returned(POOL, GAMES))

    def count(is_first: bool, chance: Random) -> int:
        judged.clear()
        inspect(JOB, pickle.loads(made), is_first, chance)
        return len(judged)

    assert count(False, NEVER) == 0
    assert count(True, NEVER) == -(-len(GAMES) // JUDGED)
    assert count(False, ALWAYS) == len(GAMES)
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
    inspect(JOB, chunk_with(), False, ALWAYS)
    inspect(JOB, chunk_with(**lie), False, NEVER)
    with pytest.raises(ArenaError):
        inspect(JOB, chunk_with(**lie), False, ALWAYS)
