"""What hosts return is looked at before it is kept: forgers of Dask's workers, and their games."""

from pathlib import Path
from typing import Any

import pytest

from arena.cluster.inspection import inspect_loading
from arena.errors import ArenaError
from tests.clusters import LEAGUE, SLOW, cluster
from tests.leagues import arena, main, make
from tests.needs import needs_cluster

needs_cluster()

pytestmark = pytest.mark.whole

FORGER = """
import pickle, zlib
from arena.cluster import host as far
from arena.store import checksum
from arena.store.chunk import unpacked

honest = far.honest = getattr(far, "honest", far.play)  # Dask may load a file twice

def play(host, job):
    asked = pickle.loads(job)
    return pickle.dumps(forged(host, asked, job))

def games_of(host, job, **changed):
    returned = far.unpacked(honest(host, job))
    games = [told_anew(pickle.loads(job).pool, games, changed) for games in returned.games]
    return returned._replace(games=games)

def told_anew(pool, games, changed):
    made = games._replace(**{key: [f(each) for each in getattr(games, key)]
                             for key, f in changed.items()})
    told = zip(made.ids, made.seatings, made.deals, made.ranks, made.scores)
    return made._replace(checksums=[
        checksum.of_game(pool, made.line_ups[own], written, body, ())
        for own, written, body in zip(made.own_line_ups, told, unpacked(made.bodies))
    ])

far.play = play
"""
FORGERS = {
    "deals": "return games_of(host, far.packed(asked._replace(secret=bytes(32))))",
    "ranks": "return games_of(host, job, ranks=lambda ranks: ranks.replace('1', '2'))",
    "others": "return games_of(host, job, ids=lambda id: id[::-1])",
    "lazy": "return far.Returned([], [], '')",
    "bomb": "returned = games_of(host, job); return returned._replace("
    "games=[games._replace(bodies=zlib.compress(bytes(1 << 28))) for games in returned.games])",
    "prints": "returned = games_of(host, job); return returned._replace("
    "tallies=[tally._replace(printed=chr(0xD800)) for tally in returned.tallies])",
    "garbage": "return far.Returned([('no', 'chunk')], None, 7)",
}
"""What each returns of a session."""
NAMELESS = "far.machine = lambda host: (7, 'days')"


def test_forgers_get_no_more_work_and_their_games_are_played_by_others(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW))
    forgers = {name: f"def forged(host, asked, job):\n    {body}" for name, body in FORGERS.items()}
    forgers["nameless"] = NAMELESS
    with cluster(tmp_path) as hosts:
        for name, lines in forgers.items():
            (preload := tmp_path / f"{name}_forger.py").write_text(f"{FORGER}\n{lines}\n")
            hosts.worker(name, "--preload", str(preload))
        hosts.worker("honest")
        hosts.wait_for_workers(len(forgers) + 1)
        done = main("tournament", config, "--cluster", hosts.address, "--slow-hosts")
    said = done.stderr.decode()
    print(said)
    assert done.returncode == 0
    named = {line.partition(" ")[0] for line in said.splitlines() if " gets no work: " in line}
    assert named == set(forgers)
    assert main("verify", tmp_path / "results" / "cup").returncode == 0
    home = arena("tournament", config, "--results", tmp_path / "home", "-q")
    assert home.returncode == 0, home.stderr
    results = tmp_path / "results" / "cup"
    assert main("records", results).stdout == main("records", tmp_path / "home").stdout


@pytest.mark.parametrize(
    "why", [{"nobody": "sleeps"}, {"ann": 7}, {"ann": "\ud800"}, ["ann"], None]
)
def test_a_host_that_slanders_bots_is_not_heard(why: Any) -> None:
    with pytest.raises(ArenaError, match="bots that do not load"):
        inspect_loading(["ann", "bob"], why)
