"""What a tournament would come to, for --dry-run: counts, and a time from a short calibration."""

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena import schedule
from arena.model import Entry, Pool
from arena.plan import Plan
from arena.process import Zygote
from arena.results import changes_since
from arena.schema import FILE
from arena.session import Job, Played, Session
from arena.snapshots import snapshots, unloadable
from arena.store import Store
from arena.tournament import missing

CALIBRATION_GAMES = 256  # of each pool, at most: as many as are played side by side
ENOUGH_GAMES, ENOUGH_S = 16, 1.0  # after which a pool of slow bots is left


class Estimate(NamedTuple):
    """What a pool comes to, for --dry-run."""

    pool: Pool
    bots: int
    line_ups: int
    seatings: int
    games: int
    played: int  # of these, stored already
    seconds: float  # of one worker, for those that are missing


class _Enough(Exception):
    """Of a pool of slow bots enough has been seen."""


def dry_run(plan: Plan, say: Callable[[str], None]) -> tuple[list[str], list[Estimate]]:
    """Return what has changed since the last run, and what playing would come to.

    Nothing is written. `say` is told of broken bots.
    """
    stored = (plan.folder / FILE).exists()
    store = Store.open(plan.folder) if stored else None
    try:
        with snapshots(plan.sources, plan.bots) as paths:
            zygote = Zygote(plan.confined)
            try:
                unloaded = unloadable(paths, plan.limits, zygote)
                for name, why in unloaded.items():
                    say(f"{name}: cannot be loaded, all its games will be forfeit: {why.strip()}")
                news = changes_since(store, plan.stored) if store else []
                return news, [
                    _estimate(plan, entry, store, paths, unloaded, zygote) for entry in plan.entries
                ]
            finally:
                zygote.close()
    finally:
        if store:
            store.close()


def _estimate(
    plan: Plan, entry: Entry, store: Store | None, paths: dict[str, str],
    unloaded: dict[str, str], zygote: Zygote,
) -> Estimate:  # fmt: skip
    line_ups, seatings, total = schedule.count(entry)
    played = store.played(entry.pool) if store else set()
    unplayed = store.unplayed(entry.pool) if store else set()
    todo = missing(plan, entry, played, unplayed)
    step = max(1, len(todo) // CALIBRATION_GAMES)
    sample = schedule.sessions(entry, todo[::step][:CALIBRATION_GAMES])
    seconds = 0.0
    count = 0
    for fixtures in sample:
        job = Job(entry.pool, plan.limits, entry.duplicate, fixtures,
                  secrets.token_bytes(16), paths, unloaded)  # fmt: skip
        finished: list[Played] = []
        began = time.monotonic()
        with contextlib.suppress(_Enough):
            Session(job, zygote, finished.append, _enough_of(finished)).play()
        seconds += time.monotonic() - began
        count += len(finished)
    each = seconds / count if count else 0.0
    return Estimate(
        entry.pool, len(entry.bots), line_ups, seatings, total, total - len(todo), each * len(todo)
    )


def _enough_of(finished: Sequence[Played]) -> Callable[[], None]:
    """Return a pulse that ends a session once it has played enough games for long enough."""
    until = time.monotonic() + ENOUGH_S

    def pulse() -> None:
        if len(finished) >= ENOUGH_GAMES and time.monotonic() > until:
            raise _Enough

    return pulse
