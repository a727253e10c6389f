"""`python -m tests.benchmarks.crowded [--games N] [--rounds R]`: pinned or not, in a crowd.

The same tournament with workers and bots pinned and with --no-pin, in turn, round after round: on
a machine left alone, and beside busy loops: one on a single core, one a core and two a core, which
the kernel may move, and two a core that stay where they are. Prints what --no-pin took over what
pinned took, wall and CPU time: above 1, pinning gained. Beside it stands how many cores were busy
just before, with nothing of ours on them: the load average would still tell of the last round's
loops.

Each loop is a session of its own. Else the kernel would share one program's part of the cores
among all of them (autogroup, sched(7)), and they would hardly be noticed.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from tabulate import tabulate

from tests.benchmarks import tournaments
from tests.benchmarks.accounting import Cost
from tests.benchmarks.tournaments import Tournament

POOL = ("no_thanks", 3, "random_choice")
GAMES, ROUNDS = 24_000, 5
LOOP = "while True: pass"


class Crowd(NamedTuple):
    """Busy loops beside a tournament."""

    name: str
    loops: int  # on each core, or in all, if on one
    cores: Sequence[int]
    kept: bool  # whether they stay on that core


class Pair(NamedTuple):
    """One tournament, played twice in a row."""

    pinned: Cost
    free: Cost
    busy: float  # cores, before they began and before the loops did

    @property
    def wall(self) -> float:
        """Return how much longer the free one took."""
        return self.free.wall_s / self.pinned.wall_s

    @property
    def cpu(self) -> float:
        """Return how much more CPU time the free one took."""
        return self.free.cpu_s / self.pinned.cpu_s


def crowds() -> list[Crowd]:
    """Return what is compared: nobody first."""
    cores = sorted(os.sched_getaffinity(0))
    return [
        Crowd("alone", 0, (), False),
        Crowd("a loop on the first core", 1, cores[:1], True),
        Crowd("a loop a core", 1, cores, False),
        Crowd("two loops a core", 2, cores, False),
        Crowd("two loops kept on each core", 2, cores, True),
    ]


@contextmanager
def computing(crowd: Crowd) -> Iterator[list[int]]:
    """Give the pids of the loops, which compute meanwhile."""
    with ExitStack() as stack:
        pids = []
        for core in [core for core in crowd.cores for _ in range(crowd.loops)]:
            loop = subprocess.Popen([sys.executable, "-c", LOOP], start_new_session=True)
            stack.callback(loop.wait)
            stack.callback(loop.kill)
            if crowd.kept:
                os.sched_setaffinity(loop.pid, {core})
            pids.append(loop.pid)
        yield pids


def busy_cores(within_s: float = 0.5) -> float:
    """Return how many cores others keep busy, in the mean of so many s from now."""
    before = _ticks()
    time.sleep(within_s)
    idle, all_of_them = (now - then for now, then in zip(_ticks(), before, strict=True))
    return (os.cpu_count() or 1) * (1 - idle / max(1, all_of_them))


def _ticks() -> tuple[int, int]:
    """Return how long all cores together have been idle, and have been at all (proc(5))."""
    with open("/proc/stat", "rb") as file:
        ticks = [int(each) for each in file.readline().split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def pair(tournament: Tournament, crowd: Crowd, free_first: bool) -> Pair:
    """Play a tournament pinned and not; what comes first is no better off for it, if that is
    alternated.
    """
    busy = busy_cores()
    with computing(crowd):
        found = {
            pinned: tournaments.cost(tournament._replace(pinned=pinned))
            for pinned in ((False, True) if free_first else (True, False))
        }
    return Pair(found[True], found[False], busy)


def main(words: Sequence[str]) -> None:
    """Measure and print, each pair as it is there and all of them in the end."""
    given = _arguments(words)
    measured: dict[tuple[int, str], list[Pair]] = {}
    for number in range(given.rounds):
        for workers in given.workers:
            tournament = tournaments.of_one_line_up(*POOL, workers, given.games)
            for crowd in crowds():
                found = pair(tournament, crowd, free_first=bool(number % 2))
                measured.setdefault((workers, crowd.name), []).append(found)
                print(
                    f"round {number + 1}: {workers} workers, {crowd.name}: wall {found.wall:.2f}, "
                    f"CPU {found.cpu:.2f}, {found.busy:.1f} cores busy before",
                    file=sys.stderr,
                )
    print(tabulate([_row(*line) for line in measured.items()], HEADS, disable_numparse=True))


HEADS = ("workers", "beside it", "wall, free / pinned", "CPU, free / pinned", "pinned, s", "busy")


def _row(line: tuple[int, str], pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Return a line of the table: medians, with the least and the most."""
    workers, name = line
    return (
        str(workers), name, _spread([pair.wall for pair in pairs], "{:.2f}"),
        _spread([pair.cpu for pair in pairs], "{:.2f}"),
        _spread([pair.pinned.wall_s for pair in pairs], "{:.1f}"),
        _spread([pair.busy for pair in pairs], "{:.1f}"),
    )  # fmt: skip


def _spread(values: Sequence[float], form: str) -> str:
    middle, least, most = map(form.format, (statistics.median(values), min(values), max(values)))
    return f"{middle} ({least}..{most})"


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="crowded", description="Compare pinned with free.")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N",
                        help=f"games of a tournament ({GAMES:,})")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R",
                        help=f"how often each is played ({ROUNDS})")  # fmt: skip
    parser.add_argument("--workers", type=int, nargs="+", default=[1, os.cpu_count() or 1],
                        metavar="W", help="how many workers; 1 and one a core")  # fmt: skip
    return parser.parse_args(words)


if __name__ == "__main__":
    main(sys.argv[1:])
