"""The commands that take nothing on trust, `arena verify` and `arena audit`; and those that show
results to others, who can do the same: `export` and `reveal`.
"""

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

from arena.cli.commands import SHARE, Answer, command
from arena.cli.consent import PACKED, allow_unconfined
from arena.cli.options import (
    ItsLimits,
    Results,
    WithSources,
    flag,
    lower_limits,
    open_store,
    option,
    say_cut_short,
    unconfined_flag,
)
from arena.cli.progress import Display
from arena.cli.terminal import confirm, out, say, width
from arena.errors import FAILED, ArenaError, Unconfinable, UsageError
from arena.words import amount, size

Replayed = Annotated[bool, unconfined_flag("Run bots without the sandbox if the tournament did.")]


@command(SHARE)
def verify_command(
    results: Results,
    replay_bots: int = option(
        "N", "Also play N games again, with the stored bots.", least=0, default=0
    ),
    secret: Path | None = option("FILE", "The revealed secret (default: secret.json in RESULTS)."),
    seed: int | None = option(
        "N", "The seed in the config, if it sets one (then there is no secret).", least=0
    ),
    seconds: float | None = option(
        "N", "Stop after N seconds (default: 600, and 1 for each 20 games).", least=1
    ),
    unconfined: Replayed = False,
    its_limits: ItsLimits = False,
) -> Answer:
    """Replay every game, re-deal every deck, recompute the tables.

    Example: arena verify first
    Example: arena verify first --replay-bots 20
    Exit codes: 0 no problems found; 1 problems found, or the command failed; 2; 4; 130
    """
    from msgspec.structs import replace

    from arena.audit.rerun import (
        SECONDS,
        Again,
        check_allowed,
        describe_rerun,
        is_confined,
        rerun_games,
    )
    from arena.audit.verification import (
        DAMAGED,
        MOST_LISTED,
        REPLAY,
        TIME,
        Finding,
        describe_verification,
    )
    from arena.audit.verify import verify_store
    from arena.store.plans import load_plan
    from arena.store.store import Store

    if seed is not None and secret is not None:
        raise UsageError("--seed: cannot be combined with --secret; remove one of them")
    given = secret if seed is None else seed
    began_s = time.monotonic()
    again, late = list[Again](), ""
    with closing(Store.open_damaged(results)) as store, Display() as steps:
        replays = replay_bots > 0 and not store.problems()
        try:
            if replays:
                check_allowed(store, unconfined, given)
                if unconfined and not is_confined(plan := load_plan(store)):
                    allow_unconfined(plan.bots)
        except (UsageError, Unconfinable):
            raise
        except ArenaError:
            replays = False  # the plan or the secret is damaged, which verifying says
        verification = verify_store(store, steps, given, seconds)
        findings, public = verification.findings, verification.readable and store.public
        try:
            if replays and verification.readable:
                lower_limits(load_plan(store).limits, its_limits, steps)
                left_s = seconds - (time.monotonic() - began_s) if seconds else SECONDS
                again, late = rerun_games(
                    store, replay_bots, unconfined, steps, given, its_limits, left_s
                )
        except Unconfinable:
            raise
        except ArenaError as error:
            findings.append(Finding(REPLAY, "replay", str(error)))
    say_cut_short(game.bot for game in again if game.limits_lowered)
    findings += [
        Finding(REPLAY, f"game {game.game_id}", describe_rerun(game))
        for game in again
        if game.reproduced is False
    ]
    if late:
        findings.insert(0, Finding(TIME, "replay", late))

    def show() -> None:
        out(*(f"{finding.location}: {finding.message}" for finding in findings[:MOST_LISTED]))
        if len(findings) > MOST_LISTED:
            out(f"... and {len(findings) - MOST_LISTED:,} more (--json lists all)")
        out(*describe_verification(verification, again))

    damaged = not public and any(finding.kind == DAMAGED for finding in findings)
    notes = ["To replace damaged games, run `arena tournament` with the same config."] * damaged
    document = replace(verification, games_replayed=len(again))
    return Answer(document, show, FAILED if findings else 0, notes)


@command(SHARE)
def export_command(
    results: Results,
    to: Path = option("DIR", "Folder to write to.", default=...),
    with_sources: WithSources = False,
) -> None:
    """Write CSV tables, records and results for others to verify.

    Example: arena export first --to shared
    Exit codes: 0; 1; 2; 130
    """
    from arena.export.files import export
    from arena.model import WALLS
    from arena.store.plans import load_plan
    from arena.system.machine import read_clock

    with open_store(results) as store, Display() as steps:
        files = export(store, to, with_sources, read_clock(), steps)
        confinement = load_plan(store).confinement
    for file in files:
        out(f"{file}  {size(file.stat().st_size)}")
    if confinement != WALLS:
        say(PACKED)


@command(SHARE)
def audit_command(
    results: Results,
    games: int = option("N", "Number of games to sample (default: 100).", least=1, default=100),
    seconds: int = option("N", "Replay N seconds at most (default: 600).", least=1, default=600),
    unconfined: Replayed = False,
    its_limits: ItsLimits = False,
) -> Answer:
    """Look for leaks, collusion, and bots that remember earlier games.

    Example: arena audit first
    Exit codes: 0 no leak found, and bots repeat their decisions; 1 a leak, a decision that was
    not repeated, time was over, or the command failed; 2; 4; 130
    """
    from arena.audit.audit import audit_store, describe_audit
    from arena.audit.rerun import is_confined
    from arena.store.plans import load_plan

    with open_store(results) as store, Display() as steps:
        plan = load_plan(store)
        lower_limits(plan.limits, its_limits or store.public, steps)
        if unconfined and not (store.public or is_confined(plan)):
            allow_unconfined(plan.bots)
        report = audit_store(store, games, unconfined, steps, its_limits, seconds)
    say_cut_short(game.bot for game in report.again if game.limits_lowered)
    code = FAILED if report.findings.views.leaks or report.findings.mismatches or report.late else 0
    return Answer(report.findings, lambda: out(*describe_audit(report, width())), code)


@command(SHARE)
def reveal_command(
    results: Results, yes: bool = flag("--yes", "Do not ask for confirmation.")
) -> None:
    """End a tournament: write its secret to a file, for publication.

    Example: arena reveal first
    Exit codes: 0; 1 declined, or the command failed; 2 wrong usage, or no terminal and no --yes;
    130
    """
    from arena.runner.season import find_season, reveal_secret

    ends = find_season(results)
    warning = [
        f"{ends.folder}: revealing the secret ends the tournament for good. Its deals can then "
        "be known, so no more games are played with it."
    ]
    if ends.missing:
        warning.append(
            f"{amount(ends.missing, 'game')} of its plan can then never be played; to play first, "
            "run `arena tournament` with its config."
        )
    if ends.revealed:
        say(f"{ends.folder}: already revealed; the file is written again")
    elif yes:
        say(*warning[1:])
    else:
        confirm(warning, "Reveal the secret?", "Nothing was revealed")
    out(str(reveal_secret(ends)))
    say("Publish this file with the tables or an export; with it, `arena verify` checks the deals.")
