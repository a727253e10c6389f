"""The zygote: a warm, empty process that bots' processes are forked from.

Theory of operation. There are four kinds of process:

- the *arena* (the command line): schedule, store, tables. Holds the tournament's secret.
- its *workers* (`arena.runner.worker`): each plays one session at a time
  and owns one zygote. A worker knows the secret, all bots' decisions and every state.
- a *zygote* a worker, started by exec with an empty environment, so that nothing of the worker's
  memory is in it: it holds the interpreter, preloaded libraries, one control socket, and one
  request at a time, of which nothing stays (`arena.sandbox.requests`). It runs no bot's code. A
  worker whose bots use numpy has a second one, with numpy in it, for these bots.
- a *bot's process*, forked from the zygote, fresh for each bot and session: it holds two pipes,
  a word of memory shared with the worker (the number of the decision it is at), and a file
  without a name that its output goes to. It is told about its own games alone.

A bot's process is the zygote's child, not the worker's, so the worker gets a pidfd of it with
the answer to its request, watches and kills through that, and reads its CPU clock by pid. For the
pid to stay its own, the zygote leaves the dead unreaped until the worker says "reap".

If a worker dies, the kernel kills its zygote, and with the zygote every bot's process.
"""

import contextlib
import fcntl
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Sequence

import games
from arena.sandbox import harness, requests, seccomp, walls, wire
from arena.sandbox.randomness import Generators

PRELOADED = """
    array bisect collections copy dataclasses encodings.idna enum fractions functools heapq
    itertools json linecache math operator random re statistics string traceback typing unicodedata
""".split()
"""The likeliest imports of bots: a thousand times cheaper once here than in each process.

A traceback of lines that are not ASCII takes unicodedata, when nothing can be loaded any more; and
without the codec of host names a bot that asks a server is told of a missing codec.
"""

NUMPY = "numpy numpy.fft numpy.linalg numpy.polynomial numpy.random".split()
"""What costs as much to load as all else together, and makes every fork dearer."""

READY = b"ready"
GARBAGE = 20_000  # objects: a batch makes and drops thousands, and no cycle among them
GATE_FD, RULES_FD = 6, 7  # a child's, until its walls stand
FILES = 1 << 12  # descriptors that are closed in a child: the zygote has few


def main(control: socket.socket, parent: int, confined: bool, numpy: bool) -> None:
    """Serve requests until the worker closes its end; with `numpy`, from bots that use it.

    Says "ready" first, or why bots cannot be confined here. A request to start comes with five
    descriptors and is answered with a pidfd; the fifth is a socket over which the confined child
    then sends the listener of its gate.
    """
    walls.die_with(parent)
    _restore_signals()
    try:
        prepared = walls.prepare() if confined else None
        if prepared:
            seccomp.keep(prepared.courtesy)
    except (OSError, LookupError) as error:
        control.send(f"{error}".encode())
        os._exit(0)
    walls.confine_zygote()
    _warm_up([*PRELOADED, *NUMPY] if numpy else PRELOADED)
    generators = Generators()
    generators.install()  # here, once: no child has to touch that memory
    harness.answer_where()
    with contextlib.suppress(ConnectionError):  # the worker has left, with a message on its way
        control.send(READY)
        _serve(control, prepared, generators)
    os._exit(0)


def _serve(control: socket.socket, prepared: walls.Walls | None, generators: Generators) -> None:
    """Answer requests until the worker closes its end. Raises ConnectionError."""
    desk = requests.Desk()
    while True:
        kind, fds = desk.receive(control)
        if kind == requests.START:
            _start(control, prepared, generators, desk, fds)
        elif kind == requests.REAP:
            control.send(desk.reaped())
        else:
            return
        desk.clear()


def _restore_signals() -> None:
    """Give signals the effect they have in a fresh Python, however the arena was started."""
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _warm_up(modules: Sequence[str]) -> None:
    """Load all games, and the modules that each child would otherwise have to load."""
    for name in (*modules, *(f"games.{game}" for game in games.names())):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != "numpy":  # the one library that need not be installed
                raise
    for game in games.names():
        harness.decode_of(game)
    exec(compile("0", "warm", "exec"), {})  # a process's first compile costs 40 times the second
    gc.freeze()


def _start(
    control: socket.socket,
    prepared: walls.Walls | None,
    generators: Generators,
    desk: requests.Desk,
    fds: Sequence[int],
) -> None:
    zygote = os.getpid()
    used = [*fds, walls.make_rules(prepared, desk.open_path())] if prepared else fds
    pid = os.fork()
    if pid == 0:
        try:
            _become_bot(zygote, prepared, generators, desk, used)
        finally:  # never back into the zygote's frames
            os._exit(1)
    for fd in used:
        os.close(fd)
    pidfd = os.pidfd_open(pid)
    socket.send_fds(control, [desk.started(pid)], [pidfd])
    os.close(pidfd)


def _become_bot(
    zygote: int,
    prepared: walls.Walls | None,
    generators: Generators,
    desk: requests.Desk,
    fds: Sequence[int],
) -> None:
    walls.die_with(zygote)
    path, memory_bytes, output_bytes = desk.take()
    os.close(0)  # the zygote's: its flags would be those of all children
    os.open(os.devnull, os.O_RDONLY)  # the lowest number that is free, 0
    beyond = RULES_FD + 1  # so that no source is one of the targets
    sources = [fcntl.fcntl(fd, fcntl.F_DUPFD, beyond) for fd in fds]
    targets = (wire.IN_FD, wire.OUT_FD, 1, wire.WORD_FD, GATE_FD, RULES_FD)
    for source, target in zip(sources, targets, strict=False):  # without walls there are no rules
        os.dup2(source, target)
    os.dup2(1, 2)
    os.closerange(beyond if prepared else GATE_FD, FILES)
    walls.limit_child(memory_bytes, output_bytes)
    if prepared:
        walls.raise_walls(prepared, RULES_FD, GATE_FD)
    sys.argv = [path]
    sys.orig_argv = [path]
    gc.enable()
    gc.set_threshold(GARBAGE)
    harness.main(path, prepared is not None, generators)
