"""A cluster of machines with a cable each: what is lost without a word is played elsewhere."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from arena.errors import FAILED
from tests.clusters import LEAGUE, NO_WALLS, SLOW, Cluster, another_version, cluster
from tests.leagues import main, make
from tests.needs import needs_cluster
from tests.networks import Network, network
from tests.processes import remains

needs_cluster()

CALLS_OUT = """
import socket

def call_out():
    try:
        found = socket.create_connection(("HOST", PORT), timeout=5)
    except PermissionError:
        return
    raise ValueError(f"reached {found}")
""" + SLOW.replace("    for _", "    call_out()\n    for _")
"""Where it reaches the scheduler, or fails otherwise than by a wall, its games are forfeited."""
PATIENCE = (  # for who says nothing
    "from arena.cluster import coordinator; coordinator.ANSWER_S = 10.0\n"
    "from arena.__main__ import main; main()"
)


class Organiser:
    """The machine that a tournament is started on, and what it says."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process, self.said = process, ""

    def hear(self, pattern: str) -> None:
        """Return once a line with such a text has been said."""
        while not re.search(pattern, self.said):
            line = self._read()
            assert line, f"ended without {pattern!r}: {self.said}"

    def end(self) -> int:
        while self._read():
            pass
        return self.process.wait()

    def _read(self) -> str:
        assert self.process.stderr
        line = self.process.stderr.readline().decode()
        self.said += line
        return line


@contextmanager
def organised(config: Path, hosts: Cluster, cables: Network) -> Iterator[Organiser]:
    """Give a tournament that is being played; it ends in the end."""
    words = ["tournament", str(config), "--cluster", hosts.address]
    with subprocess.Popen(
        [*cables.inside("organiser"), sys.executable, "-c", PATIENCE, *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        timer = Timer(600, process.kill)
        timer.start()
        try:
            yield Organiser(process)
        finally:
            timer.cancel()
            process.kill()


def league(folder: Path, hosts: Cluster) -> Path:
    """Write a league in which one bot tries to reach the scheduler; return its config's path."""
    host, port = hosts.address.removeprefix("tcp://").split(":")
    calls_out = CALLS_OUT.replace("HOST", host).replace("PORT", port)
    return make(folder, LEAGUE, {**dict.fromkeys(("ann", "bob", "cid"), SLOW), "dee": calls_out})


def reaches(name: str, hosts: Cluster, cables: Network) -> bool:
    """Return whether what runs on a machine without walls reaches the scheduler."""
    host, port = hosts.address.removeprefix("tcp://").split(":")
    call = f"import socket; socket.create_connection(({host!r}, {port}), timeout=5)"
    line = [*cables.inside(name), sys.executable, "-c", call]
    return subprocess.run(line, check=False, capture_output=True).returncode == 0


def test_whatever_becomes_of_machines_and_cables_the_standings_are_those_of_one_machine(
    tmp_path: Path,
) -> None:
    """One's cable is cut, and mended when it was given up; one's is mended at once."""
    (tmp_path / "no_walls.py").write_text(NO_WALLS)
    with network() as cables, cluster(tmp_path, network=cables) as hosts:
        config = league(tmp_path, hosts)
        for name in ("killed", "hanging", "cut", "mended"):
            hosts.worker(name)
        hosts.worker("other", environment=another_version(tmp_path / "other_arena"))
        hosts.worker("bare", "--preload", str(tmp_path / "no_walls.py"))
        hosts.wait_for_workers(6)
        cables.address("late")
        cables.cut("late")  # on a busy machine it would start longer than play lasts
        hosts.worker("late")
        assert reaches("cut", hosts, cables)
        with organised(config, hosts, cables) as organiser:
            hosts.kill("killed")
            hosts.kill("hanging", signal.SIGSTOP)
            for name in ("cut", "mended"):
                hosts.wait_until_it_plays(name)
                cables.cut(name)
            lost = cables.lost("mended")
            while cables.lost("mended") == lost:
                assert remains(hosts.processes["mended"]), hosts.log("mended")
            cables.mend("mended")
            cables.mend("late")
            organiser.hear(r"\bcut \(.*; its sessions go to other hosts")
            assert not reaches("cut", hosts, cables)
            organiser.hear(r"\blate \(.*\) joins")
            cables.mend("cut")
            code = organiser.end()
    assert code == 0, organiser.said
    for name, why in {
        "bare": "skipped: bots cannot be sandboxed here: landlock_create_ruleset fails with ENOSYS",
        "other": "skipped: games is ",
        "killed": "has left; its sessions go to other hosts",
        "hanging": "was silent for [0-9]+ s; its sessions go to other hosts",
        "late": "joins",
    }.items():
        assert re.search(rf"{name} \(tcp://10\.77\.0\.\d+:\d+\) {why}", organiser.said)
    assert "mended (" not in organiser.said
    results, home = tmp_path / "results" / "cup", tmp_path / "home"
    assert main("tournament", config, "--results", home, "-q").returncode == 0
    assert (results / "standings.json").read_bytes() == (home / "standings.json").read_bytes()
    assert main("records", results).stdout == main("records", home).stdout
    assert main("faults", results, "--json").stdout == b'{"version": 1, "causes": []}\n'


def test_when_the_organiser_s_own_cable_is_cut_it_says_so_and_ends(tmp_path: Path) -> None:
    with network() as cables, cluster(tmp_path, network=cables) as hosts:
        config = league(tmp_path, hosts)
        hosts.worker("one")
        hosts.wait_for_workers(1)
        with organised(config, hosts, cables) as organiser:
            hosts.wait_until_it_plays("one")
            cables.cut("organiser")
            code = organiser.end()
    assert code == FAILED, organiser.said
    last = f"{hosts.address}: lost the connection to the scheduler; finished games are saved: "
    assert organiser.said.splitlines()[-1].startswith(last)
    assert "Traceback" not in organiser.said
