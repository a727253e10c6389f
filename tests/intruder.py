"""Another user of the machine, who knows Dask and has no key: `python -m tests.intruder PORT...`.

Root becomes uid 65534 first, anybody else stays who they are. Each port of the loopback address is
asked to run a function, as Dask's schedulers and workers do, in the clear and by TLS with a
certificate that bears the right names, and for a page. Files of a cluster that command lines name
are opened. Prints what was answered, a line each, and in the end that it tried.
"""

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any, NamedTuple

from tests.places import ROOT

NOBODY = 65534
LISTENS = "0A"  # /proc/net/tcp
WAIT_S = 10.0
TRIED = "all was tried"


class Listener(NamedTuple):
    """A socket that takes connections."""

    address: IPv4Address | IPv6Address
    port: int


def listeners(pids: set[int]) -> set[Listener]:
    """Return what some processes listen on."""
    own = {inode for pid in pids for inode in _sockets(pid)}
    found = set()
    for table in ("tcp", "tcp6"):
        _, *lines = Path(f"/proc/net/{table}").read_text().splitlines()
        for line in lines:
            _, local, _, state, *_, inode = line.split()[:10]
            address, _, port = local.partition(":")
            if state == LISTENS and inode in own:
                found.add(Listener(_address(address), int(port, 16)))
    return found


def answers(found: Iterable[Listener]) -> list[str]:
    """Return what another user is answered there, a line each."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.intruder", *(str(each.port) for each in found)],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    *lines, last = done.stdout.splitlines()
    assert last == TRIED, done.stderr
    return lines


def _sockets(pid: int) -> Iterator[str]:
    with suppress(PermissionError, FileNotFoundError):  # a bot, which lets nobody look; or gone
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed while we looked
                kind, _, inode = os.readlink(descriptor).partition(":")
                if kind == "socket":
                    yield inode.strip("[]")


def _address(words: str) -> IPv4Address | IPv6Address:
    """Return an address that is written as words of four bytes, each in the machine's order."""
    parts = [int(words[at : at + 8], 16) for at in range(0, len(words), 8)]
    return ip_address(b"".join(part.to_bytes(4, sys.byteorder) for part in parts))


async def asked_to_run(address: str, op: str, **arguments: Any) -> str:
    """Return what came of asking Dask there to run a function; "" where it did not."""
    from distributed.comm import connect
    from distributed.protocol.pickle import dumps

    try:
        async with asyncio.timeout(WAIT_S):
            comm = await connect(address, timeout=WAIT_S, **arguments)
            await comm.write({"op": op, "function": dumps(os.getuid), "wait": True, "reply": True})
            answer = await comm.read()
    except (OSError, TimeoutError, ValueError):  # tornado raises it where TLS is not expected
        return ""
    if isinstance(answer, dict) and answer.get("status") == "OK":
        return f"{address} runs functions as uid {answer['result']}"
    return ""


def _asked_for_a_page(port: int) -> str:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=WAIT_S) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            answer = connection.recv(100)
    except OSError:
        return ""
    return f"{port} answers HTTP" if answer.startswith(b"HTTP/") else ""


def _opened() -> Iterator[str]:
    """Yield what can be read of a cluster's files that command lines name."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue  # it ended
        for path in re.findall(rb"/[^'\0]*arena-cluster-[^'\0]+", words):
            try:
                with open(path, "rb"):
                    yield f"{path!r} can be read"
            except OSError:
                continue


async def _tried(ports: list[int]) -> list[str]:
    from distributed import Security

    own = Security.temporary().get_connection_args("client")  # it has the names of all such
    another = become_nobody()
    tries = [
        asked_to_run(f"{scheme}://127.0.0.1:{port}", op, **arguments)
        for port in ports
        for op in ("run", "run_function")  # a worker's, and a scheduler's
        for scheme, arguments in (("tcp", {}), ("tls", own))
    ]
    pages = [asyncio.to_thread(_asked_for_a_page, port) for port in ports]
    answered = [answer for answer in await asyncio.gather(*tries, *pages) if answer]
    return [*answered, *(_opened() if another else ())]


def become_nobody() -> bool:
    """Be another user from now on, if we are root; return whether we were."""
    if os.getuid() != 0:
        return False
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return True


if __name__ == "__main__":
    for line in [*asyncio.run(_tried([int(word) for word in sys.argv[1:]])), TRIED]:
        print(line)
