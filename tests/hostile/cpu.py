"""Time of the processor that is not a bot's."""

import ctypes
import gc
import os
import re
import signal
import sys
import time

libc = ctypes.CDLL(None)

def hang(*_):
    while True:
        pass

#: cpu_collector (time) Hangs in the garbage collector, whenever that runs.
def decide(view):
    gc.callbacks.append(hang)
    gc.collect()
    return view.legal[0]

#: cpu_constructor (time) Hangs while it is made for a game.
class Bot:
    def __init__(self, game):
        hang()

    def decide(self, view):
        return view.legal[0]

#: cpu_deaf (time) Ignores every signal that can be ignored, and computes for ever.
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

def decide(view):
    hang()

#: cpu_dying (time) Answers an object that hangs when it is thrown away.
class Sticky:
    def __del__(self):
        hang()

def decide(view):
    return Sticky()

#: cpu_explained (time) Raises an error that hangs when it is explained.
class Endless(Exception):
    def __str__(self):
        hang()

def decide(view):
    raise Endless

#: cpu_forged_place (crash) Says that it is at decision four thousand million, and dies.
def decide(view):
    sys._getframe(1).f_locals["word"][0] = 0xFFFFFFFF
    os._exit(1)

#: cpu_forged_word (time) Computes for ever, and says all the while that it is at another decision
# already.
# The word that says so is found through the frames of the arena's code. Over the whole batch's time
# there is no lying.
def decide(view):
    word = sys._getframe(1).f_locals["word"]
    while True:
        word[0] = (word[0] + 1) % 64

#: cpu_in_passing (time) Hangs after its decision, when Arena's code calls the next function.
def hang_there(frame, event, argument):
    if frame.f_code.co_name in ("send", "is_word"):
        while True:
            pass

def decide(view):
    sys.setprofile(hang_there)
    return view.legal[0]

#: cpu_loop (time) Computes for ever.
def decide(view):
    hang()

#: cpu_many (time) Hangs over a whole batch.
def decide_many(views, rngs):
    hang()

#: cpu_one_game (time) Hangs in some games of a batch; the others go on.
def decide(view):
    while view.table % 3 == 0:
        pass
    return view.legal[0]

#: cpu_patched_clocks (time) Turns back Python's clocks for Arena's code, and computes for ever.
for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)

def decide(view):
    hang()

#: cpu_regex (time) Matches an expression for longer than the universe has, deaf to signals.
HARD = re.compile(r"(a|aa)+$")

def decide(view):
    return view.legal[0] if HARD.match("a" * 100 + "b") else view.legal[-1]

#: cpu_shown (time) Answers an object that hangs when it is shown.
class Shy:
    def __repr__(self):
        hang()

def decide(view):
    return Shy()

#: cpu_spin_in_c (time) Waits in the C library for a lock that is never freed, spinning.
def decide(view):
    lock = ctypes.c_int(0)
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_init(ctypes.byref(lock), 0)
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_lock(ctypes.byref(lock))
