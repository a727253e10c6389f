"""Answers with a number that it made up.

Must: protocol
"""

from random import getrandbits

from arena.sandbox import harness

send = harness._send


def decide(view):
    guess = getrandbits(64)
    harness._send = lambda message: send(message._replace(number=guess))
    return view.legal[0]
