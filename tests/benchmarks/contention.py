"""`python -m tests.benchmarks.contention [TIMES]`: CPU time of a work in a crowd.

A limit is of CPU time, which the kernel counts rightly; but the same work takes more of it where
others share caches, memory and the core's other half. Three works of some milliseconds are done
again and again: alone, and beside programs that fill memory, two a core. Prints how many times the
median alone the median and the worst in the crowd took.
"""

import os
import subprocess
import sys
from statistics import median

from tabulate import tabulate

WORKS = {
    "counts": "sum(range(150_000))",
    "walks 4 MB of objects": "sum(map(len, LISTS))",
    "fills 20 MB": "'x' * 20_000_000",
}
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
    done = subprocess.run([sys.executable, "-c", DOES, work, str(times)], stdout=-1, check=True)
    return [int(line) / 1e6 for line in done.stdout.split()]


def main(times: int) -> None:
    print(f"load before: {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} cores")
    alone = {name: times_ms(work, times) for name, work in WORKS.items()}
    command = [sys.executable, "-c", CROWD]
    loops = [subprocess.Popen(command) for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        crowded = {name: times_ms(work, times) for name, work in WORKS.items()}
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    rows = [
        (name, least := median(alone[name]), median(crowd) / least, max(crowd) / least)
        for name, crowd in crowded.items()
    ]
    print(tabulate(rows, ("work", "alone ms", "median x", "worst x"), floatfmt=".1f"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
