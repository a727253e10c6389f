"""Reads a file it kept open, so that its partner, who kept it too, sees the access.

Has the harness skip what it does after loading, so that the gate alone refuses.

Must: play on
"""

import os
from pathlib import Path

import arena.sandbox.seccomp

arena.sandbox.seccomp.install_kept = lambda: None
DATA = Path(__file__).with_name("data")
kept = os.open(DATA, os.O_RDONLY)


def decide(view):
    for attempt in (
        lambda: os.read(kept, 1),
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
