"""Hosts of a cluster, each a Dask worker in a process of its own, on this machine."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
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


def published(results: Path) -> bytes:
    return (results / "standings.json").read_bytes()


@contextmanager
def playing(config: Path, hosts: Cluster) -> Iterator[subprocess.Popen[bytes]]:
    """Give an arena whose league is played by a host, `one`."""
    hosts.wait_for_workers(1)
    words = ["-m", "arena", "tournament", str(config), "--cluster", hosts.address]
    with subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE) as process:
        hosts.wait_until_it_plays("one")
        yield process


def make_trouble(hosts: Cluster) -> None:
    """Hit each in its first session, whichever comes first; then another joins."""
    signals = {"killed": signal.SIGKILL, "hanging": signal.SIGSTOP, "last": signal.SIGKILL}
    until_s = time.monotonic() + 60
    while signals:
        assert time.monotonic() < until_s, f"these play nothing: {', '.join(signals)}"
        for name in filter(hosts.plays, [*signals]):
            hosts.processes[name].send_signal(signals.pop(name))
    hosts.worker("late")


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
    assert done.returncode == 0
    for said in (
        r"bare \(tcp://[^)]*\) skipped: .* landlock_create_ruleset fails with ENOSYS",
        r"other \(tcp://[^)]*\) skipped: games is ",
        r"has left; its sessions go to other hosts",
        r"was silent for 10 s; its sessions go to other hosts",
        r"late \(tcp://[^)]*\) joins",
    ):
        assert re.search(said, done.stderr.decode()), done.stderr.decode()
    home = arena("tournament", config, "--results", tmp_path / "home", "-q")
    assert home.returncode == 0, home.stderr
    results = tmp_path / "results" / "cup"
    assert published(results) == published(tmp_path / "home")
    assert main("records", results).stdout == main("records", tmp_path / "home").stdout


def test_asked_to_stop_it_keeps_what_is_finished_and_goes_on_at_home(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, BOTS)
    results = tmp_path / "results" / "cup"
    with cluster(tmp_path) as hosts:
        hosts.worker("one", threads=2)
        with playing(config, hosts) as process:
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        assert all_gone(children_of(hosts.processes["one"].pid)), "arena's workers stay"
    assert process.returncode == INTERRUPTED
    assert b"games played and saved" in said
    assert arena("tournament", config, "-q").returncode == 0
    assert arena("tournament", config, "--results", tmp_path / "home", "-q").returncode == 0
    assert published(results) == published(tmp_path / "home")


def test_when_the_scheduler_is_lost_it_says_so_and_ends(tmp_path: Path) -> None:
    config = make(tmp_path, LEAGUE, BOTS)
    with cluster(tmp_path) as hosts:
        hosts.worker("one")
        with playing(config, hosts) as process:
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
        with playing(config, hosts) as process:
            process.kill()
        assert all_gone(children_of(hosts.processes["one"].pid), within_s=60)
        assert hosts.processes["one"].poll() is None
        until_s = time.monotonic() + 20
        while list(tmp_path.glob("arena-snapshots-*")):
            assert time.monotonic() < until_s, "copies of bots are left"


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
    assert lacking.returncode == USAGE
    assert b"Dask's configuration lacks TLS files; set DASK_" in lacking.stderr
    assert done.returncode == 0, done.stderr
    assert b"unencrypted" not in done.stderr


def test_a_cluster_of_this_machine_plays_the_same(played: Path, tmp_path: Path) -> None:
    """And it is kept which host played it."""
    assert main("tournament", make(tmp_path), "--cluster", "local:2").returncode == 0
    results = tmp_path / "results" / "cup"
    assert published(results) == published(played / "results" / "cup")
    with closing(Store.open(results)) as store:
        hosts = store.db.execute("SELECT DISTINCT host FROM played_on").fetchall()
    assert hosts == [(socket.gethostname(),)]
