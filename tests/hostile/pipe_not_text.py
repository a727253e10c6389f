"""Sends an answer whose decision is no text.

Must: protocol
"""

import sys

import msgspec

from arena.sandbox import harness
from arena.sandbox import wire


def decide(view):
    number = sys._getframe(2).f_locals["number"]
    harness._send = lambda message: None
    body = msgspec.msgpack.encode((number, ["X" * 4], [])).replace(b"XXXX", b"\xff\xfe\xed\xc0")
    __import__("os").write(4, wire.HEAD.pack(len(body)) + body)
    return view.legal[0]
