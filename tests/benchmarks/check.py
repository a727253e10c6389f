"""`python -m tests.benchmarks.check [--rounds N] [--load L] [BOT ...]`: what `arena check` takes.

By the clock, on a machine that is quiet: it promises a quick bot's author everything in under 20 s,
and the first fault in under 2 (`--first`). Prints of each check the seconds, those of CPU that all
its processes used, how many cores others kept busy meanwhile, and how many games of the ten pools
were played. Without BOT: house bots, a slow one, and the mistakes that are found late. Exits 1
where a promise was broken. A test holds the CPU time alone (tests/whole/test_newcomer.py).
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks import load
from tests.places import BOTS, ROOT

CHECK_S, FIRST_FAULT_S = 20.0, 2.0
SOUND = [
    ROOT / "bots" / name for name in ("first_legal.py", "haggler.py", "champion.py", "arrays.py")
]
SLOW = [BOTS / "thinks_4_ms.py"]  # it takes as long, and is not promised to
FAULTY = [
    ROOT / "tests" / "first_bots" / f"{name}.py"
    for name in ("capital", "other_games", "typo_import")
]


def main(words: Sequence[str]) -> int:
    """Measure and print; return 1 where a promise was broken, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.check")
    parser.add_argument("bots", metavar="BOT", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--load", type=float, default=load.MOST)
    given = parser.parse_args(words)
    kept = True
    print(f"{'check':<28}{'seconds':>9}{'CPU':>7}{'others':>8}{'games':>7}  fewest of a pool")
    for _ in load.rounds(given.rounds, given.load):
        for bot in given.bots or SOUND:
            kept &= _print(bot) < CHECK_S
        if not given.bots:
            for bot in SLOW:
                _print(bot)
            for bot in FAULTY:
                kept &= _print(bot, "--first") < FIRST_FAULT_S
    return 0 if kept else 1


def _print(bot: Path, *more: str) -> float:
    """Check a bot, print what that took, and return the seconds."""
    beside, used_s, began_s = load.Beside(), load.ours_s(), time.monotonic()
    command = [sys.executable, "-m", "arena", "check", str(bot), "-q", "--json", *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    took_s = time.monotonic() - began_s
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}")
    games = list(_games(done.stdout))
    name = " ".join([bot.stem, *more])
    cpu_s = load.ours_s() - used_s
    least = f"{min(games)} of {len(games)}" if games else ""
    print(f"{name:<28}{took_s:9.1f}{cpu_s:7.1f}{beside.cores():8.1f}{sum(games):7}  {least}")
    return took_s


def _games(document: bytes) -> Iterator[int]:
    yield from (pool["games"] for pool in json.loads(document)["pools"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
