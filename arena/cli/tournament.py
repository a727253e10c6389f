"""The command `arena tournament`, with its cluster and its dry run."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.cluster import hire_for
from arena.cli.dry_run import say_dry_run
from arena.cli.faults import say_faults
from arena.cli.standings import in_words, published, site_of
from arena.cli.terminal import (
    UNCONFINED,
    Fresh,
    NoPin,
    Unconfined,
    Workers,
    again,
    committed,
    near,
    out,
    say,
    width,
)
from arena.errors import INTERRUPTED, OVER_MAX_FAULTS, require_linux


def tournament_command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="The tournament's TOML file.")],
    workers: Workers = None,
    no_pin: NoPin = False,
    results: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Results folder; default: results/NAME.")
    ] = None,
    fresh: Fresh = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Estimate games, time, disk and precision; play none."),
    ] = False,
    max_faults: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Exit with 3 if a bot has more than N faults."),
    ] = None,
    unconfined: Unconfined = False,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://HOST:PORT, local:N."),
    ] = None,
    slow_hosts: Annotated[
        bool,
        typer.Option("--slow-hosts", help="Let hosts play that are far slower."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Print no progress and no tables.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON.")] = False,
    publish: Annotated[
        bool, typer.Option("--publish", help="Make a site of the results, as arena publish does.")
    ] = False,
) -> None:
    """Play a tournament's missing games, rate its bots, and publish its tables."""
    require_linux()
    from arena.cli.progress import shown
    from arena.plan import plan_tournament
    from arena.runner import tournament
    from arena.store.plans import known_hashes

    plan = plan_tournament(config, results, workers, not unconfined, not no_pin, known_hashes)
    plan, hire = hire_for(plan, cluster, workers, slow_hosts)
    if unconfined:
        say(UNCONFINED)
    if dry_run:
        say_dry_run(plan, hire, fresh, json)
        return
    if publish:
        from arena.site import check_target

        check_target(site_of(plan.folder))  # before hours of play
    if fresh:
        kept = tournament.set_aside(plan.folder)
        if kept and not quiet:
            say(f"the old results are kept in {kept}")
    with shown(quiet) as progress:
        ended = tournament.play_tournament(plan, progress, progress.say, committed, hire)
    from arena.tables import formats, settling, terminal, timing

    if json:
        out(*formats.json(ended.document).splitlines())
    elif not quiet:
        out(*terminal.plain(ended.document, width()).splitlines())
    if ended.stopped:
        say(f"interrupted: {ended.played:,} games played and saved, {ended.left:,} are left. "
            f"To go on: {again()}")  # fmt: skip
        raise typer.Exit(INTERRUPTED)
    if unconfined:
        say(UNCONFINED)
    if not quiet:
        for pool in ended.document.pools:
            if pool.settle:
                say(f"{pool.title}: {settling.in_words(pool.settle)}")
        late = {entry.bot: entry.faults.get("time", 0) for entry in ended.document.faults}
        used = timing.summary(ended.timings, plan.limits, late)
        if used:
            say("", *used.splitlines())
        say_faults(plan.folder, {bot.name for bot in plan.bots}, plan.beside)
        say("", f"{ended.played:,} games played; the tables are in {near(plan.folder)}/")
    if publish:
        place, built = published(plan.folder)
        say(f"the site is in {near(place)}/ ({in_words(built)})")
    over = {
        entry.bot: entry.total
        for entry in ended.document.faults
        if max_faults is not None and entry.total > max_faults
    }
    if over:
        listed = ", ".join(f"{bot} {total}" for bot, total in over.items())
        say(f"over --max-faults {max_faults}: {listed}")
        raise typer.Exit(OVER_MAX_FAULTS)
