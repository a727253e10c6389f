"""What the command line, run in this process (`leagues.main`), keeps from one run to the next.

Each comes to the same whether it is made once or every time: a zygote, in which nothing stays of
a bot; typer's reading of our commands; the ratings of the same games, ours and the package's, and
standings made of them, unless a test has changed what rates; what is wrong in the same standings.
A process of its own, as `leagues.arena` starts it, makes all of them itself.
"""

import atexit
import json
import os
import signal
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from arena.audit import refit
from arena.audit.refit import Ending, Settled
from arena.model import Bot, Entry, Limits
from arena.process import zygote_client
from arena.process.bot_process import BotProcess
from arena.tables import pool_table, standings
from arena.tables.document import Standings
from arena.tables.pool_table import PlayedPool
from arena.tables.standings import RatedPool
from tests.schemas import wrong_in

_start, _rate, _commands = (
    zygote_client._Zygote,
    pool_table.rate_pool,
    cache(typer.main.get_command),
)
_zygotes: dict[tuple[bool, bool], Any] = {}
_rated: dict[tuple[Any, ...], RatedPool] = {}
_assemble = standings.assemble_standings
_assembled: dict[tuple[Any, ...], tuple[Standings, tuple[RatedPool, ...]]] = {}
_settle = refit.settle
_settled: dict[tuple[Any, ...], Settled] = {}
_rates = {
    name: dict(vars(module))
    for name, module in sys.modules.items()
    if name.startswith("arena.rating.") or name == refit.__name__
}
del _rates[refit.__name__]["refit_store"]  # many leave it out


def keep(changed: pytest.MonkeyPatch) -> None:
    """Have the command line take what is kept."""
    keep_zygotes(changed)
    changed.setattr(typer.main, "get_command", _commands)
    if _as_written():
        changed.setattr(pool_table, _rate.__name__, _rated_once)
        changed.setattr(standings, _assemble.__name__, _assembled_once)
        changed.setattr(refit, _settle.__name__, _settled_once)
    else:
        changed.setenv("XDG_CACHE_HOME", os.devnull)  # which has tables of the code as written


def keep_zygotes(changed: pytest.MonkeyPatch) -> None:
    """Have all bots' processes come from the zygotes that are kept."""
    changed.setattr(zygote_client, "_Zygote", _Lent)


@cache
def wrong(published: bytes) -> list[str]:
    """Return where a standings document breaks its schema."""
    return wrong_in("standings", json.loads(published))


def _as_written() -> bool:
    """Return whether no test has changed what rates."""
    return all(
        vars(sys.modules[name])[key] is value
        for name, values in _rates.items()
        for key, value in values.items()
    )


class _Lent:
    """Stands in for a zygote, whose start takes 0.1 s of CPU time, and starts bots from one that
    all share. Closed, it ends those alone.
    """

    def __init__(self, confined: bool, numpy: bool) -> None:
        kept = _zygotes.get((confined, numpy))
        if kept is None or kept._process.poll() is not None:
            kept = _zygotes[confined, numpy] = _start(confined, numpy)
            atexit.register(kept.close)
        self._kept, self._started = kept, set[int]()

    def start(self, path: Path, limits: Limits, kind: Any = BotProcess) -> BotProcess:
        process: BotProcess = self._kept.start(path, limits, kind)
        self._started.add(process.body.pid)
        return process

    @property
    def pids(self) -> set[int]:
        return {self._kept._process.pid, *(self._started & self._kept.pids.keys())}

    def close(self) -> None:
        for pid in self._started & self._kept.pids.keys():
            os.kill(pid, signal.SIGKILL)
            self._kept.reap(pid)


def _rated_once(played: PlayedPool, planned: Entry | None = None) -> RatedPool:
    games = tuple(played.games)
    drawn = tuple((played.drawn or {}).items())
    key = (*played._replace(games=(), drawn=None), drawn, games, planned)
    if key not in _rated:
        _rated[key] = _rate(played._replace(games=games), planned)
    return _rated[key]


def _assembled_once(
    name: str, given: bool, confinement: str, bots: Iterable[Bot], pools: Iterable[RatedPool],
    *more: Any,
) -> Standings:  # fmt: skip
    bots, pools = tuple(bots), tuple(pools)
    key = (name, given, confinement, bots, *map(id, pools), *more)  # kept, so that ids stay theirs
    if key not in _assembled:
        _assembled[key] = _assemble(name, given, confinement, bots, pools, *more), pools
    return _assembled[key][0]


def _settled_once(endings: Mapping[Ending, int], draw_probability: float) -> Settled:
    key = (frozenset(endings.items()), draw_probability)
    if key not in _settled:
        _settled[key] = _settle(endings, draw_probability)
    return _settled[key]
