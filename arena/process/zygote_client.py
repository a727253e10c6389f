"""The worker's end of its zygotes, which start bots' processes and reap them when dead."""

import errno
import fcntl
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections import ChainMap
from collections.abc import Sequence
from pathlib import Path

from arena.errors import ArenaError
from arena.model import Limits
from arena.process.bot_process import BotProcess, Kind, check_snapshot
from arena.process.clock import ProcFiles
from arena.process.death import cause
from arena.process.forked import Forked, Handles
from arena.process.refusal import insist
from arena.sandbox.refused import Refused, syscall, unpack
from arena.sandbox.requests import BEGUN, REAP, START, Reply, Request
from arena.sandbox.walls import packages

PIPE_BYTES = 1 << 20  # the kernel's ceiling for an ordinary user: most batches in one write
START_S = 60.0  # for a zygote to be there, on a machine however loaded

# Our own folder comes before whatever is installed, which may be another arena, and after Python's.
_BOOT = (
    "import sys\n"
    "installed = [at for at, path in enumerate(sys.path) if path.endswith('-packages')]\n"
    "sys.path.insert(min(installed, default=len(sys.path)), {root!r})\n"
    "sys.path += [path for path in {packages!r} if path not in sys.path]\n"
    "from arena.sandbox.zygote import main\n"
    "main({fd}, {parent}, {confined}, {numpy}, {packages!r})\n"
)
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",  # -I and -E would ignore it
    "OPENBLAS_NUM_THREADS": "1",  # a forking process must have one thread only
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "LC_ALL": "C.UTF-8",
}


class ZygoteClient:
    """A worker's zygotes: a plain one, and from the first bot that uses numpy on one that has it.

    Making it, and `start`, raise Refusal where this machine refuses what that takes; all its
    methods raise ArenaError if a zygote dies, `start` also if the bot's snapshot is gone.
    """

    def __init__(self, confined: bool = True) -> None:
        self._confined = confined
        self._zygotes = {False: insist("", _Zygote, confined, False)}  # True: with numpy

    def start(self, path: Path, limits: Limits, kind: Kind = BotProcess) -> BotProcess:
        """Start a fresh process of a `kind` for the bot whose snapshot is the folder `path`.

        What is loaded in it depends on the bot's own files, never on which other bots play.
        """
        check_snapshot(path)
        numpy = insist("openat", _names_numpy, path)
        if numpy not in self._zygotes:
            self._zygotes[numpy] = insist("", _Zygote, self._confined, numpy)
        return self._zygotes[numpy].start(path, limits, kind)

    def pids(self) -> dict[int, int]:
        """The zygotes, and their bots that are not reaped, each with its open schedstat."""
        return dict(ChainMap(*(zygote.pids for zygote in self._zygotes.values())))

    def close(self) -> None:
        """End the zygotes, and with them whatever they started."""
        for zygote in self._zygotes.values():
            zygote.close()


def _names_numpy(folder: Path) -> bool:
    """A bot that hides the word imports numpy all the same, but in its own time and memory."""
    return any(b"numpy" in file.read_bytes() for file in folder.rglob("*.py") if file.is_file())


