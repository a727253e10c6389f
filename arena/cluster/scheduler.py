"""Dask's scheduler: named by `--cluster`, or started on this machine, and connected to.

TLS is as Dask's own configuration has it, for the scheduler and the workers read the same: one
place says which files, and nothing of arena's can contradict it. A cluster that arena starts has a
key of its own, made for the run.

Dask takes 0.7 s to load and may not be installed, so that happens once a cluster is named.
"""

import asyncio
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.errors import ArenaError, UsageError
from arena.system.signals import shield_children
from arena.words import spell

WITHOUT_HTTP = "--no-dashboard --preload arena.cluster.no_http"
"""Options of Dask's schedulers and workers: TLS does not cover their HTTP servers."""
MOST = 1024  # workers of `local:N`, as of --workers, and threads of a host

CONNECT_S = 10.0  # for something to answer
GREET_S = 20.0  # for it to prove to be a scheduler
START_S = 60.0  # for one that is started here to be there, on a machine however loaded
LOOK_S = 0.05  # between looks whether it is

TLS = {
    "ca_file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
"""Dask's names and environment variables of its files; its YAML files may name them too."""


class Cluster(NamedTuple):
    """A Dask scheduler, or one to be started here."""

    address: str  # tcp://HOST:PORT or tls://HOST:PORT; "" where it is started here
    local: int = 0  # workers to be started here

    @property
    def title(self) -> str:
        """The name in messages."""
        return self.address or f"local:{self.local}"

    @property
    def is_exposed(self) -> bool:
        """True if messages, with the tournament's secret, leave this machine unencrypted."""
        host = urlsplit(self.address).hostname or ""
        try:
            loopback = ip_address(host).is_loopback
        except ValueError:  # a name
            loopback = host == "localhost"
        return self.address.startswith("tcp://") and not loopback


def parse_cluster(word: str) -> Cluster:
    """Parse the value of `--cluster`. Raises UsageError if it names no cluster, or if a package
    that this needs is not installed.
    """
    if not all(map(find_spec, ("cryptography", "dask", "distributed"))):
        raise UsageError(
            "--cluster: Dask or cryptography is not installed; run pip install 'botarena[cluster]'"
        )
    if match := re.fullmatch(r"local:([0-9]{1,4})", word):
        if not 1 <= int(match[1]) <= MOST:
            raise UsageError(f"--cluster {spell(word)}: give 1 to {MOST:,} workers")
        return Cluster("", int(match[1]))
    try:
        parts = urlsplit(word)
        whole = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
        extra = parts.path or parts.query or parts.fragment or parts.username
    except ValueError:  # no number for a port, or one too large
        whole = extra = None
    if not whole or extra:
        raise UsageError(
            f"--cluster {spell(word)}: not an address; use tcp://HOST:PORT, tls://HOST:PORT, or "
            "local:N for N workers on this machine"
        )
    return Cluster(word)


def handle_failed_task(loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
    """Report a task that failed and that no other task awaits, unless the exception is Dask's own:
    such tasks fail where hosts are lost while their results are on the way, which we report
    ourselves.
    """
    if not type(trouble.get("exception")).__module__.startswith("distributed."):
        loop.default_exception_handler(trouble)


def _distributed() -> Any:
    """Dask's package, silent: what matters is said by us, in one line."""
    import dask

    names = ("distributed", "distributed.client", "distributed.core", "tornado")
    dask.config.set({"logging": dict.fromkeys(names, "critical")})  # before it is imported
    import distributed

    return distributed


@asynccontextmanager
async def connected(address: str, title: str, files: Mapping[str, str]) -> AsyncIterator[Any]:
    """Connect Dask's client, asynchronous; `files` of TLS count before those of Dask's
    configuration. Raises UsageError where that fails.
    """
    distributed = _distributed()
    warnings.filterwarnings("ignore", module="distributed")
    encrypted = address.startswith("tls://")
    security = distributed.Security(require_encryption=encrypted, **files)
    _check_files(security, encrypted, title)
    client = distributed.Client(
        address, asynchronous=True, security=security, timeout=CONNECT_S,
        set_as_default=False, name="arena",
    )  # fmt: skip
    try:
        try:
            async with asyncio.timeout(GREET_S):  # Dask's own ends once something answers
                await client
        except Exception as error:  # whatever Dask makes of an answer that is no scheduler's
            raise UsageError(f"{title}: {explain_error(error, encrypted)}") from None
        yield client
    finally:
        await client.close()


_ALIKE = "give both sides certificates of the same authority"


def explain_error(error: Exception, encrypted: bool) -> str:
    """Explain why there is no connection, and what to do."""
    while isinstance(error.__cause__, Exception):
        error = error.__cause__
    # what a scheduler says to a certificate of another authority Dask raises without its cause
    refused = getattr(error.__context__, "real_error", None)
    if isinstance(refused, ssl.SSLError):
        error = refused
    no_tls = (
        error.reason == "WRONG_VERSION_NUMBER"
        if isinstance(error, ssl.SSLError)
        else isinstance(error, ValueError)  # tornado's: the other side spoke before TLS began
    )
    if encrypted and no_tls:
        return "the server there does not use TLS; use tcp://, or start it with TLS"
    if isinstance(error, ssl.SSLError):
        return f"TLS fails with the server there ({_words(error)}); {_ALIKE}"
    if isinstance(error, OSError):
        remedy = _ALIKE if encrypted else "use tls:// if it uses TLS"
        return (
            f"no scheduler reachable there ({_words(error)}); start one with `dask "
            f"scheduler {WITHOUT_HTTP}`, or {remedy}"
        )
    return (
        f"the server there is not a scheduler of this Dask version "
        f"({spell(str(error))}); name the address that `dask scheduler` prints"
    )


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return re.sub(r"^\[.*?\] | \(_ssl\.c:\d+\)$", "", text)


def _check_files(security: Any, needed: bool, title: str) -> None:
    """Raise UsageError where Dask's configuration names wrong files of TLS, or lacks some that are
    `needed`.
    """
    named = security.get_tls_config_for_role("client")
    lacking = [place for key, place in TLS.items() if not named.get(key)]
    if needed and lacking:
        raise UsageError(f"{title}: Dask's configuration lacks TLS files; set {', '.join(lacking)}")
    files = [named.get(key) for key in TLS]
    try:
        if wrong := _wrong_file(*files):
            raise UsageError(f"{title}: {wrong}; Dask's configuration names this file for TLS")
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        listed = ", ".join(filter(None, files))
        raise UsageError(f"{title}: TLS files cannot be used ({_words(error)}): {listed}") from None


def _wrong_file(authority: str | None, certificate: str | None, key: str | None) -> str:
    """The file that cannot be read, or is no file of TLS, and why; "" if all are right."""
    for file in filter(None, (authority, certificate, key)):
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            return f"{file}: {error.strerror}"
    try:
        context = ssl.create_default_context(cafile=authority)
    except ssl.SSLError as error:
        return f"{authority}: is not an authority's certificate ({_words(error)})"
    try:
        if certificate:
            context.load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        return f"{certificate}: is not the certificate of {key} ({_words(error)})"
    return ""


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
    """Start a scheduler and one worker on the loopback address; give the scheduler's address, and
    what Dask's `Security` takes to connect to it. Both end with the context.

    Access to a port of Dask's is enough to run code as the user who started it, and every user of
    this machine reaches the loopback address. So all of it takes TLS alone, with a certificate that
    vouches for itself. Raises ArenaError if it does not start.
    """
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="arena-cluster-")))
        file, certificate, key = (folder / name for name in ("said.json", "tls.pem", "tls.key"))
        security = _distributed().Security.temporary()
        certificate.write_text(security.tls_client_cert)
        key.write_text(security.tls_client_key)
        common = [
            "--host", "127.0.0.1", "--protocol", "tls", "--tls-ca-file", str(certificate),
            "--tls-cert", str(certificate), "--tls-key", str(key),
            "--scheduler-file", str(file), *WITHOUT_HTTP.split(),
        ]  # fmt: skip
        scheduler = opened.enter_context(_start("scheduler", ["--port", "0", *common], folder))
        until_s = time.monotonic() + START_S
        while not (address := _address(file)):
            if scheduler.poll() is not None or time.monotonic() > until_s:
                last = (folder / "scheduler.log").read_text(errors="replace").splitlines()[-1:]
                raise ArenaError("--cluster: Dask's scheduler does not start:", *last)
            time.sleep(LOOK_S)
        size = ["--nthreads", str(threads), "--no-nanny", "--memory-limit", "0"]
        place = ["--local-directory", str(folder)]
        opened.enter_context(_start("worker", [*size, *place, *common], folder))
        files = {"ca_file": certificate, "client_cert": certificate, "client_key": key}
        yield address, {f"tls_{name}": str(file) for name, file in files.items()}


def _address(file: Path) -> str:
    """The scheduler's address; "" if it is not yet completely written."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (FileNotFoundError, ValueError):
        return ""


@contextmanager
def _start(part: str, words: list[str], folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
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
