"""Bots that do not load."""

def decide(view):
    return view.legal[0]

#: load_changing (error) Is a module whose `decide` is another thing each time, at last nothing.
del decide
looked = []

def __getattr__(name):
    if name == "decide":
        looked.append(name)
        return print if len(looked) == 1 else None
    raise AttributeError(name)

#: load_compile_bomb (load) Compiles for ever: constants that grow when they are folded.
while True:
    compile("(" + "1 << 120, " * 100_000 + ")", "bomb", "eval")

#: load_everything (load) Is a module that has every name that is looked for: too many kinds of bot.
del decide
def __getattr__(name):
    return print

#: load_forged_bytes (load) Says that it is loaded in bytes that are no text.
import os
import time

os.write(4, b"\5\0\0\0\x93\xa1\xff\xc2\xa0")
time.sleep(9)

#: load_metaclass (load) Is a class whose class hangs when it is asked what it has.
del decide
class Meta(type):
    def __getattribute__(cls, name):
        while name == "end":
            pass
        return super().__getattribute__(name)

class Bot(metaclass=Meta):
    def decide(self, view):
        return view.legal[0]

#: load_no_function (load) Has a `decide` that cannot be called.
decide = "pass"

#: load_not_utf8 (load) Is not written in UTF-8, and does not say in what.
CAFE = "caféÿ"

#: load_property (load) Is a module whose `decide` is found, and raises when it is taken.
del decide
looked = []

def __getattr__(name):
    if name == "decide":
        looked.append(name)
        if len(looked) == 1:
            return print
        1 / 0
    raise AttributeError(name)

#: load_quit (load) Raises SystemExit while it loads, with work to do at exit that never ends.
import atexit
import sys
import time

atexit.register(time.sleep, 3600)
sys.exit("no bot today")

#: load_raises (load) Raises while it loads, an error that cannot even be shown.
class Unspeakable(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__

raise Unspeakable from Unspeakable()

#: load_recursion (load) Is nested deeper than the compiler can go, as text made while it loads.
eval("-" * 1_000_000 + "1")

#: load_says_ready (load) Says itself that it is loaded, as a kind of bot that there is not.
import os

from arena.sandbox import wire

os.write(4, wire.frame(("anything", False, "")))

#: load_says_ready_twice (protocol) Says that it is loaded once more where its first answer belongs.
from arena.sandbox import wire
from arena.sandbox.line import PipeLine

receive = PipeLine.receive
received = []

def and_once_more(line):
    received.append(None)
    if len(received) == 2:
        line.send(wire.Ready("decide", False, ""))
    return receive(line)

PipeLine.receive = and_once_more

#: load_sleep (load) Sleeps while it loads.
import time

time.sleep(3600)

#: load_syntax (load) Is not Python.
def decide(view:
    return view.legal[0]

#: load_trespass (load) Makes a forbidden system call while it loads.
import ctypes

ctypes.CDLL(None).ptrace(0, 0, 0, 0)

#: load_zero (load) Has a zero in its source.
def decide(view):
    return view.legal[0]  # ␀
