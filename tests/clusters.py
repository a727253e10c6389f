"""Dask clusters on this machine or a network of `tests.networks`, each part its own process."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.cluster.scheduler import WITHOUT_HTTP
from tests.networks import Network
from tests.places import ROOT
from tests.processes import children_of, remains

LEAGUE = """\
seed = 5
games = [
    { game = "no_thanks", players = 3, deals = 6 }, { game = "sixteen", players = 2, deals = 10 },
]
"""
SLOW = """
import random

def decide(view):
    for _ in range(15000):
        pass
    return random.choice(view.legal)
"""
NO_WALLS = """
import ctypes
from arena.sandbox import bpf, seccomp

ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no_new_privs
no_landlock = [(bpf.EQUAL, 0, 1, 444), (bpf.RETURN, 0, 0, bpf.ERRNO | 38), bpf.PASS]
seccomp.install(bpf.assemble(no_landlock).code, 1)  # 1: for all threads
"""
"""A module that Dask's worker loads first: a kernel without Landlock."""


def another_version(folder: Path) -> dict[str, str]:
    """Return the environment of an arena whose rules have one line more."""
    for package in ("arena", "games"):
        shutil.copytree(ROOT / package, folder / package)
    with (folder / "games" / "sixteen" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    return {"PYTHONPATH": str(folder)}


def certificates(folder: Path) -> tuple[str, str]:
    """Return an authority's certificate, and the place, without endings, of one that it gave."""
    _openssl(folder, f"{_NEW} -x509 -keyout ca.key -out ca.pem -subj /CN=ca")
    return str(folder / "ca.pem"), given(folder, "ca", "host")


def given(folder: Path, by: str, name: str, *words: str) -> str:
    """Have the holder of a certificate, who may be no authority, give one; return its place."""
    _openssl(folder, f"{_NEW} -keyout {name}.key -out {name}.csr -subj /CN=localhost")
    giver = f"-CA {by}.pem -CAkey {by}.key -CAcreateserial {' '.join(words)}"
    _openssl(folder, f"openssl x509 -req -in {name}.csr {giver} -out {name}.pem")
    return str(folder / name)


_NEW = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch"


def _openssl(folder: Path, line: str) -> None:
    try:
        subprocess.run(line.split(), cwd=folder, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl to make certificates with")


class Cluster:
    """A scheduler's address and the workers' processes, by name."""

    def __init__(
        self, folder: Path, tls: tuple[str, ...] = (), network: Network | None = None
    ) -> None:
        self._folder, self._tls, self._network = folder, tls, network
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        said = folder / "scheduler.json"
        port = ("--port", "0", "--protocol", "tls" if tls else "tcp")
        self._start("scheduler", "scheduler", *port, "--scheduler-file", str(said))
        self._wait("scheduler", lambda: said.exists() and said.read_text().endswith("}"))
        self.address = json.loads(said.read_text())["address"]

    def worker(
        self, name: str, *words: str, threads: int = 1, environment: Mapping[str, str] | None = None
    ) -> None:
        own = ("--name", name, "--nthreads", str(threads), "--memory-limit", "0")
        place = ("--local-directory", str(self._folder / name))
        scheduler = (self.address, "--no-nanny", *own, *place, *words)
        self._start(name, "worker", *scheduler, environment=environment)

    def wait_for_workers(self, count: int) -> None:
        """Return when so many have joined."""
        self._wait("scheduler", lambda: self.log("scheduler").count("Register worker") >= count)

    def wait_until_it_plays(self, name: str) -> None:
        self._wait(name, lambda: self.plays(name))

    def plays(self, name: str) -> bool:
        """Return whether a worker plays: arena's worker, its zygote, and three bots are there."""
        return len(children_of(self.processes[name].pid)) >= 5

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Send a worker a signal, once it plays."""
        self.wait_until_it_plays(name)
        self.processes[name].send_signal(number)

    def log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def end(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait()

    def _wait(self, name: str, ready: Callable[[], bool]) -> None:
        until_s = time.monotonic() + 60
        while not ready():
            assert remains(self.processes[name]), self.log(name)
            assert time.monotonic() < until_s, self.log(name)

    def _start(
        self, name: str, part: str, *words: str, environment: Mapping[str, str] | None = None
    ) -> None:
        own = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
        boot = f"from distributed.cli.dask_{part} import main; main()"
        inside, host = list[str](), "127.0.0.1"
        if self._network:
            inside, host = self._network.inside(name), self._network.address(name)
        with (self._folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [*inside, sys.executable, "-P", "-c", boot, *words, "--host", host,
                 *WITHOUT_HTTP.split(), *self._tls],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=own, cwd=self._folder,
            )  # fmt: skip


@contextmanager
def cluster(
    folder: Path, tls: tuple[str, ...] = (), network: Network | None = None
) -> Iterator[Cluster]:
    """Give a cluster without workers yet; all of it ends in the end."""
    made = Cluster(folder, tls, network)
    try:
        yield made
    finally:
        made.end()
