"""`python -m tests.benchmarks.walls`: what the walls cost while games are played.

Plays one session of No Thanks! with three random bots behind the walls and one without, in turn,
and prints games per CPU-second of both (session and bots together) and the ratio by round.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from arena import seeds
from arena.model import Bot, Entry, Limits, Pool
from arena.schedule import Schedule
from arena.session import Job, Played, Session
from arena.starter import Zygote

POOL = Pool("no_thanks", 3, "{}", "")
GAMES = 2000
NAMES = ("a", "b", "c")
BOT = "import random\ndef decide(view):\n    return random.choice(view.legal)\n"


def games_a_cpu_second(zygote: Zygote, folder: str) -> float:
    """Play `GAMES` games and return how many a second of CPU."""
    entry = Entry(POOL, tuple(Bot(name, name) for name in NAMES), GAMES, 1, False)
    games = tuple(Schedule(entry, seeds.Identity(POOL, 1, Limits(), "walls", False)))
    job = Job(POOL, Limits(), False, games, bytes(16), dict.fromkeys(NAMES, folder), {})
    played: list[Played] = []
    began_s = time.process_time()
    tallies = Session(job, zygote, played.append, lambda: None).play()
    assert len(played) == GAMES
    return GAMES / (time.process_time() - began_s + sum(tally.cpu_s for tally in tallies))


def main(rounds: int) -> None:
    """Measure in turn, and print medians, minimum and maximum."""
    walled, open_ = Zygote(confined=True), Zygote(confined=False)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(BOT)
        rates = [
            (games_a_cpu_second(walled, folder), games_a_cpu_second(open_, folder))
            for _ in range(rounds)
        ]
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
