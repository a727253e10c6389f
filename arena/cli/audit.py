"""The commands by which others can trust results: `arena verify`, `audit`, `export`, `reveal`."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.progress import Display
from arena.cli.replayed_view import limits_told, say_cut
from arena.cli.terminal import ItsLimits, Results, confirmed, out, say, width
from arena.errors import FAILED, ArenaError, Unconfinable, UsageError, require_linux
from arena.words import amount, not_one_of, size

CSV_FORMATS = ("csv", "csv-safe")

Unconfined = Annotated[
    bool,
    typer.Option(
        "--unconfined", help="Replay unconfined bots without confinement, as they were played."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")]


def verify_command(
    results: Results,
    replay_bots: Annotated[
        int, typer.Option(metavar="N", min=0, help="Play N games again, with the stored bots.")
    ] = 0,
    secret: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The revealed secret; default: secret.json beside RESULTS."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="The config's seed, where deals come of one."),
    ] = None,
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
    json: Json = False,
) -> None:
    """Check results: replay and deal every game again, make ratings and tables again."""
    from msgspec.structs import replace

    from arena.audit import (
        DAMAGED,
        MOST_LISTED,
        REPLAY,
        Again,
        Finding,
        check_allowed,
        describe_rerun,
        describe_verification,
        rerun_games,
        verify_store,
    )
    from arena.store.plans import load_plan
    from arena.store.store import Store
    from arena.typed_json import encode

    if seed is not None and secret is not None:
        raise UsageError("--seed: found beside --secret; remove one of them")
    given = secret if seed is None else seed
    with closing(Store.open_damaged(results)) as store, Display() as steps:
        again_too = replay_bots > 0 and not store.problems()
        try:
            if again_too:
                check_allowed(store, unconfined, given)
        except (UsageError, Unconfinable):
            raise
        except ArenaError:
            again_too = False  # the plan or the secret is damaged, which verifying says
        verification = verify_store(store, steps, given)
        public = verification.read and store.public
        again: list[Again] = []
        try:
            if again_too and verification.read:
                steps.say(*limits_told(load_plan(store).limits, its_limits))
                again += rerun_games(store, replay_bots, unconfined, steps, given, its_limits)
        except ArenaError as error:
            verification.findings.append(Finding(REPLAY, "replay", str(error)))
    say_cut(game.bot for game in again if game.bounded)
    verification.findings.extend(
        Finding(REPLAY, f"game {game.game}", describe_rerun(game))
        for game in again
        if game.alike is False
    )
    if json:
        out(encode(replace(verification, played_again=len(again))))
    else:
        for finding in verification.findings[:MOST_LISTED]:
            out(f"{finding.place}: {finding.what}")
        if len(verification.findings) > MOST_LISTED:
            out(f"... and {len(verification.findings) - MOST_LISTED:,} findings more (--json)")
        for line in describe_verification(verification, again):
            out(line)
    if verification.findings:
        damaged = any(finding.kind == DAMAGED for finding in verification.findings)
        if damaged and not public:
            say("`arena tournament` with its config plays damaged games again")
        raise typer.Exit(FAILED)


def export_command(
    results: Results,
    to: Annotated[Path, typer.Option(metavar="DIR", help="Folder to write to.")],
    with_sources: Annotated[
        bool, typer.Option("--with-sources", help="Publish the bots' sources too.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="CSV files as csv, or csv-safe.")
    ] = "csv",
) -> None:
    """Write files to publish: CSV (and Parquet), all records, a store to be verified."""
    if form not in CSV_FORMATS:
        raise UsageError(f"--format: {not_one_of(form, CSV_FORMATS)}")
    from arena.export import export
    from arena.store.store import Store

    with closing(Store.open(results)) as store, Display() as steps:
        files = export(store, to, with_sources, form == "csv-safe", steps)
    for file in files:
        out(f"{file}  {size(file.stat().st_size)}")


def audit_command(
    results: Results,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games to sample.")] = 100,
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
    json: Json = False,
) -> None:
    """Look for foul play: bots that do not repeat themselves, leaks, pairs, odd hosts."""
    from arena.audit import audit_store, describe_audit
    from arena.store.plans import load_plan
    from arena.store.store import Store
    from arena.typed_json import encode

    with closing(Store.open(results)) as store, Display() as steps:
        steps.say(*limits_told(load_plan(store).limits, its_limits or store.public))
        report = audit_store(store, games, unconfined, steps, its_limits)
    say_cut(game.bot for game in report.again if game.bounded)
    if json:
        out(encode(report.findings))
    else:
        for line in describe_audit(report, width()):
            out(line)
    if report.views.leaks or any(game.alike is False for game in report.again):
        raise typer.Exit(FAILED)


def reveal_command(
    results: Results,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask: it ends the tournament, for good.")
    ] = False,
) -> None:
    """End a tournament: publish the secret of its deals, so that others can verify them."""
    require_linux(or_macos=True)  # Windows cannot lock the folder
    from arena.runner.tournament import reveal_secret, season

    ends = season(results)
    if ends.revealed:
        say(f"{ends.folder}: was revealed before; the file is written again")
    else:
        warning = [
            f"{ends.folder}: revealing the secret ends the tournament, for good: all its deals can "
            "be known then, so no game is played under it any more"
        ]
        if ends.missing:
            warning.append(
                f"{amount(ends.missing, 'game')} of its plan can then never be played; `arena "
                "tournament` with its config plays what is missing"
            )
        if not yes:
            agreed = confirmed(warning, "reveal it?")
            if agreed is None:
                raise UsageError(*warning, "nothing was revealed; --yes says that it is meant so")
            if not agreed:
                say("nothing was revealed")
                raise typer.Exit(FAILED)
        elif ends.missing:
            say(*warning[1:])
    out(str(reveal_secret(ends)))
    say("publish this file beside the tables or an export: `arena verify` deals every deal again "
        "with it")  # fmt: skip
