"""Sends errors about its results that are far too long; they are cut.

Must: play on
"""

import arena.sandbox.harness
from arena.sandbox.wire import Failure

send = arena.sandbox.harness._send


def complain(message):
    if hasattr(message, "failures"):
        message.failures.append(Failure(-1, "error", "x" * 60_000))
    send(message)


arena.sandbox.harness._send = complain


class Bot:
    def __init__(self, game):
        pass

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        pass
