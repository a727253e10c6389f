"""The two pipes to the worker: 3 for questions, 4 for answers."""

import fcntl
import gc
import os
import select
import sys
import time

import msgspec

from arena.sandbox import wire
from arena.sandbox.line import PipeLine

(line,) = [each for each in gc.get_objects() if type(each) is PipeLine]
send = line.send


def decide(view):
    return view.legal[0]

#: pipe_answers_closed (crash) Closes the pipe of answers.
def decide(view):
    os.closerange(4, 5)
    return view.legal[0]

#: pipe_closed (protocol) Closes both its pipes and stays.
def decide(view):
    os.close(3)
    os.close(4)
    while True:
        time.sleep(1)

#: pipe_deep (protocol) Sends an answer nested sixty thousand deep, to overflow its reader.
def decide(view):
    os.write(4, (60000).to_bytes(4, "little") + b"\x91" * 60000)
    return view.legal[0]

#: pipe_drips (time) Sends an answer a byte at a time, for ever, so that something always comes.
def decide(view):
    os.write(4, b"\0\xff\0\0")
    while True:
        os.write(4, b"\0")
        time.sleep(0.001)

#: pipe_early (protocol) Answers the next question before it is asked.
def early(message):
    send(message)
    send(message._replace(number=message.number + 1))

def decide(view):
    line.send = early
    return view.legal[0]

#: pipe_eaten (time) Reads the pipe of questions itself, and waits for more.
def decide(view):
    return os.read(3, 1 << 20)

#: pipe_fewer (protocol) Takes one decision out of its answer, behind the arena's back.
def decide(view):
    line.send = lambda message: send(message._replace(decisions=message.decisions[1:]))
    return view.legal[0]

#: pipe_flood (protocol) Writes into its answers' pipe as fast as it can.
def decide(view):
    while True:
        os.write(4, b"\0" * 65536)

#: pipe_forged (protocol) Finds the question's number in Arena's frames, and answers twice.
def decide(view):
    serving = sys._getframe(2).f_locals
    number, views = serving["number"], serving["views"]
    line.send(wire.Answer(number, ["pass"] * len(views), []))
    return view.legal[0]

#: pipe_forged_failures (protocol) Reports failures of other games, and of kinds only Arena gives.
def decide(view):
    failure = wire.Failure(*((999, "error") if view.table % 2 else (0, "load")), "not my fault")
    line.send = lambda message: send(message._replace(failures=[failure]))
    return view.legal[0]

#: pipe_half (crash) Sends the first half of an answer and leaves.
def decide(view):
    os.write(4, b"\x10\0\0\0\x93\x05")
    os._exit(0)

#: pipe_huge (protocol) Announces an answer of two gigabytes.
def decide(view):
    os.write(4, b"\xff\xff\xff\x7f")
    return view.legal[0]

#: pipe_impatient (crash) Makes its pipe of questions one that does not wait.
os.set_blocking(3, False)

#: pipe_late (protocol) Answers each question with what it answered the question before.
before = []

def late(message):
    before.append(message)
    send(before[-2] if len(before) > 1 else message)

def decide(view):
    line.send = late
    return view.legal[0]

#: pipe_more (protocol) Adds decisions to its answer, behind the arena's back.
def decide(view):
    line.send = lambda message: send(message._replace(decisions=message.decisions + ["take"]))
    return view.legal[0]

#: pipe_moved (play on) Turns pipes about and takes new descriptors while it plays.
def decide(view):
    for attempt in (
        lambda: os.dup(3),
        lambda: os.dup2(4, 1),
        lambda: os.dup2(4, 20, inheritable=False),  # dup3
        lambda: fcntl.fcntl(3, fcntl.F_DUPFD, 20),
        lambda: fcntl.fcntl(3, fcntl.F_DUPFD_CLOEXEC, 20),
        lambda: fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK),
        lambda: os.set_blocking(3, False),
    ):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]

#: pipe_not_text (protocol) Sends an answer whose decision is no text.
def decide(view):
    number = sys._getframe(2).f_locals["number"]
    line.send = lambda message: None
    body = msgspec.msgpack.encode((number, ["X" * 4], [])).replace(b"XXXX", b"\xff\xfe\xed\xc0")
    __import__("os").write(4, wire.HEAD.pack(len(body)) + body)
    return view.legal[0]

#: pipe_nothing (protocol) Answers with an empty message.
def decide(view):
    os.write(4, bytes(4))
    return view.legal[0]

#: pipe_numbers (protocol) Sends numbers for words, and true for a number, behind the arena's back.
def decide(view):
    changes = {"decisions": [1]} if view.table % 2 else {"number": True}
    line.send = lambda message: send(message._replace(**changes))
    return view.legal[0]

#: pipe_own_questions (protocol) Puts its pipe in the place of Arena's, and asks itself.
read, write = os.pipe()
arenas, readv = os.dup(3), os.readv
os.dup2(read, 3)
os.write(write, wire.frame(wire.Hello("no_thanks", {})) + wire.frame((4711, [], [], [])))

def when_it_is_loaded(fd, buffers):
    select.select([arenas], [], [])  # the arena speaks again
    return readv(fd, buffers)

os.readv = when_it_is_loaded

#: pipe_questions_closed (crash) Closes the pipe of questions.
def decide(view):
    os.closerange(3, 4)
    return view.legal[0]

#: pipe_swapped (load) Swaps its two pipes while it loads.
os.dup2(3, 20)
os.dup2(4, 3)
os.dup2(20, 4)

#: pipe_twice (protocol) Sends every answer twice.
def twice(message):
    send(message)
    send(message)

def decide(view):
    line.send = twice
    return view.legal[0]
