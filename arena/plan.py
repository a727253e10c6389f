"""What is to be played, with whom, and where it goes: made from a config and a league's folder."""

import os
from pathlib import Path
from typing import NamedTuple

from arena import config as configs
from arena import league
from arena.confine import NONE, WALLS, libraries, prepare
from arena.model import Bot, Entry, Limits, StoredPlan, Wanted
from arena.starter import Unconfinable


class Plan(NamedTuple):
    """What is to be played, with whom, and where it goes."""

    name: str
    folder: Path  # of the results
    seed: int | None
    workers: int
    limits: Limits
    confinement: str  # confine.WALLS, or confine.NONE by --unconfined
    wanted: tuple[Wanted, ...]
    sources: dict[str, league.Source]  # by bot's name

    @property
    def confined(self) -> bool:
        """Whether bots play behind the walls."""
        return self.confinement == WALLS

    @property
    def bots(self) -> list[Bot]:
        """All bots that enter any pool, by name."""
        return sorted({bot for wanted in self.wanted for bot in wanted.entry.bots})

    def stored(self, entries: tuple[Entry, ...]) -> StoredPlan:
        """Return what is kept of it with the games, once nothing is left open."""
        given = self.seed is not None
        return StoredPlan(self.name, given, self.confinement, self.limits, entries)


def plan_of(
    path: Path, results: Path | None = None, workers: int | None = None, confined: bool = True
) -> Plan:
    """Return the plan of a config file; nothing is written. Raises UsageError.

    `results` replaces the tournament's results folder, `workers` the config's number of them.
    Raises Unconfinable if bots are to be confined and cannot be on this machine.
    """
    folder = league.folder_of(path)
    if confined:
        check_walls(folder / league.BOTS, folder / "results")
    config = configs.load(path)
    found = league.find_bots(folder, config.bots)
    sources = {bot.name: league.read_bot(bot) for bot in found}
    bots = [Bot(bot.name, league.content_hash(sources[bot.name])) for bot in found]
    wanted = league.wanted(config, bots)
    return Plan(
        config.name,
        results or folder / "results" / config.name,
        config.seed,
        workers or config.workers or os.cpu_count() or 1,
        config.limits,
        WALLS if confined else NONE,
        tuple(wanted),
        sources,
    )


def check_walls(*private: Path) -> None:
    """Raise Unconfinable if this machine has no walls to offer, or if they would let `private` be
    read: what lies among Python's libraries, every bot may read.
    """
    try:
        prepare()
        for library in map(Path, libraries()):
            for path in private:
                if path.resolve().is_relative_to(library.resolve()):
                    raise LookupError(
                        f"{path} lies in {library}, which every bot may read; move the league"
                    )
    except (OSError, LookupError, AttributeError) as error:  # the last: no Linux
        what = error.strerror if isinstance(error, OSError) else error
        raise Unconfinable(
            f"bots cannot be confined here: {what}. `arena doctor` says more; --unconfined plays "
            "with limits only, for bots you trust"
        ) from None
