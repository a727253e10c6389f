"""Sends every answer twice.

Must: protocol
"""

from arena.sandbox import harness

send = harness._send


def twice(message):
    send(message)
    send(message)


def decide(view):
    harness._send = twice
    return view.legal[0]
