"""The house bots, played in one process (`arena.testing`): without the arena's walls and clocks."""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from arena.league.bots import HOUSE_BOTS, find_bots
from arena.sandbox.harness import kind_of
from arena.testing import PlayedGame
from arena.testing import play as play_in_process
from tests.places import ROOT

PATHS = {found.name: found.path for found in find_bots(ROOT, ["bots/*"])}
FIELD = [name for name in PATHS if name in HOUSE_BOTS]
"""Those of every league: all but `searcher`, which is slow, and `learned`, which knows one pool."""


@cache
def module(name: str) -> ModuleType:
    """Return a bot's module, loaded from its file."""
    path = PATHS[name]
    spec = spec_from_file_location(f"bot_{name}", path / "bot.py" if path.is_dir() else path)
    assert spec is not None
    assert spec.loader is not None
    made = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def play(
    pool: tuple[str, int],
    line_up: Sequence[str],
    seed: int,
    deal: int | None = None,
    **options: Any,
) -> PlayedGame:
    """Return the game of these bots, by seat; every decision was one of the view's.

    `seed` is the bots', and the deal's too unless it has a seed of its own, `deal`. A bot's file is
    loaded once, whatever it plays.
    """
    assert len(line_up) == pool[1]
    bots = [getattr(module(name), kind_of(module(name))) for name in line_up]
    dealt = seed if deal is None else deal
    return play_in_process(pool[0], bots, seed=dealt, dice=seed, options=options)
