"""The worker's end of its zygotes, which start bots' processes and reap them when dead."""

import fcntl
import mmap
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.errors import TOO_FEW_FILES, ArenaError, Unconfinable
from arena.model import Limits
from arena.process.bot_process import BotProcess, Handles
from arena.sandbox.requests import REAP, START, Reply, Request

PIPE_BYTES = 1 << 20  # the kernel's ceiling for an ordinary user: most batches in one write
START_S = 60.0  # for a zygote to be there, on a machine however loaded

READY = b"ready"  # arena.sandbox.zygote's word
# Our own folder comes before whatever is installed, which may be another arena, and after Python's.
_BOOT = (
    "import socket, sys\n"
    "packages = [at for at, path in enumerate(sys.path) if path.endswith('-packages')]\n"
    "sys.path.insert(min(packages, default=len(sys.path)), {root!r})\n"
    "from arena.sandbox.zygote import main\n"
    "main(socket.socket(fileno={fd}), {parent}, {confined}, {numpy})\n"
)
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",  # -I and -E would ignore it
    "OPENBLAS_NUM_THREADS": "1",  # a forking process must have one thread only
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "LC_ALL": "C.UTF-8",
}

Kind = Callable[[Handles, Limits, Callable[[int], tuple[int, float]], str], BotProcess]
"""Makes a process's object of its handles, its limits, how it is reaped, and its snapshot."""


class ZygoteClient:
    """A worker's zygotes: a plain one, and from the first bot that uses numpy on one that has it.

    Making it raises Unconfinable where bots are to be confined and cannot be; all its methods raise
    ArenaError if a zygote dies.
    """

    def __init__(self, confined: bool = True) -> None:
        self._confined = confined
        self._zygotes = {False: _Zygote(confined, numpy=False)}  # by whether they have numpy

    def start(self, path: Path, limits: Limits, kind: Kind = BotProcess) -> BotProcess:
        """Start a fresh process of a `kind` for the bot whose snapshot is the folder `path`.

        What is loaded in it depends on the bot's own files, never on which other bots play.
        """
        numpy = _names_numpy(path)
        if numpy not in self._zygotes:
            self._zygotes[numpy] = _Zygote(self._confined, numpy)
        return self._zygotes[numpy].start(path, limits, kind)

    def pids(self) -> set[int]:
        """The zygotes, and their bots that are not reaped."""
        return set[int]().union(*(zygote.pids for zygote in self._zygotes.values()))

    def close(self) -> None:
        """End the zygotes, and with them whatever they started."""
        for zygote in self._zygotes.values():
            zygote.close()


def _names_numpy(folder: Path) -> bool:
    """Whether a bot's code has the word in it. A bot that hides it imports numpy all the same, but
    in its own time and memory.
    """
    return any(b"numpy" in file.read_bytes() for file in folder.rglob("*.py") if file.is_file())


class _Zygote:
    """One zygote; `arena.sandbox.zygote` says how it works."""

    def __init__(self, confined: bool, numpy: bool) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        boot = _BOOT.format(
            root=str(Path(__file__).parents[2]), fd=theirs.fileno(), parent=os.getpid(),
            confined=confined, numpy=numpy,
        )  # fmt: skip
        self.confined = confined
        self._process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-c", boot],
            env=_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()], start_new_session=True,  # Ctrl-C is not for it
        )  # fmt: skip
        theirs.close()
        self.pids = {self._process.pid}
        ours.settimeout(START_S)
        self._control = ours
        greeting, _ = self._ask()
        if greeting != READY:
            self.close()
            raise Unconfinable(greeting.decode())

    def start(self, path: Path, limits: Limits, kind: Kind) -> BotProcess:
        bot_in, to_bot = os.pipe2(os.O_CLOEXEC)
        from_bot, bot_out = os.pipe2(os.O_CLOEXEC)
        for fd in (to_bot, from_bot):
            os.set_blocking(fd, False)
        try:
            fcntl.fcntl(to_bot, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        except PermissionError:
            pass  # this user has many pipes: batches go in smaller pieces
        output, word = os.memfd_create("output"), _shared_page()
        request = Request(
            kind=START, path=os.fsencode(path), memory_bytes=limits.memory_mib << 20,
            output_bytes=limits.output_kib << 10,
        )  # fmt: skip
        pid, pidfd, gate = self._fork(request, [bot_in, bot_out, output, word])
        for fd in (bot_in, bot_out):
            os.close(fd)
        self.pids.add(pid)
        handles = Handles(pid, pidfd, to_bot, from_bot, output, word, gate)
        return kind(handles, limits, self.reap, str(path))

    def reap(self, pid: int) -> tuple[int, float]:
        """Reap a dead child and free its pid: its wait status, and the CPU it used in s."""
        message, _ = self._ask(Request(kind=REAP, pid=pid))
        reply = Reply.from_buffer_copy(message)
        self.pids.remove(pid)
        return reply.status, reply.cpu_s

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _fork(self, request: Request, fds: list[int]) -> tuple[int, int, int]:
        """Have a process forked that is handed `fds`: its pid, pidfd and gate (-1: none)."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                message, pidfds = self._ask(request, [*fds, theirs.fileno()])
            if not pidfds:
                raise ArenaError(TOO_FEW_FILES)
            # the child runs our code alone until the gate is sent; if it dies, none comes
            ours.settimeout(START_S)
            gates = socket.recv_fds(ours, 16, 1)[1] if self.confined else []
        return Reply.from_buffer_copy(message).pid, pidfds[0], gates[0] if gates else -1

    def _ask(
        self, request: Request | None = None, fds: Sequence[int] = ()
    ) -> tuple[bytes, list[int]]:
        """Send a request with its descriptors, if there is one; return the reply with its own."""
        try:
            if request:
                socket.send_fds(self._control, [request], fds)
            message, received, _, _ = socket.recv_fds(self._control, 1 << 16, 1)
        except OSError as error:
            raise self._died() from error
        if not message:
            raise self._died()
        return message, received

    def _died(self) -> ArenaError:
        self.close()
        code = self._process.returncode
        return ArenaError(
            f"the process that starts bots ended with status {code}; see its message above"
        )


def _shared_page() -> int:
    """A descriptor of one page of memory that no holder of it can resize."""
    page = os.memfd_create("word", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(page, mmap.PAGESIZE)
    fcntl.fcntl(page, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return page
