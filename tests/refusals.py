"""A machine that refuses system calls, as containers' profiles do: for tests that start processes.

What is installed holds for this process and all its children: use it as a `preexec_fn`.
"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

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


def run_refused(
    words: "tuple[object, ...]", call: str, error: int, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run arena where a call is refused; "listener": where another program listens."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        preexec_fn=listen if call == "listener" else lambda: refuse(call, error),
        close_fds=False, cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
