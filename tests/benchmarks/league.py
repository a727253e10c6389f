"""`python -m tests.benchmarks.league`: do batches stay full in a league of many line-ups?

Plays No Thanks! with four seats and random bots: a league of 20 bots with one deal a line-up
(4,845 games), and one line-up of 4 bots with as many deals, in turn. Prints games per CPU-second
of both, the session's own CPU and its bots' together, and the ratio by round.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from arena import ids
from arena.model import Bot, Entry, Limits, Played, Pool
from arena.process.zygote_client import ZygoteClient
from arena.schedule.order import Schedule
from arena.schedule.sessions import sessions_of
from arena.session.session import Job, Session

POOL = Pool("no_thanks", 4, "{}", "")
GAMES = 4845  # C(20, 4), the line-ups of the league
BOT = "import random\ndef decide(view):\n    return random.choice(view.legal)\n"


def games_a_cpu_second(zygote: ZygoteClient, folder: str, bots: int, deals: int) -> float:
    """Play `GAMES` games and return how many a second of CPU."""
    names = [f"bot{number:02}" for number in range(bots)]
    entry = Entry(POOL, tuple(Bot(name, name) for name in names), deals, 1, False)
    identity = ids.Identity(POOL, 1, Limits(), "walls", False)
    games = Schedule(entry, identity)
    played: list[Played] = []
    cpu_s = 0.0
    for session in sessions_of(games, range(len(games))):
        paths = dict.fromkeys(names, folder)
        job = Job(POOL, Limits(), False, session, bytes(16), {})
        began_s = time.process_time()
        tallies = Session(job, paths, zygote, played.append, lambda: None).play()
        cpu_s += time.process_time() - began_s + sum(tally.cpu_s for tally in tallies)
    assert len(played) == GAMES
    return GAMES / cpu_s


def main(rounds: int) -> None:
    """Measure in turn, and print medians, minimum and maximum."""
    zygote = ZygoteClient()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(BOT)
        ratios = []
        for number in range(rounds):
            league = games_a_cpu_second(zygote, folder, 20, 1)
            one = games_a_cpu_second(zygote, folder, 4, GAMES)
            ratios.append(league / one)
            what = f"league of 20 {league:,.0f}, one line-up {one:,.0f} games/CPU-s"
            print(f"round {number + 1}: {what}")
    zygote.close()
    middle = statistics.median(ratios)
    print(
        f"ratio: median {middle:.2f}, {min(ratios):.2f} to {max(ratios):.2f}; at least 0.85 wanted"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
