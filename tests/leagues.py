"""Small leagues on disk, and the command line run in them, for tests."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.sessions import CHANCE, FIRST

SMALL = """\
seed = 5
workers = 2

[limits]
load_ms = 1500

[[games]]
game = "no_thanks"
players = 3
deals = 2

[[games]]
game = "sixteen"
players = 2
deals = 2
duplicate = true

[[games]]
game = "sixteen"
players = 4
deals = 1

[[games]]
game = "diciassette"
players = [2, 3]
deals = 1
"""
# With four bots: 4 line-ups x 6 seatings x 2 deals + 6 x 2 x 2 + 6 x 2 x 1 + 6 x 2 + 4 x 6
SMALL_GAMES = 48 + 24 + 12 + 12 + 24

BOTS = {"ann": CHANCE, "bob": FIRST, "cid": CHANCE, "dee": CHANCE}


def make(folder: Path, config: str = SMALL, bots: Mapping[str, str] = BOTS) -> Path:
    """Write a league and return its config's path."""
    (folder / "bots").mkdir(parents=True, exist_ok=True)
    (folder / "tournaments").mkdir(exist_ok=True)
    for name, source in bots.items():
        (folder / "bots" / f"{name}.py").write_text(source)
    path = folder / "tournaments" / "cup.toml"
    path.write_text(config)
    return path


def arena(
    *words: object,
    cwd: Path | None = None,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    timeout: float = 120,
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line and return what it did."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=cwd, input=stdin, capture_output=True, check=False, timeout=timeout,
        env={**os.environ, "COLUMNS": "80", **(environment or {})},
    )  # fmt: skip
