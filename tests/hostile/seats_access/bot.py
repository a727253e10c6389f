"""Reads a file it kept open, so that its partner, who kept it too, sees the access; refused.

Puts a lying filter in the way of the harness's first.

Must: play on
"""

import os
import struct
from pathlib import Path

import arena.sandbox.seccomp

NUMBER = arena.sandbox.seccomp.NUMBERS["seccomp"][0 if os.uname().machine == "x86_64" else 1]
LIE = ((0x20, 0, 0, 0), (0x15, 0, 1, NUMBER), (0x06, 0, 0, 0x00050000), (0x06, 0, 0, 0x7FFF0000))
arena.sandbox.seccomp.install(b"".join(struct.pack("<HBBI", *each) for each in LIE))
DATA = Path(__file__).with_name("data")
kept = os.open(DATA, os.O_RDONLY)


def decide(view):
    os.lseek(kept, 0, os.SEEK_SET)
    os.read(kept, 1)
    for attempt in (
        lambda: os.fstat(kept).st_atime_ns,
        lambda: os.stat(DATA).st_atime_ns,
        lambda: os.fstatvfs(kept),
        lambda: os.pipe(),
    ):
        try:
            return f"GOT {attempt()}"
        except OSError:
            pass
    return view.legal[0]
