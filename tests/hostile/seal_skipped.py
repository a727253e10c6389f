"""Has the harness skip what it does after loading, and goes on opening and looking.

Must: play on
"""

import os

import arena.sandbox.seccomp

arena.sandbox.seccomp.install_kept = lambda: None


def decide(view):
    for attempt in (lambda: os.open(__file__, os.O_RDONLY), lambda: os.stat("/"), os.uname):
        try:
            return f"GOT {attempt()}"
        except OSError:
            pass
    return view.legal[0]
