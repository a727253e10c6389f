"""Processes that die, leave, or do their worst when a game ends."""

import atexit
import ctypes
import os
import signal
import time

#: dies_of_full_output (crash) Takes back Python's patience with full files, and fills its output.
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

def decide(view):
    while True:
        os.write(1, b"x" * 4096)

#: dies_of_kill (memory) Kills itself as the kernel does when memory runs out: is taken for that.
def decide(view):
    os.kill(os.getpid(), signal.SIGKILL)

#: dies_of_null (crash) Reads where there is no memory.
def decide(view):
    return ctypes.string_at(0)

#: dies_real_time (crash) Dies of a signal that has no name.
def decide(view):
    os.kill(os.getpid(), 40)
    return view.legal[0]

#: dies_together (strikes) Dies when it is asked about two games at once, never about one.
def decide_many(views, rngs):
    if len(views) > 1:
        os._exit(1)
    return [view.legal[0] for view in views]

#: ends_at_exit (play on) Has work to do when its process ends, which is not waited for.
def linger():
    while True:
        time.sleep(1)

atexit.register(linger)

class Lingering:
    def __del__(self):
        linger()

kept = Lingering()

def decide(view):
    return view.legal[0]

#: ends_dead (play on) Exits, or raises, when a game ends: no record is touched.
class Bot:
    def __init__(self, game):
        self.even = game.seat % 2 == 0

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        if self.even:
            os._exit(1)
        raise MemoryError

#: ends_hang (play on) Hangs when a game ends: that is noted for its author and touches no record.
class Bot:
    def __init__(self, game):
        pass

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        while True:
            pass

#: exits_by_generator (error) Raises what only generators may: an error like others.
def decide(view):
    raise GeneratorExit if view.table % 2 else StopIteration

#: exits_by_interrupt (error) Interrupts itself as Ctrl-C does: an error like others.
def decide(view):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass

#: exits_quietly (crash) Leaves, saying that all is well.
def decide(view):
    os._exit(0)
