"""Hosts of a cluster, each a Dask worker in a process of its own, on this machine."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import FAILED, INTERRUPTED, USAGE
from arena.store.store import Store
from tests.clusters import LEAGUE, NO_WALLS, SLOW, Cluster, another_version, certificates, cluster
from tests.leagues import SMALL, arena, main, make
from tests.needs import needs_cluster
from tests.processes import all_gone, children_of

dask = needs_cluster()

pytestmark = pytest.mark.whole

BOTS = dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW)


def no_more(folder: Path, pattern: str) -> bool:
    """Return whether such files are gone in time."""
    until_s = time.monotonic() + 20
    while left := list(folder.glob(pattern)):
        if time.monotonic() > until_s:
            print("still there:", left)
            return False
    return True


def published(results: Path) -> bytes:
    return (results / "standings.json").read_bytes()


def records(results: Path) -> bytes:
    return main("records", results).stdout


def command(config: Path, hosts: Cluster) -> list[str]:
    words = ["-m", "arena", "tournament", str(config), "--cluster", hosts.address]
    return [sys.executable, *words]


def test_whatever_becomes_of_hosts_the_standings_are_those_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are killed, one hangs, one has other rules, one no walls; who joins late plays on."""
    config = make(tmp_path, LEAGUE, BOTS)
    (tmp_path / "no_walls.py").write_text(NO_WALLS)
    monkeypatch.setattr("arena.cluster.coordinator.ANSWER_S", 10.0)  # a machine may be loaded
    monkeypatch.setattr("arena.cluster.coordinator.JOIN_S", 120.0)
    with cluster(tmp_path) as hosts:
        for name in ("killed", "hanging", "last"):
            hosts.worker(name)
        hosts.worker("other", environment=another_version(tmp_path / "other_arena"))
        hosts.worker("bare", "--preload", str(tmp_path / "no_walls.py"))
        hosts.wait_for_workers(5)
        trouble = threading.Thread(target=make_trouble, args=(hosts,))
        trouble.start()
        done = main("tournament", config, "--cluster", hosts.address)
        trouble.join()
    said = done.stderr.decode()
    print(said)
    assert done.returncode == 0
    assert "bare (tcp://127.0.0.1:" in said
    assert (
        "skipped: bots cannot be sandboxed here: landlock_create_ruleset fails with ENOSYS" in said
    )
    assert "other (tcp://127.0.0.1:" in said
    assert "skipped: games is " in said
    assert "has left; its sessions go to other hosts" in said
    assert "was silent for 10 s; its sessions go to other hosts" in said
    assert re.search(r"late \(tcp://127.0.0.1:[0-9]+\) joins", said)
    home = arena("tournament", config, "--results", tmp_path / "home", "-q")
    assert home.returncode == 0, home.stderr
    assert published(tmp_path / "results" / "cup") == published(tmp_path / "home")
    assert records(tmp_path / "results" / "cup") == records(tmp_path / "home")


def make_trouble(hosts: Cluster) -> None:
    """Hit each in its first session, whichever comes first; then another joins."""
    signals = {"killed": signal.SIGKILL, "hanging": signal.SIGSTOP, "last": signal.SIGKILL}
    until_s = time.monotonic() + 60
    while signals:
        assert time.monotonic() < until_s, f"these play nothing: {', '.join(signals)}"
        for name in filter(hosts.plays, [*signals]):
            hosts.processes[name].send_signal(signals.pop(name))
    hosts.worker("late")


def test_a_scheduler_without_workers_is_told_how_to_get_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cluster.coordinator.JOIN_S", 0.0)
    config = make(tmp_path, LEAGUE, BOTS)
    with cluster(tmp_path) as hosts:
        done = main("tournament", config, "--cluster", hosts.address)
    assert done.returncode == FAILED
    assert b"no host joined" in done.stderr
    assert not (tmp_path / "results").exists()


