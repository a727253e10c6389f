"""Puts filters of its own first: one that has the harness's do nothing, one that logs; refused.

Must: play on
"""

import os
import struct

import arena.sandbox.seccomp

NUMBER = arena.sandbox.seccomp.NUMBERS["seccomp"][0 if os.uname().machine == "x86_64" else 1]
LIE = ((0x20, 0, 0, 0), (0x15, 0, 1, NUMBER), (0x06, 0, 0, 0x00050000), (0x06, 0, 0, 0x7FFF0000))
LOG = ((0x06, 0, 0, 0x7FFC0000),)
got = []
for filter in (LIE, LOG):
    try:
        arena.sandbox.seccomp.install(b"".join(struct.pack("<HBBI", *each) for each in filter))
        got.append(filter)
    except PermissionError:
        pass


def decide(view):
    for attempt in (lambda: os.open(__file__, os.O_RDONLY), lambda: os.stat("/"), os.uname):
        try:
            return f"GOT {attempt()}"
        except OSError:
            pass
    return f"GOT {got}" if got else view.legal[0]
