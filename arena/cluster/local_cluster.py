"""A cluster on this machine, for `--cluster local:N`: a scheduler, and one worker of N threads.

Access to a port of Dask's is enough to run code as the user who started it, and every user of this
machine reaches the loopback address. So all of it takes TLS alone, with a key made for this run.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.cluster.address import WITHOUT_HTTP
from arena.cluster.connection import key_for_this_run
from arena.errors import ArenaError
from arena.system import shield_children

START_S = 60.0  # for the scheduler to be there, on a machine however loaded
LOOK_S = 0.05

# It dies with us, however we end.
_BOOT = (
    "import sys\n"
    "sys.path[:] = {path!r}\n"
    "from arena.sandbox.walls import die_with\n"
    "die_with({parent})\n"
    "from distributed.cli.dask_{part} import main\n"
    "main({words!r})\n"
)


@contextmanager
def local_cluster(threads: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Start a cluster on the loopback address; give the scheduler's address, and what Dask's
    `Security` takes to connect to it. The cluster ends with the context.

    Raises ArenaError if it does not start.
    """
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="arena-cluster-")))
        said, files = folder / "scheduler.json", key_for_this_run(folder)
        common = [
            "--host", "127.0.0.1", "--protocol", "tls", "--tls-ca-file", files["tls_ca_file"],
            "--tls-cert", files["tls_client_cert"], "--tls-key", files["tls_client_key"],
            "--scheduler-file", str(said), *WITHOUT_HTTP.split(),
        ]  # fmt: skip
        scheduler = opened.enter_context(_started("scheduler", ["--port", "0", *common], folder))
        until_s = time.monotonic() + START_S
        while not (address := _address(said)):
            if scheduler.poll() is not None or time.monotonic() > until_s:
                last = (folder / "scheduler.log").read_text(errors="replace").splitlines()[-1:]
                raise ArenaError("--cluster: Dask's scheduler does not start:", *last)
            time.sleep(LOOK_S)
        size = ["--nthreads", str(threads), "--no-nanny", "--memory-limit", "0"]
        place = ["--local-directory", str(folder)]
        opened.enter_context(_started("worker", [*size, *place, *common], folder))
        yield address, files


def _address(said: Path) -> str:
    """The scheduler's address; "" if it is not yet completely written."""
    try:
        return str(json.loads(said.read_text())["address"])
    except (FileNotFoundError, ValueError):
        return ""


@contextmanager
def _started(part: str, words: list[str], folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    boot = _BOOT.format(path=sys.path, parent=os.getpid(), part=part, words=words)
    with (folder / f"{part}.log").open("wb") as log, shield_children():
        process = subprocess.Popen(
            [sys.executable, "-c", boot],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
