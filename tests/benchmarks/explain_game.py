"""`python -m tests.benchmarks.explain_game RESULTS --seed S [--games 30] [--seconds 20]`: are the
decisions that `arena explain` marks the ones that cost a game?

Takes lost games of house bots in three pools by turns, and explains each twice, with other dice:
is the first mark of one run among the other's, and is the loss there the same within two errors?
Then it measures some decisions of each game in 1,000 worlds apart: how many that cost less than .01
are marked all the same? And it plants blunders: of an alternative that costs .15 or more by these
worlds, the game is played on behind it; is the blunder marked? Prints a line a game, then the sums
and the CPU time.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from math import hypot
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import fmean

from arena import ids
from arena.insight.game import Budget, explain_game
from arena.insight.positions import (
    Decision,
    Recorded,
    find_decisions,
    list_steps,
    open_game,
    read_sources,
)
from arena.insight.report import SeatExplained
from arena.insight.worlds import Start, Starts, Wanted, known_setup, open_bench, play_worlds
from arena.league.files import Source
from arena.model import Bot, Limits
from arena.session.game import LiveGame
from arena.store.scan import StoredGame
from arena.store.store import Store

POOLS = (("no_thanks", 3), ("sixteen", 2), ("diciassette", 3))
WORLDS, MOST_LEGAL, SAMPLED = 1000, 12, 3  # worlds, alternatives; decisions of a game
SMALL, BLUNDER = 0.01, 0.15
LIMITS = Limits()


class Recording(Starts):
    """Games that are recorded."""

    def body(self, game: LiveGame) -> None:
        return None


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="explain_game")
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=30, metavar="N", help="with a mark (30)")
    parser.add_argument("--seconds", type=float, default=30.0, metavar="N", help="a run (30)")
    given = parser.parse_args(words)
    rng, budget, sums = Random(given.seed), Budget(given.seconds), Counter[str]()
    began_s = cpu_s()
    with closing(Store.open(given.results)) as store:
        for row, seat in find_lost(store, rng):
            recorded, sources = open_game(store, row), read_sources(store, row.line_up)
            keys = [ids.secret_from_seed(rng.randrange(1 << 30)) for _ in range(3)]
            start_s = cpu_s()
            one, two = (explain(recorded, sources, seat, key, budget) for key in keys[:2])
            sums["run"] += 2
            told = compare(one, two, sums)
            sums["CPU ms"] += round(1000 * (cpu_s() - start_s))
            told += check(recorded, sources, one, keys[2], budget, rng, sums)
            print(
                f"{row.pool.title}, {row.id[:8]}, {recorded.fixture.names[seat]}: {told}",
                flush=True,
            )
            if sums["with a mark"] == given.games:
                break
    print(f"seed {given.seed}, {given.seconds:g} s a run, {cpu_s() - began_s:.0f} s CPU in all")
    print(f"{sums['CPU ms'] / sums['run'] / 1000:.1f} s CPU a run of {sums['run']}")
    for what, of in (
        ("again", "with a mark"), ("within", "again"), ("found", "planted"), ("false", "small"),
    ):  # fmt: skip
        print(f"{what}: {sums[what]} of {sums[of]} {of}")


def cpu_s() -> float:
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def find_lost(store: Store, rng: Random) -> Iterator[tuple[StoredGame, int]]:
    """Yield lost games, each pool in turn, with a seat that lost."""
    by_pool: list[list[tuple[StoredGame, int]]] = [[] for _ in POOLS]
    for row in store.games(in_order_of_id=True):
        pool = (row.pool.game, row.pool.players)
        losers = [seat for seat, rank in enumerate(json.loads(row.ranks)) if rank > 1]
        if pool in POOLS and row.sound and not row.faults and losers:
            by_pool[POOLS.index(pool)].append((row, rng.choice(losers)))
    for lost in by_pool:
        rng.shuffle(lost)
    for some in zip(*by_pool, strict=False):
        yield from some


def explain(
    recorded: Recorded, sources: dict[Bot, Source], seat: int, key: bytes, budget: Budget
) -> SeatExplained:
    return explain_game(recorded, sources, [seat], key, LIMITS, budget=budget).seats[0]


def compare(one: SeatExplained, two: SeatExplained, sums: Counter[str]) -> str:
    """Look for the first mark of a run in another run."""
    if not one.mistakes:
        return "no mark"
    first = one.mistakes[0]
    again = [
        mark
        for mark in two.mistakes
        if (mark.action_number, mark.unrecorded_decisions)
        == (first.action_number, first.unrecorded_decisions)
    ]
    sums["with a mark"] += 1
    if not again:
        return f"{len(one.mistakes)} marks, the first ({first.loss}) is not marked again"
    other = again[0]
    same = other.unit == first.unit and abs(other.loss - first.loss) <= 2 * hypot(
        other.loss_se, first.loss_se
    )
    sums["again"] += 1
    sums["within"] += same
    return f"{len(one.mistakes)} marks, {first.loss} and {other.loss} {'' if same else '(differ)'}"


def check(
    recorded: Recorded,
    sources: dict[Bot, Source],
    found: SeatExplained,
    key: bytes,
    budget: Budget,
    rng: Random,
    sums: Counter[str],
) -> str:
    """Measure some decisions apart, and plant the worst alternative of each where it is bad."""
    seat, told = found.seat, ""
    decisions = find_decisions(recorded, [seat])
    sample = rng.sample(decisions, min(SAMPLED, len(decisions)))
    wanted = []
    for one in sample:
        legal = rng.sample(one.legal, min(MOST_LEGAL, len(one.legal)))
        wanted.append(Wanted(one, range(WORLDS), sorted({one.actual, *legal})))
    marked = {
        (mark.action_number, mark.unrecorded_decisions)
        for mark in found.mistakes
        if mark.unit == "beats"
    }
    with open_bench(sources, LIMITS, key) as bench:
        for one, outcomes in zip(sample, play_worlds(bench, wanted), strict=True):
            worth = {d: fmean(end.beats for end in ends.values()) for d, ends in outcomes.items()}
            worst = min(worth, key=lambda decision: worth[decision])
            if max(worth.values()) - worth[one.actual] < SMALL:
                sums["small"] += 1
                sums["false"] += (one.at, one.passes) in marked
            if max(worth.values()) - worth[worst] >= BLUNDER:
                planted = plant(recorded, sources, one, worst, key)
                other = explain(planted, sources, seat, key, budget)
                there = {(mark.action_number, mark.unrecorded_decisions) for mark in other.mistakes}
                sums["planted"] += 1
                sums["found"] += (one.at, one.passes) in there
                cost = max(worth.values()) - worth[worst]
                told += f"; planted {cost:.2f}{'' if (one.at, one.passes) in there else ' MISSED'}"
    return told


def plant(
    recorded: Recorded, sources: dict[Bot, Source], at: Decision, worst: str, key: bytes
) -> Recorded:
    """Play a game on behind a blunder, with the cards as they were."""
    rules, setup = recorded.rules, known_setup(recorded, at.at)
    if hasattr(rules, "complete_setup"):
        setup = rules.complete_setup(setup, Random(key))
    steps = list_steps(recorded.open(setup), recorded.course[: at.at], at.passes)
    with open_bench(sources, LIMITS, key) as bench:
        start = Start(setup, [*steps, worst], "planted")
        script = Recording(recorded.pool, key, lambda fixture: start)
        (played,) = bench.play([recorded.fixture], script)
    record = json.loads(played.body)
    return recorded._replace(
        setup=rules.parse_setup(recorded.options, recorded.pool.players, record["setup"]),
        course=[(seat, action) for seat, action, *_ in record["actions"]],
        ranks=played.ranks,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
