"""`python -m tests.benchmarks.contention [--times N]`: CPU time of a work in a crowd.

A limit is of CPU time, which the kernel counts rightly; but the same work takes more of it where
others share caches, memory and the core's other half. Three works of some milliseconds are done
again and again: alone, and beside programs that fill memory, two a core. Prints milliseconds of CPU
time, and how many times the median alone the median and the worst in the crowd took.
"""

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence

from tabulate import tabulate

WORKS = {
    "counts": "sum(range(150_000))",
    "walks 4 MB of objects": "sum(map(len, LISTS))",
    "fills 20 MB": "'x' * 20_000_000",
}
TIMES = 300
DOES = """
import sys, time
LISTS = [[number] for number in range(50_000)]
for _ in range(int(sys.argv[2])):
    before = time.process_time_ns()
    eval(sys.argv[1])
    print(time.process_time_ns() - before)
"""
CROWD = "while True: bytearray(32 << 20)"


def times_ms(work: str, times: int) -> list[float]:
    """The CPU time in ms that a process needs for a piece of work, each time."""
    done = subprocess.run(
        [sys.executable, "-c", DOES, work, str(times)], capture_output=True, check=True
    )
    return [int(line) / 1e6 for line in done.stdout.split()]


def measured(times: int) -> dict[str, tuple[list[float], list[float]]]:
    alone = {name: times_ms(work, times) for name, work in WORKS.items()}
    loops = [
        subprocess.Popen([sys.executable, "-c", CROWD], start_new_session=True)
        for _ in range(2 * len(os.sched_getaffinity(0)))
    ]
    try:
        crowded = {name: times_ms(work, times) for name, work in WORKS.items()}
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    return {name: (alone[name], crowded[name]) for name in WORKS}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    times = parser.parse_args(arguments).times
    print(f"load before: {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} cores")
    rows = []
    for name, (alone, crowded) in measured(times).items():
        median = statistics.median(alone)
        middle = statistics.median(crowded)
        rows.append((name, median, middle, max(crowded), middle / median, max(crowded) / median))
    heads = ("work", "alone ms", "crowd ms", "worst ms", "median x", "worst x")
    print(tabulate(rows, heads, floatfmt=".1f"))


if __name__ == "__main__":
    main()
