"""Hosts of a cluster, each a Dask worker in a process of its own, on this machine."""

import shutil
import signal
import threading
from pathlib import Path

import pytest

from arena.runner import dispatch
from tests.clusters import NO_WALLS, Cluster, cluster, needs_dask
from tests.leagues import arena, main, make
from tests.places import ROOT

pytestmark = [pytest.mark.whole, needs_dask]

LEAGUE = """\
seed = 5
games = [
    { game = "no_thanks", players = 3, deals = 12 }, { game = "sixteen", players = 2, deals = 20 },
]
"""
SLOW = """
import random

def decide(view):
    for _ in range(8000):
        pass
    return random.choice(view.legal)
"""
BOTS = dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW)


def another_version(folder: Path) -> dict[str, str]:
    """Return the environment of an arena whose rules have one line more."""
    for package in ("arena", "games"):
        shutil.copytree(ROOT / package, folder / package)
    with (folder / "games" / "sixteen.py").open("a") as file:
        file.write("# changed\n")
    return {"PYTHONPATH": str(folder)}


def published(results: Path) -> bytes:
    return (results / "standings.json").read_bytes()


def test_whatever_becomes_of_hosts_the_standings_are_those_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is killed, one hangs, one has other rules, one no walls, and one joins late."""
    config = make(tmp_path, LEAGUE, BOTS)
    (tmp_path / "no_walls.py").write_text(NO_WALLS)
    monkeypatch.setattr(dispatch, "ANSWER_S", 4.0)
    with cluster(tmp_path) as hosts:
        for name in ("killed", "hanging", "sound"):
            hosts.worker(name)
        hosts.worker("other", environment=another_version(tmp_path / "other_arena"))
        hosts.worker("bare", "--preload", str(tmp_path / "no_walls.py"))
        trouble = threading.Thread(target=make_trouble, args=(hosts,))
        trouble.start()
        done = main("tournament", config, "--cluster", hosts.address)
        trouble.join()
    said = done.stderr.decode()
    print(said)
    assert done.returncode == 0
    assert "bare (tcp://127.0.0.1:" in said
    assert "gets no work: bots cannot be confined here: Function not implemented" in said
    assert "other (tcp://127.0.0.1:" in said
    assert "gets no work: games is " in said
    assert "is gone; its sessions go to other hosts" in said
    assert "was not heard of for 4 s; its sessions go to other hosts" in said
    assert "late (tcp://127.0.0.1:" in said
    home = arena("tournament", config, "--results", tmp_path / "home", "-q")
    assert home.returncode == 0, home.stderr
    assert published(tmp_path / "results" / "cup") == published(tmp_path / "home")
    there, here = (
        main("records", results).stdout for results in ("results/cup", "home")
        for results in [tmp_path / results]
    )  # fmt: skip
    assert there == here


def make_trouble(hosts: Cluster) -> None:
    hosts.kill("killed")
    hosts.kill("hanging", signal.SIGSTOP)
    hosts.worker("late")
