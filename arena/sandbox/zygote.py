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

A bot's process is the zygote's child, not the worker's, so the worker opens a pidfd of it by its
pid, watches and kills through that, and reads its CPU clock by pid. For the pid to stay its own,
the zygote leaves the dead unreaped until the worker says "reap".

If a worker dies, the kernel kills its zygote, and with the zygote every bot's process.
"""

import fcntl
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

import games
from arena.sandbox import harness, line, requests, seccomp, walls, wire
from arena.sandbox.randomness import Generators
from arena.sandbox.refused import pack, syscall

PRELOADED = """
    array bisect collections copy dataclasses encodings.idna enum fractions functools heapq
    itertools json linecache math operator random re statistics string traceback typing unicodedata
""".split()
"""The likeliest imports of bots: a thousand times cheaper once here than in each process.

A traceback of lines that are not ASCII takes unicodedata, when nothing can be loaded any more; and
without the codec of host names a bot that asks a server is told of a missing codec.
"""

NUMPY = "numpy numpy.fft numpy.linalg numpy.polynomial numpy.random".split()
"""They cost as much to load as all else together, and make every fork dearer."""

GARBAGE = 20_000  # objects: a batch makes and drops thousands, and no cycle among them
CHANNEL_FD = 6  # a child's, until its walls stand
FILES = 1 << 12  # descriptors that are closed in a child: the zygote has few


def main(control: int, parent: int, confined: bool, numpy: bool, installed: Sequence[str]) -> None:
    """Serve requests until the worker closes its end; with `numpy`, from bots that use it. All may
    import from the folders `installed`.

    Says "ready" first, with its schedstat. A request to start comes with five descriptors and is
    answered with a pid; over the fifth, a socket, the child sends its files in /proc, the listener
    of its gate, if it is confined, and "begun" before the bot's first line is read. Each may be an
    error (`arena.sandbox.refused`).
    """
    try:
        walls.die_with(parent)
        _restore_signals()
        prepared = walls.prepare(installed) if confined else None
        if prepared:
            seccomp.keep(prepared.courtesy)
        walls.confine_zygote()
        _warm_up([*PRELOADED, *NUMPY] if numpy else PRELOADED)
        generators = Generators()
        generators.install()  # here, once: no child has to touch that memory
        line.answer_where()
        _serve(syscall("getsockname", socket.socket, fileno=control), prepared, generators)
    except ConnectionError:
        pass  # the worker has left, with a message on its way
    except (OSError, LookupError) as error:
        with suppress(ConnectionError):  # the worker was refused something itself, and has left
            os.write(control, pack(error))
            os.read(control, 1)  # a request on its way, or the worker's end: else this is lost
    os._exit(0)


def _serve(control: socket.socket, prepared: walls.Walls | None, generators: Generators) -> None:
    desk, zygote = requests.Desk(), os.getpid()
    _hand_over(control, requests.READY, "schedstat")
    while True:
        kind, fds = syscall("recvmsg", desk.receive, control)
        try:
            if kind == requests.START:
                pid = syscall("clone", os.fork)
                if pid == 0:
                    try:
                        _become_bot(zygote, prepared, generators, desk, fds)
                    finally:  # never back into the zygote's frames
                        os._exit(1)
                os.write(control.fileno(), desk.reply_to_start(pid))
            elif kind == requests.REAP:
                os.write(control.fileno(), desk.reap())
            else:
                return
        except OSError as error:
            os.write(control.fileno(), pack(error))
        for fd in fds:
            os.close(fd)
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


def _hand_over(end: socket.socket, word: bytes, *names: str) -> None:
    """Send files of this process in /proc, opened here: `hidepid` hides them from others. "stat"
    stands in for one that the kernel does not have, and the worker does not read that.
    """
    paths = [f"/proc/self/{name}" for name in names]
    there = [path if os.path.exists(path) else "/proc/self/stat" for path in paths]
    files = [syscall("openat", os.open, path, os.O_RDONLY) for path in there]
    syscall("sendmsg", socket.send_fds, end, [word], files)
    for file in files:
        os.close(file)


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
    beyond = CHANNEL_FD + 1  # so that no source is one of the targets
    sources = [fcntl.fcntl(fd, fcntl.F_DUPFD, beyond) for fd in fds]
    targets = (wire.IN_FD, wire.OUT_FD, 1, wire.WORD_FD, CHANNEL_FD)
    for source, target in zip(sources, targets, strict=True):
        os.dup2(source, target)
    os.dup2(1, 2)
    os.closerange(beyond, FILES)
    try:
        channel = syscall("getsockname", socket.socket, fileno=CHANNEL_FD)
        _hand_over(channel, b"files", "stat", "schedstat", "status")
        walls.limit_child(memory_bytes, output_bytes)
        listener = walls.raise_walls(prepared, path, channel) if prepared else -1
    except OSError as error:
        os.write(CHANNEL_FD, pack(error))
        os._exit(1)
    os.write(CHANNEL_FD, requests.BEGUN)
    for fd in {channel.detach(), listener} - {-1}:
        os.close(fd)
    sys.argv = [path]
    sys.orig_argv = [path]
    gc.enable()
    gc.set_threshold(GARBAGE)
    harness.main(path, generators, line.PipeLine(prepared is not None))
