"""A tournament on machines that know nothing of each other: planned once, played shard by shard.

`arena.store.merge` puts together what they played.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena import ids
from arena.errors import ArenaError, UsageError
from arena.league.snapshots import sweep
from arena.model import Pool, StoredPlan
from arena.plan.changes import changes
from arena.plan.plan import Plan
from arena.progress import Progress
from arena.runner import clocks, run, tournament
from arena.runner.plan_file import Planned, rules_of
from arena.runner.run import Run
from arena.schedule import choices
from arena.schedule.shards import Shard
from arena.store.plans import choices_in, plan_in, was_planned
from arena.store.secret import secret_in
from arena.store.shards import begin, further, shard_in, to_the_end
from arena.store.store import Store
from arena.tables.publish import versions


class Left(NamedTuple):
    """What is to be played next."""

    planned: Planned
    games: dict[Pool, int]  # missing of the stage at hand, by pool


def plan_next(
    plan: Plan,
    progress: Progress,
    say: Callable[[str], None],
    committed: Callable[[str], None],
) -> Left:
    """Return what is to be played next of a tournament, and have its store begin with that: with
    the pilots of `duplicate = "auto"`, and the looks that pools with `settle` have come to.
    """
    sweep()
    for line in plan.left_out:
        say(line)
    store = Store.create_or_open(plan.folder, say)
    try:
        secret, stored = tournament.begun(plan, store, progress, say, committed)
        progress.begin("looking for missing games")
        reached, stage = run.next_stage(stored, store, progress)
        planned = Planned(
            reached, secret, choices_in(store), rules_of(reached), versions(),
            clocks.here(),
        )  # fmt: skip
        return Left(planned, {pool: len(left) for pool, left in stage.missing.items()})
    finally:
        progress.stop()
        store.close()


def folder_of(results: Path, shard: Shard) -> Path:
    """Return where a shard's results go, beside those of the whole tournament."""
    return results.with_name(f"{results.name}-{shard.number}of{shard.of}")


def play(
    plan: Plan,
    planned: Planned,
    file: Path,
    shard: Shard,
    clock: clocks.Clock,
    progress: Progress,
    say: Callable[[str], None],
) -> Run:
    """Play what is missing of a shard, by this machine's clock, into a store of its own in the
    plan's folder; `planned` is what `file` says. Raises UsageError, and nothing is played or kept,
    where the config and the bots are not those of the file, or the folder holds something else.
    """
    hold_alike(plan, planned, file)
    if clock.machine:
        plan = plan._replace(limits=clocks.scaled(plan.limits, clock.machine.clock))
    sweep()
    for line in _other_versions(planned):
        say(line)
    store = Store.create_or_open(plan.folder, say)
    try:
        _hold_same(store, planned, file, shard)
        begin(store, planned.plan, planned.secret, planned.choices, shard)
        tournament.look_after(store, say, progress)
        for bot in plan.bots:
            store.keep_bot(bot, plan.sources[bot.name].files)
        secret = planned.secret
        return run.play_shard(plan, planned.plan, shard, store, secret, progress, clock)
    finally:
        store.close()


def hold_alike(plan: Plan, planned: Planned, file: Path) -> None:
    """Raise UsageError if a config, with its bots, is not the one that a plan file was made of."""
    before = planned.plan
    if plan.name != before.name:
        raise UsageError(
            f"{file}: is of the tournament {before.name}, the config is of {plan.name}; name the "
            "plan that `arena plan` made of it"
        )
    given = None if plan.seed is None else ids.secret_from(plan.seed)
    if before.seed_given != (given is not None) or given not in (None, planned.secret):
        raise UsageError(f"{file}: was made with another seed than the config has; {_AGAIN}")
    there = rules_of(before)
    if planned.rules != there:
        which = ", ".join(
            f"{game} (version {there[game]} here, {planned.rules.get(game)} there)"
            for game in there
            if planned.rules.get(game) != there[game]
        )
        raise UsageError(
            f"{file}: was made with other rules of {which}; have the same arena on all hosts"
        )
    entries, _ = choices.made(plan.wanted, planned.choices)
    now = plan.stored(entries)
    if to_the_end(now) != to_the_end(before):
        what = [line.partition("; ")[0] for line in changes(before, now)]
        raise UsageError(
            f"{file}: is not the plan of these bots and this config: "
            f"{', '.join(what) or 'another order of pools'}; {_AGAIN}"
        )


_AGAIN = "have the same files on all hosts, or make the plan again"


def _hold_same(store: Store, planned: Planned, file: Path, shard: Shard) -> None:
    """Raise UsageError if results that are there are not this shard's, or are further on."""
    if not store.count() and not was_planned(store):
        return
    held = shard_in(store)
    if held is None:
        raise UsageError(
            f"{store.path}: holds no shard, but a whole tournament; choose another folder with "
            "--results"
        )
    if held != shard:
        raise UsageError(
            f"{store.path}: holds shard {held}, not {shard}; choose another folder with --results"
        )
    kept = planned.plan
    with suppress(ArenaError):  # a plan that is damaged is written again
        kept = plan_in(store)
    if secret_in(store) != planned.secret or not alike(kept, planned.plan):
        raise UsageError(
            f"{store.path}: holds a shard of another plan than {file}; choose another folder "
            "with --results, or begin the shard anew with --fresh"
        )
    if further(planned.plan, kept) != planned.plan:
        raise UsageError(
            f"{file}: is of an earlier stage than {store.path} has come to; take the plan that "
            "was made last"
        )


def alike(plan: StoredPlan, other: StoredPlan) -> bool:
    """Return whether two plans are of one tournament, at whatever stages."""
    return to_the_end(plan) == to_the_end(other)


def _other_versions(planned: Planned) -> list[str]:
    """Return a warning where bots may decide otherwise here than where it was planned."""
    here = versions()
    other = [
        f"{name} {own} here, {planned.versions.get(name, 'none')} where it was planned"
        for name, own in here.items()
        if planned.versions.get(name) != own
    ]
    return [f"warning: {', '.join(other)}; bots may decide otherwise"] if other else []
