"""`python -m tests.benchmarks.memory [--games N] [--deals D]`: what memory the arena itself takes.

Plays a league of 12 random bots at No Thanks! with three seats, a million games of it as planned,
and stops it after N. Prints the resident memory of the arena's own processes (the main one, its
workers, their zygotes), as games are stored; a bot's processes are not the arena's.
"""

import argparse
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from arena.store.schema import FILE
from tests.benchmarks.accounting import ended
from tests.benchmarks.bare import BOTS
from tests.benchmarks.tournaments import DISK
from tests.leagues import make

LEAGUE = 12
DEALS = 758  # x C(12, 3) line-ups x 6 seatings = 1,000,560 games
LOOK_S = 0.5
STEPS = 10  # lines printed


def main() -> None:
    """Play, look, and print."""
    parser = argparse.ArgumentParser(prog="memory", description="Measure the arena's memory.")
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="stop after these")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="D", help="that are planned")
    given = parser.parse_args()
    source = (BOTS / "random_choice.py").read_text()
    bots = {f"bot{number:02}": source for number in range(LEAGUE)}
    config = f'[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = {given.deals}\n'
    with tempfile.TemporaryDirectory(prefix="arena-memory-", dir=DISK) as folder:
        path = make(Path(folder), config, bots)
        command = [sys.executable, "-m", "arena", "tournament", str(path), "-q"]
        for what in ("fresh", "resumed"):
            print(what)
            watch(command, Path(folder) / "results" / "cup" / FILE, given.games)


def watch(command: list[str], file: Path, games: int) -> None:
    """Run an arena until it has stored so many games more, and print what it takes."""
    before = stored(file)
    arena = subprocess.Popen(command)
    step, most = 0, {"main": 0, "workers": 0, "zygotes": 0}
    while not ended(arena, LOOK_S):
        done = stored(file) - before
        for role, pids in family(arena.pid).items():
            most[role] = max([most[role], *map(peak_kib, pids)])
        if done >= step * games // STEPS and done:
            told = ", ".join(f"{role} {kib / 1024:.1f}" for role, kib in most.items())
            print(f"  {done:>9,} games: {told} MiB at most", flush=True)
            step = done * STEPS // games + 1
        if done >= games:
            arena.send_signal(signal.SIGINT)
            break
    arena.wait()


def stored(file: Path) -> int:
    """Return how many games there are."""
    if not file.exists():
        return 0
    connection = sqlite3.connect(file.as_uri() + "?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT coalesce(max(rowid), 0) FROM game").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0
    finally:
        connection.close()


def family(main: int) -> dict[str, list[int]]:
    """Return the arena's own processes by role; a zygote is a worker's child."""
    workers = [pid for pid in children(main) if "resource_tracker" not in command_line(pid)]
    return {
        "main": [main],
        "workers": workers,
        "zygotes": [pid for worker in workers for pid in children(worker)],
    }


def children(pid: int) -> list[int]:
    """Return a process's children, [] if it is gone."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def command_line(pid: int) -> str:
    """Return a process's words, "" if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def peak_kib(pid: int) -> int:
    """Return the most that a process has had resident, 0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


if __name__ == "__main__":
    main()
