"""A machine that refuses system calls, as containers' profiles do: for tests that start processes.

What is installed holds for this process and all its children: use it as a `preexec_fn`.
"""

import ctypes
import io
import os
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from arena.cli import app
from arena.process.doctor import try_child
from arena.sandbox import bpf, seccomp

NUMBERS = {
    **bpf.NUMBERS, "capset": (126, 91), "memfd_create": (319, 279), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446), "setsid": (112, 157),
    "socketpair": (53, 199), "sendmsg": (46, 211), "recvmsg": (47, 212), "sendto": (44, 206),
    "clone": (56, 220), "getsockname": (51, 204), "ftruncate": (77, 46),
    "sched_setaffinity": (203, 122),
}  # fmt: skip
"""Of calls that a bot's process takes on its way: on x86_64, on aarch64."""
UNUSED = 400  # the number of no call, on both


def refuse(call: str, error: int) -> None:
    """Have a call fail with an error, for ever."""
    _install((bpf.EQUAL, 0, 1, NUMBERS[call][bpf.machine()[0]] or 0), bpf.ERRNO | error, 0)


def listen() -> None:
    """Listen to a call that is never made, as WSL's mirrored networking does: no process under it
    can have a listener of its own. It lasts as long as the descriptor, which a program inherits.
    """
    fd = _install((bpf.EQUAL, 0, 1, UNUSED), bpf.NOTIFY, seccomp.NEW_LISTENER)
    os.set_inheritable(fd, True)


def _install(test: bpf.Instruction, result: int, flags: int) -> int:
    ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no_new_privs
    body = [test, (bpf.RETURN, 0, 0, result), bpf.PASS]
    return seccomp.install(bpf.assemble(body).code, flags)


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


def run_refused(
    words: tuple[object, ...], call: str, error: int, folder: Path | None = None
) -> Done:
    """Run arena where a call is refused; "listener": where another program listens. It is a fork of
    this process, where all is loaded already.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        if not (child := os.fork()):
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv, sys.stdin = ["arena", *map(str, words)], io.StringIO()
                sys.stdout, sys.stderr = (os.fdopen(fd, "w", closefd=False) for fd in (1, 2))
                os.chdir(folder or "/")
                try_child.cache_clear()  # which a test before may have asked, of this machine
                listen() if call == "listener" else refuse(call, error)
                app.main()
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return Done(code, out.read().decode(), err.read().decode())
