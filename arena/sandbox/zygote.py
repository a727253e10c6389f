"""The zygote: a warm, empty process that bots' processes are forked from.

Theory of operation. There are four kinds of process:

- the *arena* (the command line): schedule, store, tables. Holds the tournament's secret.
- its *workers* (`arena.runner.worker`, started by multiprocess): each plays one session at a time
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
from arena.sandbox import harness, requests, seccomp, wire
from arena.sandbox.randomness import Generators
from arena.sandbox.walls import (
    Caps,
    Walls,
    confine_zygote,
    die_with,
    limit_child,
    prepare,
    raise_walls,
    rules_for,
)

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
FILES = 1 << 12  # descriptors that are closed in a child: the zygote has few


def main(control: socket.socket, parent: int, confined: bool, numpy: bool) -> None:
    """Serve requests until the worker closes its end; with `numpy`, from bots that use it.

    Says "ready" first, or why bots cannot be confined here. A request to start comes with five
    descriptors and is answered with a pidfd; the fifth is a socket over which the confined child
    then sends the listener of its gate.
    """
    die_with(parent)
    _as_born()
    try:
        walls = prepare() if confined else None
        if walls:
            seccomp.keep(walls.courtesy)
    except (OSError, LookupError) as error:
        control.send(f"{error}".encode())
        os._exit(0)
    confine_zygote()
    _warm_up([*PRELOADED, *NUMPY] if numpy else PRELOADED)
    generators = Generators()
    generators.install()  # here, once: no child has to touch that memory
    harness.answer_where()
    with contextlib.suppress(ConnectionError):  # the worker has left, with a message on its way
        control.send(READY)
        _serve(control, walls, generators)
    os._exit(0)


def _serve(control: socket.socket, walls: Walls | None, generators: Generators) -> None:
    """Answer requests until the worker closes its end. Raises ConnectionError."""
    desk = requests.Desk()
    while True:
        kind, fds = desk.receive(control)
        if kind == requests.START:
            _start(control, walls, generators, desk, fds)
        elif kind == requests.REAP:
            control.send(desk.reaped())
        else:
            return
        desk.clear()


def _as_born() -> None:
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
    exec(compile("0", "warm", "exec"), {})  # a process's first compile costs 40 times the second
    gc.freeze()


def _start(
    control: socket.socket,
    walls: Walls | None,
    generators: Generators,
    desk: requests.Desk,
    fds: Sequence[int],
) -> None:
    """Fork a bot's process, and reply with its pid."""
    zygote = os.getpid()
    rules = _rules(walls, desk) if walls else -1
    pid = os.fork()
    if pid == 0:
        try:
            _become_bot(zygote, walls, rules, generators, desk.take(), fds)
        finally:  # never back into the zygote's frames
            os._exit(1)
    for fd in fds:
        os.close(fd)
    if walls:
        os.close(rules)
    pidfd = os.pidfd_open(pid)
    socket.send_fds(control, [desk.started(pid)], [pidfd])
    os.close(pidfd)


def _rules(walls: Walls, desk: requests.Desk) -> int:
    """The Landlock rules, as a descriptor, for the bot that is to be started."""
    snapshot = desk.open_path()
    try:
        return rules_for(walls, snapshot)
    finally:
        if snapshot >= 0:
            os.close(snapshot)


def _become_bot(
    zygote: int,
    walls: Walls | None,
    rules: int,
    generators: Generators,
    terms: requests.Terms,
    fds: Sequence[int],
) -> None:
    die_with(zygote)
    os.close(0)  # the zygote's: its flags would be those of all children
    os.open(os.devnull, os.O_RDONLY)  # the lowest number that is free, 0
    above = wire.WORD_FD + 1  # so that no source is one of the targets
    bot_in, bot_out, output, word, gate = [fcntl.fcntl(fd, fcntl.F_DUPFD, above) for fd in fds]
    for source, target in (
        (output, 1),
        (output, 2),
        (bot_in, wire.IN_FD),
        (bot_out, wire.OUT_FD),
        (word, wire.WORD_FD),
    ):
        os.dup2(source, target)
    if walls:
        rules = fcntl.fcntl(rules, fcntl.F_DUPFD, above)
        for at, source in enumerate((rules, gate)):
            os.dup2(source, above + at)
        os.closerange(above + 2, FILES)
    else:
        os.closerange(above, FILES)
    limit_child(Caps(terms.memory_bytes, terms.output_bytes))
    if walls:
        raise_walls(walls, above, above + 1)
    sys.argv = [terms.path]
    sys.orig_argv = [terms.path]
    gc.enable()
    gc.set_threshold(GARBAGE)
    harness.main(terms.path, walls is not None, generators)
