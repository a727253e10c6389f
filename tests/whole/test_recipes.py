"""The scripts for several machines in tournaments/README.md, as they stand there. All machines are
this one: `ssh` and `srun` are scripts that run what they are given.
"""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.needs import needs_cluster
from tests.places import ROOT
from tests.sessions import CHANCE, FIRST

needs_cluster()
pytestmark = pytest.mark.whole

PAGE = (ROOT / "tournaments" / "README.md").read_text().split("## On several machines")[1]
SSH, SLURM = re.findall(r"^```sh\n(.*?)^```", PAGE.split("\n## ")[0], re.DOTALL | re.MULTILINE)

CONFIG = 'seed = 2\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 2\n'
BOTS = {"ann": CHANCE, "bob": FIRST, "cid": CHANCE, "dee": FIRST}
PROGRAMS = {
    "ssh": 'host=$1; shift; exec "$@" --name "$host"',
    "srun": 'exec "$@"',
    "hostname": "echo 127.0.0.1",
    "arena": f'exec {sys.executable} -m arena "$@"',
    "dask": f'exec {sys.executable} -m dask "$@" --host 127.0.0.1',
}


@pytest.mark.parametrize("script", [SSH, SLURM], ids=["ssh", "slurm"])
def test_a_script_plays_on_its_hosts(script: str, tmp_path: Path) -> None:
    league = make(tmp_path, CONFIG, BOTS).parents[1]
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, line in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(stat.S_IRWXU)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    own = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    own["DASK_TEMPORARY_DIRECTORY"] = str(tmp_path)
    text = script.replace("8786", port).replace("HEAD", "127.0.0.1").replace("16", "2")
    log = tmp_path / "log"
    with log.open("wb") as said, subprocess.Popen(
        ["sh", "-c", text], cwd=league, env={**os.environ, **own}, stdout=said, stderr=said,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert process.wait(300) == 0, log.read_text()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    config = league / "tournaments" / "cup.toml"
    assert main("tournament", config, "-q", "--results", tmp_path / "here").returncode == 0
    played = league / "results" / "cup" / "standings.json"
    assert played.read_bytes() == (tmp_path / "here" / "standings.json").read_bytes()
