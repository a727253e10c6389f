"""Reports failures of other games, and of kinds that only Arena gives.

Must: protocol
"""

from arena.sandbox import harness
from arena.sandbox import wire

send = harness._send


def decide(view):
    failure = wire.Failure(*((999, "error") if view.table % 2 else (0, "load")), "not my fault")
    harness._send = lambda message: send(message._replace(failures=[failure]))
    return view.legal[0]
