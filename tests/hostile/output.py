"""Prints."""

import os
import sys

#: output_closed (play on) Closes its output in every way, and prints; nothing more is kept.
os.close(1)
os.close(2)
print("nobody hears this")
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None

def decide(view):
    print("nor this")
    return view.legal[0]

#: output_endless_notes (play on) Sends errors about its results that are far too long, and are cut.
import gc

from arena.sandbox.line import PipeLine
from arena.sandbox.wire import Failure

(line,) = [each for each in gc.get_objects() if type(each) is PipeLine]
send = line.send

def complain(message):
    if hasattr(message, "failures"):
        message.failures.append(Failure(-1, "error", "x" * 60_000))
    send(message)

line.send = complain

class Bot:
    def __init__(self, game):
        pass

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        pass

#: output_escapes (play on) Prints what takes terminals over, half characters and zeros; harmless.
def decide(view):
    print("\x1b[2J\x1b]0;owned\x07\x1b[?1049h\r\x08\x9b31m\u202e\u2066", end="")
    print("\0\udcff<script>alert(1)</script>")
    try:
        os.write(1, b"\xff\xfe\xc3(\xf0\x9f")
    except OSError:
        pass
    return view.legal[0]

#: output_flood (play on) Prints without measure; what is over the limit is dropped.
def decide(view):
    print("I win! " * 1000)
    print("I win! " * 1000, file=sys.stderr)
    for fd in (1, 2):
        try:
            os.write(fd, b"I win! " * 1000)
        except OSError:
            pass
    return view.legal[0]

#: output_into_answers (protocol) Turns its prints into its answers' pipe while it loads.
os.dup2(4, 1)

def decide(view):
    print("take, please")
    return view.legal[0]
