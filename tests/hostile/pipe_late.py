"""Answers each question with what it answered the question before.

Must: protocol
"""

from arena.sandbox import harness

send = harness._send
before = []


def late(message):
    before.append(message)
    send(before[-2] if len(before) > 1 else message)


def decide(view):
    harness._send = late
    return view.legal[0]
