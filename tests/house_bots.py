"""The house bots, played in one process: without the arena's walls and clocks."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import games
from arena.league.bots import find_bots
from arena.sandbox.harness import Game, kind_of
from arena.sandbox.randomness import Batch, Generators
from tests.places import ROOT

PATHS = {found.name: found.path for found in find_bots(ROOT, ["bots/*"])}


class Played(NamedTuple):
    """A game that is over."""

    actions: list[tuple[int, str]]
    ranks: list[int]  # by seat, 1 the best
    scores: list[int]  # by seat


@cache
def module(name: str) -> ModuleType:
    """Return a bot's module, loaded from its file."""
    path = PATHS[name]
    spec = spec_from_file_location(f"bot_{name}", path / "bot.py" if path.is_dir() else path)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def asker(name: str, seat: int, seed: int) -> Callable[[Any], str]:
    """Return what asks a bot for its decisions in one game, and gives them its generator."""
    bot, kind = module(name), kind_of(module(name))
    generators = Generators()
    generators.begin(0, f"{seed} {seat}".encode())
    made: list[Any] = []

    def ask(view: Any) -> str:
        if kind == "decide_many":
            (decision,) = bot.decide_many([view], Batch(generators, [0]))
        elif kind == "Bot":
            made[:] = made or [bot.Bot(Game(view, generators))]
            decision = made[0].decide(view)
        else:
            decision = bot.decide(view)
        return str(decision)

    return ask


def play(
    pool: tuple[str, int],
    line_up: Sequence[str],
    seed: int,
    deal: int | None = None,
    **options: Any,
) -> Played:
    """Return the game of these bots, by seat; every decision was one of the view's.

    `seed` is the bots', and the deal's too unless it has a seed of its own, `deal`.
    """
    game, seats = games.load(pool[0]), pool[1]
    chosen = games.options_from(game.Options, options)
    dealt = game.deal(chosen, seats, Random(seed if deal is None else deal))
    state = game.State(chosen, seats, dealt)
    random.seed(seed)
    askers = [asker(name, seat, seed) for seat, name in enumerate(line_up)]
    while (seat := state.turn) is not None:
        if state.choice():
            view = state.view(seat)
            decision = askers[seat](view)
            assert decision in view.legal, f"{line_up[seat]}: {decision!r} for {view}, seed {seed}"
        else:
            decision = state.legal()[0]
        state.apply(decision)
    result = state.result()
    return Played(state.actions, result["ranks"], result["scores"])
