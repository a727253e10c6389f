"""The commands `arena plan` and `arena merge`, and what `arena tournament` says of a shard."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal import (
    UNCONFINED,
    NoPin,
    Unconfined,
    Workers,
    again,
    committed,
    near,
    out,
    say,
)
from arena.errors import INTERRUPTED, UsageError, require_linux
from arena.words import amount

if TYPE_CHECKING:
    from arena.plan.plan import Plan
    from arena.schedule.shards import Shard

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print no progress.")]


def plan_command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="The tournament's TOML file.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="Where the plan goes: keep it secret.")
    ],
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Results folder; default: results/NAME.")
    ] = None,
    unconfined: Unconfined = False,
    quiet: Quiet = False,
) -> None:
    """Write what other machines need to play shards of a tournament: its plan and secret."""
    require_linux()
    from arena.cli.progress import shown
    from arena.plan.plan import check_walls, plan_of
    from arena.runner import plan_file, shards
    from arena.store.plans import known_hashes

    plan = plan_of(config, results, workers, not unconfined, not no_pin, known_hashes)
    plan_file.check_place(to)
    if unconfined:
        say(UNCONFINED)
    else:
        check_walls(to)
    with shown(quiet) as progress:
        planned, games = shards.plan_next(plan, progress, progress.say, committed)
    left = sum(games.values())
    if not left:
        say(f"nothing is left to play, so there is no plan; `arena tournament {config}` makes the "
            "tables")  # fmt: skip
        return
    plan_file.write(to, planned)
    out(str(to))
    if not quiet:
        for pool, count in games.items():
            if count:
                say(f"{pool.title}: {amount(count, 'game')}")
        if not planned.plan.seed_given:
            say(f"{to} holds the secret of all deals: show it to nobody, and remove it once all "
                "is played")  # fmt: skip


def play_shard(
    plan: "Plan", shard: "Shard", file: Path, fresh: bool, slow_hosts: bool, quiet: bool
) -> None:
    """Play a shard, and say how it ended."""
    from arena.cli.progress import shown
    from arena.plan.plan import check_walls
    from arena.runner import clocks, plan_file, shards, tournament

    planned = plan_file.read(file)
    if plan.confined:
        check_walls(file)
    shards.hold_alike(plan, planned, file)
    clock = clocks.beside(planned.reference, not plan.cluster, slow_hosts)
    if clock.machine and clock.machine.clock > clocks.SLOW:
        say(f"warning: this machine is {clock.machine.clock:.1f} times as slow as the one that "
            "planned; limits of time are as much longer here")  # fmt: skip
    if plan_file.open_to_others(file):
        say(f"warning: {file}: others on this machine may read it, and so know every deal; "
            "chmod 600")  # fmt: skip
    if fresh:
        kept = tournament.set_aside(plan.folder)
        if kept and not quiet:
            say(f"the old results are kept in {kept}")
    with shown(quiet) as progress:
        played, left, stopped = shards.play(
            plan, planned, file, shard, clock, progress, progress.say
        )
    if stopped:
        say(f"interrupted: {played:,} games played and saved, {left:,} are left. "
            f"To go on: {again()}")  # fmt: skip
        raise typer.Exit(INTERRUPTED)
    if not quiet:
        place = near(plan.folder)
        say("", f"{played:,} games played; shard {shard} is in {place}/, for `arena merge`")


def shard_of_words(shard: str | None, file: Path | None, others: dict[str, bool]) -> "Shard | None":
    """Return the shard that the options ask for; None for a whole tournament. Raises UsageError
    where they do not go together; `others` says by option whether it is given.
    """
    from arena.schedule.shards import MOST, shard_of

    if shard is None:
        if file is not None:
            raise UsageError("--plan: is for shards; say which with --shard I/N, or leave it out")
        return None
    try:
        found = shard_of(shard)
    except ValueError:
        raise UsageError(
            f"--shard: found {shard!r}; it takes I/N, such as 2/3: I from 1 to N, N to {MOST:,}"
        ) from None
    if file is None:
        raise UsageError(
            "--shard: takes --plan FILE; `arena plan CONFIG --to FILE` writes it, for all shards. "
            "Pools with `settle` take a new one for each stage, once the one before was merged"
        )
    if given := [option for option, is_given in others.items() if is_given]:
        raise UsageError(
            f"{given[0]}: a shard has no tables to tell it from; leave it out, or play without "
            "--shard"
        )
    return found


def merge_command(
    to: Annotated[
        Path, typer.Argument(metavar="OUT", help="Results folder; made if it is not there.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="IN", help="Results folders, or their stores, of one tournament."),
    ],
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Merge what is there, whatever is missing or damaged."),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Put shards of a tournament together in one results folder, and publish its tables."""
    require_linux(or_macos=True)  # Windows cannot lock the folder
    from contextlib import closing

    from arena.audit.verify import wrong
    from arena.cli.progress import shown
    from arena.store import merge, usage
    from arena.store.plans import plan_in
    from arena.store.store import Store
    from arena.tables.from_store import document_of
    from arena.tables.publish import publish

    with shown(quiet) as progress:
        merged = merge.merge(to, files, wrong, partial, progress.say, progress)
        with closing(Store.open(to, checked=True)) as store:
            publish(
                to, document_of(store, steps=progress), usage.timings(store), plan_in(store).limits
            )
    out(str(merged.path))
    wrong_ones = [f"left out: {line}" for line in merged.wrong]
    for line in (*wrong_ones, *(f"warning: {line}" for line in merged.differing), *merged.missing):
        say(line)
    if not quiet:
        say(f"{merged.new:,} games merged, {merged.games:,} stored; the tables are in {near(to)}/")
