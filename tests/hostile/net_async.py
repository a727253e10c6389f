"""Starts an event loop, which makes sockets for itself; must be refused.

Must: play on
"""

import asyncio

got = ""
loop = None
try:
    loop = asyncio.new_event_loop()
    got = "a loop"
except PermissionError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
