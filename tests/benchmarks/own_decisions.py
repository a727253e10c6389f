"""`python -m tests.benchmarks.own_decisions RECORDS ONE_IN`: what bots' own decisions cost.

Plays one in ONE_IN games of a file of records again, the same bots in the same seats, in one
process, with the bots of `bots/` called as functions: arena's processes, messages, limits and
records have no part in the figure. `random` is Python's own, one stream for all bots, so that
arena's generators, one a game and seat, cost nothing here. So bots that draw decide otherwise than
in the record; and as a record's deal may then lack a reshuffle, deals are drawn anew. Over a
tournament there are as many decisions of each kind: `tests.benchmarks.house` checks their number.

The games are played twice. The first time bots decide, and their decisions are kept; the second
time a function that does nothing but hand out what was kept stands in for each bot. All else is
the same both times, views, rules and generators' places included, so the difference in this
process's CPU time is the bots' own. A message's worth of games (`BATCH`) goes on side by side,
because `decide_many` wants many views at once; both times alternate chunk by chunk, so that
whatever else the machine does befalls both.

A view's properties (`legal`) are made when a bot reads them, and are its own. Making an instance
of a `Bot` is; its `end` is not called. Prints one JSON object: games, decisions, CPU seconds of
the decisions, CPU seconds of the loop around them, and wall seconds of both times together.
"""

import gc
import importlib.util
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import games
from arena.runner.worker import GARBAGE
from arena.sandbox.bot_module import kind_of
from arena.session.player import BATCH

HOUSE = Path(__file__).parents[2] / "bots"
CHUNK = 4 * BATCH  # games

Decide = Callable[[Sequence["Playing"], Sequence[Any]], Sequence[str]]
"""Takes games and their views, and returns a decision for each."""


class Deal(NamedTuple):
    """A game to be played."""

    rules: games.Game
    options: Any
    setup: Any
    bots: tuple[str, ...]  # by seat


class GameOfBot:
    """What the constructor of a `Bot` is given, as `arena.sandbox.harness.Game` is."""

    def __init__(self, view: Any, rng: Random) -> None:
        self.name, self.seat, self.players, self.options = (
            view.game, view.seat, view.players, view.options,
        )  # fmt: skip
        self.rng = rng


class Playing:
    """A game in progress."""

    __slots__ = ("bots", "instances", "kept", "state")

    def __init__(self, deal: Deal, kept: Iterator[str]) -> None:
        self.state = deal.rules.State(deal.options, len(deal.bots), deal.setup)
        self.bots = deal.bots
        self.instances: dict[int, Any] = {}  # by seat, of a `Bot`
        self.kept = kept  # the decisions to come, where they are known


def deal_of(record: dict[str, Any]) -> Deal:
    """Return a deal for the bots of a record."""
    rules = games.load(record["game"])
    options = games.options_from(rules.Options, record["options"])
    setup = rules.deal(options, record["players"], Random(record["meta"]["id"]))
    return Deal(rules, options, setup, tuple(record["meta"]["bots"]))


def house_bot(name: str) -> Decide:
    """Return how a bot of `bots/` decides, loaded now."""
    file = HOUSE / f"{name}.py" if (HOUSE / f"{name}.py").exists() else HOUSE / name / "bot.py"
    spec = importlib.util.spec_from_file_location(f"house_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return decide_of(module)


def decide_of(module: ModuleType) -> Decide:
    """Return how a bot decides, whichever kind it is."""
    kind = kind_of(module)
    player, rng = getattr(module, kind), Random()
    if kind == "decide":
        return lambda _, views: [player(view) for view in views]
    if kind == "decide_many":
        return lambda _, views: list(player(views, [rng] * len(views)))

    def decide(playing: Sequence[Playing], views: Sequence[Any]) -> list[str]:
        decisions = []
        for game, view in zip(playing, views, strict=True):
            bot = game.instances.get(view.seat)
            if bot is None:
                bot = game.instances[view.seat] = player(GameOfBot(view, rng))
            decisions.append(bot.decide(view))
        return decisions

    return decide


def hand_out(playing: Sequence[Playing], views: Sequence[Any]) -> list[str]:
    """Return the decisions that are known already: what stands in for a bot."""
    return [next(game.kept) for game, _ in zip(playing, views, strict=True)]


def play(
    deals: Sequence[Deal], decides: dict[str, Decide], known: Sequence[Sequence[str]] | None
) -> list[list[str]]:
    """Play games, `BATCH` of them side by side; return each game's decisions in their order.

    They are those of `known` where that is given. Raises IllegalAction if a bot's is none.
    """
    made: list[list[str]] = [[] for _ in deals]
    waiting: dict[str, list[tuple[int, Playing]]] = defaultdict(list)  # by bot
    to_begin, running = iter(range(len(deals))), 0
    while True:
        for number in islice(to_begin, BATCH - running):
            game = Playing(deals[number], iter(known[number] if known else ()))
            running += _goes_on(number, game, waiting)
        if not running:
            return made
        for name in list(waiting):
            batch = waiting.pop(name)
            asked = [game for _, game in batch]
            views = [game.state.view(game.state.turn or 0, number) for number, game in batch]
            decide = hand_out if known else decides[name]
            for (number, game), decision in zip(batch, decide(asked, views), strict=True):
                made[number].append(decision)
                game.state.apply(decision)
                running -= not _goes_on(number, game, waiting)


def _goes_on(number: int, game: Playing, waiting: dict[str, list[tuple[int, Playing]]]) -> bool:
    """Queue a game's next question; return whether there is one, or else it is over."""
    state = game.state
    while (seat := state.turn) is not None:
        if state.choice():
            waiting[game.bots[seat]].append((number, game))
            return True
        state.apply(state.legal()[0])
    return False


def measured(records: Iterable[dict[str, Any]], decide: Callable[[str], Decide]) -> dict[str, Any]:
    """Return the cost of bots' own decisions in these games; `decide` loads a bot by its name."""
    decides: dict[str, Decide] = {}
    count = decisions = 0
    with_s = without_s = 0.0
    began_s, left = time.monotonic(), map(deal_of, records)
    while deals := list(islice(left, CHUNK)):
        for name in {name for deal in deals for name in deal.bots} - decides.keys():
            decides[name] = decide(name)
        start_s = time.process_time()
        known = play(deals, decides, None)
        middle_s = time.process_time()
        again = play(deals, decides, known)
        without_s += time.process_time() - middle_s
        with_s += middle_s - start_s
        assert again == known
        count += len(deals)
        decisions += sum(map(len, known))
    return {
        "games": count,
        "decisions": decisions,
        "own_s": with_s - without_s,
        "loop_s": without_s,
        "wall_s": time.monotonic() - began_s,
    }


def sample(lines: Iterable[bytes], one_in: int) -> Iterator[dict[str, Any]]:
    """Yield the records of one in so many games: ids are hashes, as good as drawn at random."""
    for record in map(json.loads, lines):
        if int(record["meta"]["id"], 16) % one_in == 0:
            yield record


def main(file: str, one_in: int) -> None:
    """Measure and print."""
    gc.freeze()
    gc.set_threshold(GARBAGE)  # as in a worker
    random.seed(17)
    with open(file, "rb") as lines:
        print(json.dumps(measured(sample(lines, one_in), house_bot)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
