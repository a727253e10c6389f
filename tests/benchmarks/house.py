"""A tournament of the house bots, for `make bench`: bots' own decisions beside all else.

The whole tournament's CPU time is the kernel's account of all its processes. The bots' own part of
it is not what arena charged them, which holds the reading of messages and much else that is arena's
price. So one in `ONE_IN` of its games is played again (`python -m tests.benchmarks.house RECORDS
ONE_IN`), the same bots in the same seats, in one process, called as functions. `random` is Python's
own, one stream for all bots, so that arena's generators cost nothing here. So bots that draw decide
otherwise than in the record; and as a record's deal may then lack a reshuffle, deals are drawn
anew. Over a tournament there are as many decisions of each kind: `cost` checks their number.

Those games are played twice. The first time bots decide, and their decisions are kept; the second
time a function that does nothing but hand out what was kept stands in for each bot. All else is
the same both times, views and rules included, so the difference in CPU time is the bots' own. A
message's worth of games (`BATCH`) goes on side by side, because `decide_many` wants many views at
once; both times alternate chunk by chunk, so that whatever else the machine does befalls both. A
view's properties (`legal`) are made when a bot reads them, and are its own, as is making an
instance of a `Bot`; its `end` is not called.
"""

import gc
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import games
from arena.runner.worker import GARBAGE
from arena.sandbox.harness import kind_of
from arena.session.player import BATCH
from arena.store import usage
from arena.store.store import Store
from tests.benchmarks.accounting import ROOT, cost_of
from tests.benchmarks.tournaments import DISK
from tests.house_bots import module

ROUND_ROBIN = ROOT / "tests" / "benchmarks" / "round_robin.toml"
ONE_IN = 4  # games are played again: 10,000 of round_robin.toml, a hundredth's uncertainty
APART = 0.02  # share that the two numbers of decisions may be apart, beside what chance does
CHUNK = 4 * BATCH  # games

Decide = Callable[[Sequence["Playing"], Sequence[Any]], Sequence[str]]
"""Takes games and their views, and returns a decision for each."""


class House(NamedTuple):
    """A tournament's cost, taken in two."""

    games: int
    own_s: float  # CPU time of the bots' own decisions
    else_s: float  # and of all else
    wall_s: float  # of the whole


class Deal(NamedTuple):
    rules: games.Game
    options: Any
    setup: Any
    bots: tuple[str, ...]  # by seat


class Playing:
    __slots__ = ("bots", "instances", "kept", "state")

    def __init__(self, deal: Deal, kept: Iterator[str]) -> None:
        self.state = deal.rules.State(deal.options, len(deal.bots), deal.setup)
        self.bots = deal.bots
        self.instances: dict[int, Any] = {}  # by seat, of a `Bot`
        self.kept = kept  # the decisions to come, where they are known


def cost(config: Path = ROUND_ROBIN, one_in: int = ONE_IN) -> House:
    """The cost of a tournament of the bots of `bots/`, which is played. Raises RuntimeError if it
    ends badly, or if the games played again are of another kind: with more or fewer decisions.
    """
    with tempfile.TemporaryDirectory(prefix="arena-bench-", dir=DISK) as name:
        folder = Path(name)
        shutil.copytree(ROOT / "bots", folder / "bots")
        shutil.copy(config, folder / "cup.toml")
        results, records = folder / "results", folder / "records.jsonl"
        arena = [sys.executable, "-m", "arena"]
        played = cost_of([*arena, "tournament", str(folder / "cup.toml"), "--json",
                          "--max-faults", "0", "--results", str(results)])  # fmt: skip
        games = sum(pool["games"] for pool in json.loads(played.stdout)["pools"])
        subprocess.run(
            [*arena, "records", str(results), "--output", str(records)],
            cwd=ROOT, check=True, capture_output=True,
        )  # fmt: skip
        command = [sys.executable, "-m", "tests.benchmarks.house", str(records), str(one_in)]
        again = json.loads(cost_of(command).stdout)
        with closing(Store.open(results)) as store:
            decisions = sum(timing.decisions for timing in usage.read_timings(store))
    share = again["games"] / games
    most = decisions * share * APART + 10 * again["games"] ** 0.5 * decisions / games
    if abs(again["decisions"] - decisions * share) > most:
        raise RuntimeError(f"{decisions:,} decisions in {games:,} games; played again {again}")
    own_s = again["own_s"] * decisions / again["decisions"]
    return House(games, own_s, played.cpu_s - own_s, played.wall_s)