class _Zygote:
    """One zygote; `arena.sandbox.zygote` says how it works."""

    def __init__(self, confined: bool, numpy: bool) -> None:
        ours, theirs = insist("socketpair", socket.socketpair, None, socket.SOCK_SEQPACKET)
        boot = _BOOT.format(
            root=str(Path(__file__).parents[2]), fd=theirs.fileno(), parent=os.getpid(),
            packages=packages(), confined=confined, numpy=numpy,
        )  # fmt: skip
        self._process = syscall(
            "fork, setsid or execve", subprocess.Popen, [sys.executable, "-s", "-P", "-c", boot],
            env=_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()], start_new_session=True,  # Ctrl-C is not for it
        )  # fmt: skip
        theirs.close()
        self.pids: dict[int, int] = {}
        ours.settimeout(START_S)
        self._control, self._handed = ours, len(ProcFiles._fields) + confined
        _, files = self._ask()  # for the word that it is ready
        if not files:
            raise Refused("recvmsg", errno.EMFILE)
        self.pids[self._process.pid] = files[0]

    def start(self, path: Path, limits: Limits, kind: Kind) -> BotProcess:
        bot_in, to_bot = insist("pipe2", os.pipe2, os.O_CLOEXEC)
        from_bot, bot_out = insist("pipe2", os.pipe2, os.O_CLOEXEC)
        for fd in (to_bot, from_bot):
            insist("ioctl", os.set_blocking, fd, False)
        try:
            fcntl.fcntl(to_bot, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        except OSError:
            pass  # this user has many pipes: batches go in smaller pieces
        output = insist("memfd_create", os.memfd_create, "output")
        word = insist("memfd_create, ftruncate or fcntl", _shared_page)
        request = Request(
            kind=START, path=os.fsencode(path), memory_bytes=limits.memory_mib << 20,
            output_bytes=limits.max_output_kib << 10,
        )  # fmt: skip
        pid, pidfd, files, gate = insist(
            "", self._fork, request, [bot_in, bot_out, output, word], limits
        )
        for fd in (bot_in, bot_out):
            os.close(fd)
        handles = Handles(
            pid=pid,
            pidfd=pidfd,
            to_bot=to_bot,
            from_bot=from_bot,
            output=output,
            word=word,
            files=files,
            gate=gate,
        )
        return kind(Forked(handles, self.reap, str(path)), limits)

    def reap(self, pid: int) -> tuple[int, float]:
        """Reap a dead child and free its pid: its wait status, and the CPU it used in s."""
        reply = Reply.from_buffer_copy(self._ask(Request(kind=REAP, pid=pid))[0])
        self.pids.pop(pid, None)
        return reply.status, reply.cpu_s

    def close(self) -> None:
        if file := self.pids.pop(self._process.pid, 0):
            os.close(file)
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _fork(
        self, request: Request, fds: list[int], limits: Limits
    ) -> tuple[int, int, ProcFiles, int]:
        """Have a process forked that is handed `fds`: its pid, pidfd, files and gate (-1: none).

        Raises OSError where it is refused or lost before its bot's first line is read.
        """
        ours, theirs = insist("socketpair", socket.socketpair, None, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                pid = Reply.from_buffer_copy(self._ask(request, [*fds, theirs.fileno()])[0]).pid
            ours.settimeout(START_S)
            held = list[int]()
            reply, more = _receive(ours)
            while more:
                held += more
                reply, more = _receive(ours)
        if reply == BEGUN and len(held) == self._handed:
            files, gate = ProcFiles(*held[:3]), held[3] if held[3:] else -1
            self.pids[pid] = files.schedstat
            return pid, insist("pidfd_open", os.pidfd_open, pid), files, gate
        os.kill(pid, signal.SIGKILL)  # no other has its number before it is reaped
        for fd in held:
            os.close(fd)
        code = os.waitstatus_to_exitcode(self.reap(pid)[0])
        how = f"a process ended before its bot was read: {cause(code, limits).message}"
        lost = Refused("recvmsg", errno.EMFILE) if reply else Refused("", errno.ECHILD, how)
        raise unpack(reply) or lost

    def _ask(
        self, request: Request | None = None, fds: Sequence[int] = ()
    ) -> tuple[bytes, list[int]]:
        """Send a request, if there is one; return the reply. Descriptors go with either."""
        try:
            if request:
                syscall("sendmsg", socket.send_fds, self._control, [request], fds)
            message, held = _receive(self._control)
        except (ConnectionError, TimeoutError) as error:
            raise self._explain_end() from error
        if not message:
            raise self._explain_end()
        if refused := unpack(message):
            raise refused
        return message, held

    def _explain_end(self) -> ArenaError:
        self.close()
        code = self._process.returncode
        return ArenaError(
            f"the process that starts bots ended with status {code}; see its message above, or, "
            "without one, free memory"
        )


def _receive(end: socket.socket) -> tuple[bytes, list[int]]:
    """A message, and the descriptors that came with it: as many as this process may have open."""
    message, fds, _, _ = syscall("recvmsg", socket.recv_fds, end, 1 << 16, len(ProcFiles._fields))
    return message, fds


def _shared_page() -> int:
    """A descriptor of one page of memory that no holder of it can resize."""
    page = os.memfd_create("word", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(page, mmap.PAGESIZE)
    fcntl.fcntl(page, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return page
