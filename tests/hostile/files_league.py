"""Looks for the league's bots, configs, results and tests next to arena's code.

Must: play on
"""

import os

import arena

ROOT = os.path.dirname(os.path.dirname(arena.__file__))
got = []
for name in ("", "bots", "tests", "tournaments", "arena", "arena/store"):
    try:
        got += os.listdir(os.path.join(ROOT, name))
    except PermissionError:
        pass
for name in ("pyproject.toml", "arena/ids.py", "arena/sandbox/../../tests/sessions.py"):
    try:
        with open(os.path.join(ROOT, name)) as file:
            got.append(file.read())
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got[0]}" if got else view.legal[0]
