"""The commands that take nothing on trust, `arena verify` and `arena audit`; and those that show
results to others, who can do the same: `export` and `reveal`.
"""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import ItsLimits, Results, flag, lower_limits, open_store, option, say_cut
from arena.cli.progress import Display
from arena.cli.terminal import confirm, out, out_json, say, width
from arena.errors import FAILED, ArenaError, Unconfinable, UsageError, require_linux
from arena.words import amount, size

if TYPE_CHECKING:
    from arena.audit import Again


Replayed = Annotated[
    bool, flag("--unconfined", "Replay unconfined bots without confinement, as they were played.")
]
Json = Annotated[bool, flag("--json", "Print the findings as JSON.")]


def verify_command(
    results: Results,
    replay_bots: Annotated[
        int, option("N", "Play N games again, with the stored bots.", min=0)
    ] = 0,
    secret: Annotated[
        Path | None, option("FILE", "The revealed secret; default: secret.json beside RESULTS.")
    ] = None,
    seed: Annotated[
        int | None, option("N", "The config's seed, where deals come of one.", min=0)
    ] = None,
    unconfined: Replayed = False,
    its_limits: ItsLimits = False,
    json: Json = False,
) -> None:
    """Replay every game, re-deal every deck, recompute the tables."""
    from msgspec.structs import replace

    from arena.audit import (
        DAMAGED,
        MOST_LISTED,
        REPLAY,
        Finding,
        check_allowed,
        describe_rerun,
        describe_verification,
        rerun_games,
        verify_store,
    )
    from arena.store import Store, load_plan

    if seed is not None and secret is not None:
        raise UsageError("--seed: found beside --secret; remove one of them")
    given = secret if seed is None else seed
    again: list[Again] = []
    with closing(Store.open_damaged(results)) as store, Display() as steps:
        replays = replay_bots > 0 and not store.problems()
        try:
            if replays:
                check_allowed(store, unconfined, given)
        except (UsageError, Unconfinable):
            raise
        except ArenaError:
            replays = False  # the plan or the secret is damaged, which verifying says
        verification = verify_store(store, steps, given)
        findings, public = verification.findings, verification.read and store.public
        try:
            if replays and verification.read:
                steps.say(*lower_limits(load_plan(store).limits, its_limits))
                again += rerun_games(store, replay_bots, unconfined, steps, given, its_limits)
        except ArenaError as error:
            findings.append(Finding(REPLAY, "replay", str(error)))
    say_cut(game.bot for game in again if game.bounded)
    findings += [
        Finding(REPLAY, f"game {game.game}", describe_rerun(game))
        for game in again
        if game.alike is False
    ]
    if json:
        out_json(replace(verification, played_again=len(again)))
    else:
        out(*(f"{finding.place}: {finding.what}" for finding in findings[:MOST_LISTED]))
        if len(findings) > MOST_LISTED:
            out(f"... and {len(findings) - MOST_LISTED:,} findings more (--json)")
        out(*describe_verification(verification, again))
    if findings:
        if not public and any(finding.kind == DAMAGED for finding in findings):
            say("`arena tournament` with its config plays damaged games again")
        raise typer.Exit(FAILED)


def export_command(
    results: Results,
    to: Annotated[Path, option("DIR", "Folder to write to.")],
    with_sources: Annotated[bool, flag("--with-sources", "Publish the bots' sources too.")] = False,
) -> None:
    """Write CSV, all records, and a store for others to verify."""
    from arena.export import export

    with open_store(results) as store, Display() as steps:
        files = export(store, to, with_sources, steps)
    for file in files:
        out(f"{file}  {size(file.stat().st_size)}")


def audit_command(
    results: Results,
    games: Annotated[int, option("N", "Games to sample.", min=1)] = 100,
    unconfined: Replayed = False,
    its_limits: ItsLimits = False,
    json: Json = False,
) -> None:
    """Look for bots that learn, leaks, collusion and odd hosts."""
    from arena.audit import audit_store, describe_audit
    from arena.store import load_plan

    with open_store(results) as store, Display() as steps:
        steps.say(*lower_limits(load_plan(store).limits, its_limits or store.public))
        report = audit_store(store, games, unconfined, steps, its_limits)
    say_cut(game.bot for game in report.again if game.bounded)
    if json:
        out_json(report.findings)
    else:
        out(*describe_audit(report, width()))
    if report.findings.views.leaks or report.findings.otherwise:
        raise typer.Exit(FAILED)


def reveal_command(
    results: Results,
    yes: Annotated[bool, flag("--yes", "Do not ask: it ends the tournament, for good.")] = False,
) -> None:
    """End a tournament: publish the secret of its deals."""
    require_linux(or_macos=True)  # Windows cannot lock the folder
    from arena.runner import find_season, reveal_secret

    ends = find_season(results)
    warning = [
        f"{ends.folder}: revealing the secret ends the tournament, for good: all its deals can "
        "be known then, so no game is played under it any more"
    ]
    if ends.missing:
        warning.append(
            f"{amount(ends.missing, 'game')} of its plan can then never be played; `arena "
            "tournament` with its config plays what is missing"
        )
    if ends.revealed:
        say(f"{ends.folder}: was revealed before; the file is written again")
    elif yes:
        say(*warning[1:])
    else:
        nothing = "nothing was revealed"
        confirm(warning, "reveal it?", nothing, "; --yes says that it is meant so")
    out(str(reveal_secret(ends)))
    say("publish this file beside the tables or an export: `arena verify` deals every deal again "
        "with it")  # fmt: skip
