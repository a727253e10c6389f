"""Sleeps, against limits of 200 ms a decision."""

import ctypes
import os
import signal
import time

libc = ctypes.CDLL(None)

#: sleep_disguised (time) Calls its process so that /proc seems to say that it runs, and sleeps.
libc.prctl(15, b"x) R 1 (", 0, 0, 0)

def decide(view):
    time.sleep(60)
    return view.legal[0]

#: sleep_each_batch (play on) Computes for far less than its limit in each decision: its right.
left = 5

def decide(view):
    global left
    until = time.process_time() + 0.05  # the limit is 0.2
    while left and time.process_time() < until:
        pass
    left -= bool(left)
    return view.legal[0]

#: sleep_just_under (time) Sleeps a little under its limit in every decision.
def decide(view):
    time.sleep(0.18)  # the limit is 0.2
    return view.legal[0]

#: sleep_long (time) Sleeps, which costs no CPU time.
def decide(view):
    time.sleep(60)
    return view.legal[0]

#: sleep_naps (time) Sleeps a millisecond at a time, for ever.
def decide(view):
    while True:
        time.sleep(0.001)

#: sleep_once (play on) Sleeps a little under its limit, once: that is its right.
left = 1

def decide(view):
    global left
    if left:
        left -= 1
        time.sleep(0.15)  # the limit is 0.2
    return view.legal[0]

#: sleep_stopped (error) Stops itself by a signal, to use only other people's time.
def decide(view):
    os.kill(os.getpid(), signal.SIGSTOP)
    return view.legal[0]
