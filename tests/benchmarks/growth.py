"""`python -m tests.benchmarks.growth`: what tables and plans take, for `arena.runner.growth`.

Rates made-up pools, each in a process of its own, and cuts plans of them, and prints beside what
was taken what `--dry-run` would say. Memory is counted (tracemalloc), CPU time is that of a run
without; a busy machine changes little of either. Takes some ten minutes.
"""

import tracemalloc
from collections.abc import Iterator
from random import Random
from time import process_time

import multiprocess

from arena.model import Bot, Entry, Limits, Outcome, Pool
from arena.runner import growth
from arena.runner.run import cut
from arena.schedule.order import Schedule, identity_of
from arena.tables.pool_table import PlayedPool, rated

SHAPES = [
    (12, 3, 150, 0), (12, 5, 20, 0), (100, 3, 1, 3000), (200, 3, 1, 3000), (200, 3, 1, 14_000),
    (300, 3, 1, 30_000), (400, 3, 1, 5000),
]  # fmt: skip
"""Bots, seats, deals, line-ups drawn (0: all)."""


def schedule(bots: int, seats: int, deals: int, drawn: int) -> Schedule:
    """Return a made-up pool of No Thanks!, line-ups drawn by chance."""
    field = tuple(Bot(f"bot{number:04}", f"{number:x}") for number in range(bots))
    entry = Entry(Pool("no_thanks", seats, "{}", ""), field, deals, "auto", False)
    if drawn:
        rng, taken = Random(5), set[tuple[int, ...]]()
        while len(taken) < drawn:
            taken.add(tuple(sorted(rng.sample(range(bots), seats))))
        entry = entry._replace(line_ups=tuple(sorted(taken)))
    return Schedule(entry, identity_of(entry, Limits(), "none"))


def outcomes(own: Schedule) -> Iterator[tuple[Outcome, int]]:
    """Yield all games, in which chance decides and strength a little."""
    rng = Random(3)
    for game in own:
        points = [round(int(bot.name[3:]) / 10 + 12 * rng.gauss(0, 1)) for bot in game.line_up]
        scores = tuple(points[seat] for seat in game.seating)
        ranks = tuple(1 + sum(other > one for other in scores) for one in scores)
        names = tuple(game.line_up[seat].name for seat in game.seating)
        yield Outcome(game.id, names, ranks, scores, ("",) * len(names)), game.deal


def rate(own: Schedule) -> None:
    """Make a pool's table."""
    names = tuple(bot.name for bot in own.entry.bots)
    rated(PlayedPool(own.entry.pool, names, own.entry.duplicate, 0, outcomes(own)))


def bytes_of_tables(own: Schedule) -> int:
    """Return the most bytes that rating a pool takes at once."""
    tracemalloc.start()
    rate(own)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def bytes_of_plan(own: Schedule) -> int:
    """Return the most bytes that cutting a pool into sessions takes at once."""
    tracemalloc.start()
    sessions = cut({own.entry.pool: own}, {own.entry.pool: range(len(own))}, 4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sessions
    return peak


def said_of_tables(own: Schedule) -> int:
    """Return the bytes that are said of it, without those of an idle process."""
    pairs = min(len(own.entry.bots) * (len(own.entry.bots) - 1) // 2, _meetings(own))
    return (
        growth.TABLES_BYTES_A_SEAT * len(own) * own.entry.pool.players
        + growth.TABLES_BYTES_A_PAIR * pairs * len(own.entry.bots)
        + growth.TABLES_BYTES_A_LINE_UP * len(own.line_ups)
    )


def _meetings(own: Schedule) -> int:
    entrants = own.entry.pool.entrants
    return len(own.line_ups) * entrants * (entrants - 1) // 2


def report(shape: tuple[int, int, int, int]) -> str:
    """Return what a pool takes, in a line."""
    own = schedule(*shape)
    began_s = process_time()
    for _ in outcomes(own):
        pass
    made_s, began_s = process_time() - began_s, process_time()
    rate(own)
    cpu_s = process_time() - began_s - made_s
    bots = len(own.entry.bots)
    pairs = min(bots * (bots - 1) // 2, _meetings(own))
    tables, plan = bytes_of_tables(own), bytes_of_plan(own)
    said = said_of_tables(own)
    return (
        f"{bots:>5} {len(own):>9,} {pairs:>9,} {tables / 1e6:>9.1f} {said / 1e6:>9.1f}"
        f" {plan / 1e6:>9.1f} {cpu_s:>9.1f} {1e9 * cpu_s / (pairs * bots**2):>14.1f}"
    )


def main() -> None:
    """Measure each, and print it."""
    print(" bots     games     pairs tables MB   said MB   plan MB     CPU s  ns/pair.bots^2")
    for shape in SHAPES:
        with multiprocess.get_context("spawn").Pool(1) as process:
            print(process.apply(report, (shape,)), flush=True)


if __name__ == "__main__":
    main()