def deal_of(record: dict[str, Any]) -> Deal:
    """A deal for the bots of a record."""
    rules = games.load(record["game"])
    options = games.parse_options(rules.Options, record["options"])
    setup = rules.deal(options, record["players"], Random(record["meta"]["id"]))
    return Deal(rules, options, setup, tuple(record["meta"]["bots"]))


def decide_of(bot: ModuleType) -> Decide:
    """What decides for a bot, whichever kind it is."""
    kind = kind_of(bot)
    player, rng = getattr(bot, kind), Random()
    if kind == "decide":
        return lambda _, views: [player(view) for view in views]
    if kind == "decide_many":
        return lambda _, views: list(player(views, [rng] * len(views)))

    def decide(playing: Sequence[Playing], views: Sequence[Any]) -> list[str]:
        decisions = []
        for game, view in zip(playing, views, strict=True):
            if view.seat not in game.instances:
                shown = SimpleNamespace(name=view.game, seat=view.seat, players=view.players,
                                        options=view.options, rng=rng)  # fmt: skip
                game.instances[view.seat] = player(shown)
            decisions.append(game.instances[view.seat].decide(view))
        return decisions

    return decide


def hand_out(playing: Sequence[Playing], _: Sequence[Any]) -> list[str]:
    """What stands in for a bot: the decisions that are known already."""
    return [next(game.kept) for game in playing]


def play(
    deals: Sequence[Deal], decides: dict[str, Decide], known: Sequence[Sequence[str]] | None
) -> list[list[str]]:
    """Play games, `BATCH` of them side by side; return each game's decisions in their order.

    They are those of `known` where that is given. Raises IllegalAction if a bot's is none.
    """
    made: list[list[str]] = [[] for _ in deals]
    waiting: dict[str, list[tuple[int, Playing]]] = defaultdict(list)  # by bot

    def goes_on(number: int, game: Playing) -> bool:
        """Queue a game's next question, if there is one."""
        while (seat := game.state.to_act) is not None:
            if game.state.has_choice():
                waiting[game.bots[seat]].append((number, game))
                return True
            game.state.apply(game.state.legal()[0])
        return False

    to_begin, running = iter(range(len(deals))), 0
    while True:
        for number in islice(to_begin, BATCH - running):
            game = Playing(deals[number], iter(known[number] if known else ()))
            running += goes_on(number, game)
        if not running:
            return made
        for name in list(waiting):
            batch = waiting.pop(name)
            asked = [game for _, game in batch]
            views = [game.state.view(game.state.to_act or 0, number) for number, game in batch]
            decide = decides[name] if not known else hand_out
            for (number, game), decision in zip(batch, decide(asked, views), strict=True):
                made[number].append(decision)
                game.state.apply(decision)
                running -= not goes_on(number, game)


def measured(records: Iterable[dict[str, Any]], decide: Callable[[str], Decide]) -> dict[str, Any]:
    """The number of games and decisions, and the CPU time of bots' own decisions; `decide` loads a
    bot by its name.
    """
    decides: dict[str, Decide] = {}
    count, decisions, own_s, left = 0, 0, 0.0, map(deal_of, records)
    while deals := list(islice(left, CHUNK)):
        for name in {name for deal in deals for name in deal.bots} - decides.keys():
            decides[name] = decide(name)
        start_s = time.process_time()
        known = play(deals, decides, None)
        middle_s = time.process_time()
        again = play(deals, decides, known)
        own_s += 2 * middle_s - start_s - time.process_time()
        assert again == known
        count += len(deals)
        decisions += sum(map(len, known))
    return {"games": count, "decisions": decisions, "own_s": own_s}


def main(file: str, one_in: int) -> None:
    gc.freeze()
    gc.set_threshold(GARBAGE)  # as in a worker
    random.seed(17)
    with open(file, "rb") as lines:
        # ids are hashes, as good as drawn at random
        sample = (r for r in map(json.loads, lines) if int(r["meta"]["id"], 16) % one_in == 0)
        print(json.dumps(measured(sample, lambda name: decide_of(module(name)))))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
