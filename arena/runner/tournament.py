"""A tournament from its config to its tables: the schedule, less what is stored, is played.

Running again is resuming: what is stored is never played again, and nothing depends on when, in
what order or on how many workers it was played.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError
from arena.league.snapshots import sweep_snapshots
from arena.model import StoredPlan, Timing
from arena.plan import Plan
from arena.progress import Progress, counted
from arena.runner import pilot, run
from arena.runner.executor import Hire
from arena.runner.local_executor import hire_here
from arena.runner.secret import hold_ended, the_secret
from arena.schedule import choices
from arena.store import opening, usage
from arena.store.plans import find_replanned, keep_choices, load_choices, load_plan
from arena.store.public import load_commitment
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system import find_free_path, result_versions
from arena.tables.document import Standings
from arena.tables.results import make_document, publish_tables


class Ended(NamedTuple):
    """How a run ended."""

    document: Standings  # of all that is stored
    files: list[Path]  # published
    timings: list[Timing]  # what bots used, in all runs
    played: int  # games, in this run
    left: int  # games, not played yet
    stopped: bool  # by the user, before all was played


def play_tournament(
    plan: Plan,
    progress: Progress,
    say: Callable[[str], None],
    committed: Callable[[str], None] = lambda commitment: None,
    hire: Hire = hire_here,
) -> Ended:
    """Play what is missing, and publish the tables of all there is.

    `say` receives what a user should know of earlier results, `committed` the commitment of a
    tournament that begins; `hire` makes the executor. Raises UsageError if its secret was revealed,
    and games are missing.
    """
    sweep_snapshots()
    for line in plan.left_out:
        say(line)
    store = Store.create_or_open(plan.folder, say)
    try:
        secret, stored = begin(plan, store, progress, say, committed, hire)
        played, left, stopped = run.play_missing(plan, stored, store, secret, progress, hire)
        document = make_document(store, steps=progress)
        used = usage.read_timings(store)
        files = publish_tables(plan.folder, document, used, plan.limits)
        return Ended(document, files, used, played, left, stopped)
    finally:
        store.close()


def begin(
    plan: Plan,
    store: Store,
    progress: Progress,
    say: Callable[[str], None],
    committed: Callable[[str], None],
    hire: Hire,
) -> tuple[bytes, StoredPlan]:
    """Fix the secret, and the plan with nothing left open: to find out whether decks are shared, a
    pilot is played. Choices and bots are noted in the store, the plan is not.
    """
    secret = the_secret(store, plan, committed)
    hold_ended(store, plan)
    look_after(store, say, progress)
    for bot in plan.bots:
        store.keep_bot(bot, plan.sources[bot.name].files)
    before = load_choices(store)
    unsaid = choices.find_open(plan.wanted, before)
    measured = pilot.measure_pilot(plan, store, unsaid, secret, progress, hire)
    for pool, ratio in measured.items():
        say(pilot.in_words(pool, ratio))
    entries, chosen = choices.make_choices(plan.wanted, before, measured)
    keep_choices(store, chosen)
    stored = plan.stored(entries)
    if renamed := _other_commitment(store, stored):
        say(renamed)
    for pool in find_replanned(store, stored):
        say(f"warning: {pool.title}: `settle` was planned when tables could be seen; it is "
            "as sure as it says only if nobody looked")  # fmt: skip
    return secret, stored


def set_aside(folder: Path) -> Path | None:
    """Rename a tournament's results, to start anew; return their new place, None without any.

    Raises UsageError if the folder is not ours, or is being played in.
    """
    if not folder.exists():
        return None
    with opening.hold_folder(folder):
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime((folder / FILE).stat().st_mtime))
        return folder.rename(find_free_path(folder.with_name(f"{folder.name}.{stamp}"), "."))


def _other_commitment(store: Store, plan: StoredPlan) -> str:
    """A warning where the tournament has another name than before, and so another commitment; ""
    elsewhere.
    """
    with suppress(ArenaError):  # nothing was played yet, or nobody knows by what plan
        before = load_plan(store)
        was, now = load_commitment(store, before), load_commitment(store, plan)
        if was != now:
            return (
                f"warning: {before.name} is called {plan.name} now, so its commitment is another: "
                f"{now}; publish both, or give it its name again"
            )
    return ""


def look_after(store: Store, say: Callable[[str], None], steps: Progress) -> None:
    """Take out games that are damaged, and warn once if versions differ from those that played
    other games.
    """
    steps.begin("looking through stored games", store.count())
    damaged = [row for row in counted(store.games(), steps) if not row.sound]
    if damaged:
        store.drop(damaged)
        games = "game is" if len(damaged) == 1 else "games are"
        say(f"{store.path}: {len(damaged):,} {games} damaged; what the config names is played "
            "again")  # fmt: skip
    ours = result_versions()
    parts = [f"{name} {kept[name]}" for kept in usage.read_versions(store) for name in ours
             if kept.get(name, ours[name]) != ours[name]]  # fmt: skip
    warned = json.dumps([ours, parts])
    if parts and store.meta("warned") != warned:
        say(f"warning: games here were played with {', '.join(dict.fromkeys(parts))}; bots may "
            "decide otherwise now")  # fmt: skip
        store.set_meta("warned", warned)