def test_asked_to_stop_it_keeps_what_is_finished_and_goes_on_at_home(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, BOTS)
    results = tmp_path / "results" / "cup"
    with cluster(tmp_path) as hosts:
        hosts.worker("one", threads=2)
        hosts.wait_for_workers(1)
        process = subprocess.Popen(command(config, hosts), stderr=subprocess.PIPE)
        hosts.wait_until_it_plays("one")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert all_gone(children_of(hosts.processes["one"].pid)), "arena's workers stay"
    print(said.decode())
    assert process.returncode == INTERRUPTED
    assert b"games played and saved" in said
    assert arena("tournament", config, "-q").returncode == 0
    assert arena("tournament", config, "--results", tmp_path / "home", "-q").returncode == 0
    assert published(results) == published(tmp_path / "home")


def test_when_the_scheduler_is_lost_it_says_so_and_ends(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, BOTS)
    with cluster(tmp_path) as hosts:
        hosts.worker("one")
        hosts.wait_for_workers(1)
        process = subprocess.Popen(command(config, hosts), stderr=subprocess.PIPE)
        hosts.wait_until_it_plays("one")
        hosts.processes["scheduler"].kill()
        _, said = process.communicate(timeout=60)
    assert process.returncode == FAILED
    last = f"{hosts.address}: lost the connection to the scheduler; finished games are saved: "
    assert said.decode().splitlines()[-1].startswith(last)
    assert b"Traceback" not in said
    assert b"skipped" not in said


def test_when_arena_is_killed_hosts_end_what_they_began(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, BOTS)
    with cluster(tmp_path) as hosts:
        hosts.worker("one", environment={"TMPDIR": str(tmp_path)})
        hosts.wait_for_workers(1)
        process = subprocess.Popen(command(config, hosts), stderr=subprocess.DEVNULL)
        hosts.wait_until_it_plays("one")
        process.kill()
        process.wait()
        assert all_gone(children_of(hosts.processes["one"].pid), within_s=60)
        assert hosts.processes["one"].poll() is None
        assert no_more(tmp_path, "arena-snapshots-*")


def test_tls_is_used_as_dask_is_configured(tmp_path: Path) -> None:
    config = make(tmp_path, SMALL)
    authority, host = certificates(tmp_path)
    files = ("--tls-ca-file", authority, "--tls-cert", f"{host}.pem", "--tls-key", f"{host}.key")
    with cluster(tmp_path, files) as hosts:
        hosts.worker("one", threads=2)
        hosts.wait_for_workers(1)
        lacking = main("tournament", config, "--cluster", hosts.address)
        own = dict(zip(("ca-file", "client.cert", "client.key"), files[1::2], strict=True))
        configured = {f"distributed.comm.tls.{key}": file for key, file in own.items()}
        with dask.config.set(configured):
            done = main("tournament", config, "--cluster", hosts.address)
        nowhere = {"distributed.comm.tls.client.key": str(tmp_path / "nowhere.key")}
        with dask.config.set({**configured, **nowhere}):
            wrong = main("tournament", config, "--cluster", hosts.address, "--fresh")
    assert lacking.returncode == USAGE
    assert b"Dask's configuration lacks TLS files; set DASK_" in lacking.stderr
    assert done.returncode == 0, done.stderr
    assert b"unencrypted" not in done.stderr
    assert wrong.returncode == USAGE
    assert b"nowhere.key: No such file or directory; Dask's configuration" in wrong.stderr


def test_a_cluster_of_this_machine_plays_the_same(played: Path, tmp_path: Path) -> None:
    """And it is kept which host played it."""
    done = main("tournament", make(tmp_path), "--cluster", "local:2")
    assert done.returncode == 0, done.stderr
    assert published(tmp_path / "results" / "cup") == published(played / "results" / "cup")
    with closing(Store.open(tmp_path / "results" / "cup")) as store:
        hosts = store.db.execute("SELECT DISTINCT host FROM played_on").fetchall()
    assert hosts == [(socket.gethostname(),)]
