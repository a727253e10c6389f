"""`python -m tests.benchmarks.walls`: what the walls cost while games are played.

Plays one session of No Thanks! with three random bots behind the walls and one without, in turn,
and prints games per CPU-second of both (session and bots together) and the ratio by round.
"""

import statistics
import sys

from arena.model import Pool
from arena.process.zygote_client import ZygoteClient
from tests.benchmarks.ladder import in_a_session

POOL = Pool("no_thanks", 3, "{}", "")
GAMES = 2000


def games_a_cpu_second(zygote: ZygoteClient) -> float:
    """Play `GAMES` games and return how many a second of CPU."""
    took = in_a_session(zygote, POOL, "random_choice", GAMES)
    return took.games / took.cpu_s


def main(rounds: int) -> None:
    """Measure in turn, and print medians, minimum and maximum."""
    walled, open_ = ZygoteClient(confined=True), ZygoteClient(confined=False)
    rates = [(games_a_cpu_second(walled), games_a_cpu_second(open_)) for _ in range(rounds)]
    for zygote in (walled, open_):
        zygote.close()
    for name, own in zip(("walls", "none"), zip(*rates, strict=True), strict=True):
        middle = statistics.median(own)
        print(f"{name:<6} {middle:,.0f} games/CPU-s ({min(own):,.0f} to {max(own):,.0f})")
    ratios = [with_ / without for with_, without in rates]
    middle = statistics.median(ratios)
    print(f"walls/none by round: median {middle:.3f}, {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
