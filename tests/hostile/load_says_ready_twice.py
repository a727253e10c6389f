"""Says that it is loaded once more where its first answer belongs.

Must: protocol
"""

from arena.sandbox import harness
from arena.sandbox import wire

receive = harness.Inbox.receive
received = []


def and_once_more(inbox):
    received.append(None)
    if len(received) == 2:
        harness._send(wire.Ready("decide", False, ""))
    return receive(inbox)


harness.Inbox.receive = and_once_more


def decide(view):
    return view.legal[0]
