"""Machines of a network of their own, each a network namespace, for tests of what cables do.

A namespace is kept by one nameless process that reads from us: when we end, however we end, so does
that, and with it the programs inside, the namespace, its end of the cable and the switch.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

NET = "10.77.0"  # what no namespace but these can reach


class Network:
    """Machines by name, joined by a switch; each has an address once it is asked for."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened
        self._switch = self._namespace()
        self._machines: dict[str, int] = {}  # pids of who keeps the namespaces
        self._do(self._switch, "ip link add switch type bridge")
        self._do(self._switch, "ip link set switch up")

    def address(self, name: str) -> str:
        """Return a machine's address; it is plugged in if it is new."""
        if name not in self._machines:
            keeper, number = self._namespace(), len(self._machines) + 1
            cable = f"port{number} type veth peer name eth0 netns {keeper}"
            self._do(self._switch, f"ip link add {cable}")
            self._do(self._switch, f"ip link set port{number} master switch up")
            self._do(keeper, "ip link set lo up")
            self._do(keeper, f"ip address add {NET}.{number}/24 dev eth0")
            self._do(keeper, "ip link set eth0 up")
            self._machines[name] = keeper
        return f"{NET}.{self._number(name)}"

    def inside(self, name: str) -> list[str]:
        """Return what begins a command on a machine, which ends with the thread that starts it."""
        self.address(name)
        words = ["setpriv", "--pdeathsig", "KILL", "nsenter", "--target"]
        return [*words, str(self._machines[name]), "--net"]

    def cut(self, name: str) -> None:
        """Pull a machine's cable: what is sent either way is lost, and no end is told."""
        self._do(self._switch, f"ip link set port{self._number(name)} down")

    def mend(self, name: str) -> None:
        self._do(self._switch, f"ip link set port{self._number(name)} up")

    def lost(self, name: str) -> int:
        """Return how many TCP segments a machine has had to send again."""
        lines = Path(f"/proc/{self._machines[name]}/net/snmp").read_text().splitlines()
        names, values = (line.split() for line in lines if line.startswith("Tcp:"))
        return int(values[names.index("RetransSegs")])

    def _number(self, name: str) -> int:
        return 1 + list(self._machines).index(name)

    def _namespace(self) -> int:
        words, pipe = ["unshare", "--net", "sh", "-c", "echo; exec cat"], subprocess.PIPE
        keeper = subprocess.Popen(words, stdin=pipe, stdout=pipe)
        assert keeper.stdin
        assert keeper.stdout
        self._opened.callback(keeper.wait)
        self._opened.enter_context(keeper.stdout)
        self._opened.enter_context(keeper.stdin)  # closed first, and so it ends
        assert keeper.stdout.read(1) == b"\n"  # it is in its namespace
        return keeper.pid

    @staticmethod
    def _do(keeper: int, line: str) -> None:
        inside = ["nsenter", "--target", str(keeper), "--net", *line.split()]
        subprocess.run(inside, check=True, capture_output=True, timeout=60)


@contextmanager
def network() -> Iterator[Network]:
    """Give a network without machines yet, or skip the test where none can be made."""
    if os.geteuid():
        pytest.skip("only root can make network namespaces")
    programs = ("ip", "nsenter", "setpriv", "unshare")
    if lacking := [name for name in programs if not shutil.which(name)]:
        pytest.skip(f"{', '.join(lacking)}: not installed, and namespaces are made with it")
    with ExitStack() as opened:
        try:
            made = Network(opened)
            made.address("probe")
        except (AssertionError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", b"").decode().strip()
            pytest.skip(f"no network of namespaces can be made here: {said or error}")
        yield made
