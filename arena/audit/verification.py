"""The results of verifying: findings, what was not checked, and the words for both."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import astuple

from arena.audit.game_check import STORE
from arena.audit.refit import Refit, describe_refit
from arena.audit.rerun import Again, describe_uncompared
from arena.typed_json import First, means
from arena.words import amount, every

MOST_LISTED = 20  # findings
NAMED = 5  # things that were not checked, for the same reason

DAMAGED, RULES, BOT, TABLE, REPLAY = "damaged", "rules", "bot", "table", "replay"
RATING, SECRET, TIME = "rating", "secret", "time"
"""Kinds of findings: not what was written; no game by the rules and the secret; a bot's source;
a published file; a game that came out otherwise when it was played again; ratings that the
`trueskill` package does not give; a secret that the tournament was not committed to; what was not
checked as time was over."""


class Finding(Struct, frozen=True):
    """Something that is not as it should be."""

    kind: Annotated[
        str, means("`damaged`, `rules`, `bot`, `table`, `replay`, `rating`, `secret` or `time`.")
    ]
    location: Annotated[
        str, means("`database`, `game` and its id, a bot's name, a file or a pool's title.")
    ]
    message: str


class Unchecked(Struct, frozen=True):
    """Something that a verification did not look at, or could not make again."""

    subject: Annotated[str, means("`deals`, `ratings`, or a file or folder of the results.")]
    reason: str


class Verification(Struct, frozen=True, kw_only=True):
    """The results of verifying, as `arena verify --json` prints them."""

    version: First = 1
    games: Annotated[int, means("Stored games that were checked.")] = 0
    games_outside_tables: Annotated[
        int, means("Of these, games outside the tables: old versions, other limits and the like.")
    ] = 0
    planned_games: Annotated[int, means("Games of the plan, whether in the tables or not.")] = 0
    deals_checked: Annotated[
        bool,
        means(
            "Whether deals were recomputed; a published copy has no secret until it is revealed."
        ),
    ] = False
    secret_source: Annotated[
        str, means("Source of the secret; empty if deals were not recomputed.")
    ] = ""
    seed_given: Annotated[
        bool, means("Whether deals come from the config's seed, without a secret and a commitment.")
    ] = False
    commitment: Annotated[str | None, means("To the secret; null if none is known.")] = None
    public_copy: Annotated[bool, means("Whether this is a published store.")] = False
    compared_files: Annotated[list[str], means("Published files that were compared.")] = []
    remade_files: Annotated[
        list[str], means("Other files that were made again from the store and compared.")
    ] = []
    byte_for_byte: Annotated[
        bool,
        means(
            "Whether they were compared byte for byte; false for files from "
            "another machine, where rounding may differ."
        ),
    ] = True
    rounding_differences: Annotated[int, means("Numbers in them that differ by rounding only.")] = 0
    rating_checks: Annotated[list[Refit], means("By pool; empty if games cannot be rated.")] = []
    findings: list[Finding]
    readable: Annotated[
        bool,
        means("False if the file does not have Arena's format, so that its games mean nothing."),
    ] = True
    games_replayed: Annotated[int, means("Games replayed with the stored bots.")] = 0
    weeks_checked: Annotated[int, means("Weeks of the league whose tables were recomputed.")] = 0
    weeks_not_compared: Annotated[int, means("Weeks not compared: they have more games now.")] = 0
    unchecked: Annotated[
        list[Unchecked], means("Everything that was not checked; no finding, and no proof.")
    ] = []


def describe_verification(verification: Verification, again: Sequence[Again]) -> list[str]:
    """Describe a verification, and the games played again: all but the findings."""
    total = len(verification.findings)
    problems = amount(total, "problem") + " found (listed above)"
    if not verification.readable:
        return [f"games: not read, because the file is not in Arena's format; {problems}"]
    kinds = (DAMAGED, RULES)
    bad = {f.location for f in verification.findings if f.kind in kinds and f.location != STORE}
    lines = [f"games: {verification.games - len(bad):,} of {verification.games:,} follow the rules"]
    if verification.games_outside_tables:
        lines[0] += (
            f"; {verification.games_outside_tables:,} are in no table (old versions and the like)"
        )
    stored = verification.games - verification.games_outside_tables - len(bad)
    if stored != verification.planned_games:
        missing = f"{verification.planned_games - stored:,} of {verification.planned_games:,}"
        lines.append(
            f"the plan: {missing} games are not in the tables (not played yet, or none of their "
            f"bots loaded)"
        )
    lines += _of_deals(verification)
    if verification.compared_files:
        lines.append(
            f"tables: {_of_tables(verification)}: {', '.join(verification.compared_files)}"
        )
    if verification.remade_files:
        lines.append(f"files: made again and compared: {', '.join(verification.remade_files)}")
    if verification.weeks_checked:
        lines.append(f"history: {amount(verification.weeks_checked, 'week')} recomputed")
    if verification.weeks_not_compared:
        more = amount(verification.weeks_not_compared, "week")
        lines.append(f"history: {more} not compared, for more of its games are played now")
    if verification.rating_checks:
        lines.append("ratings: recomputed by the trueskill package, iterated until they converge")
        lines += [f"  {describe_refit(row)}" for row in verification.rating_checks]
    if again:
        alike = sum(game.reproduced is True for game in again)
        lines.append(f"replayed: {amount(len(again), 'game')}, {alike:,} with the same result")
        lines += describe_uncompared(again)
    lines.append(problems if total else f"OK: no problems found in {_sum_up(verification)}")
    return lines


def _sum_up(verification: Verification) -> str:
    """Name the parts that were checked, and those that were not with the reasons."""
    checked = [amount(verification.games, "game")]
    checked += ["their deals"] * verification.deals_checked
    files = len(verification.compared_files) + len(verification.remade_files)
    checked += [
        amount(number, word)
        for number, word in ((files, "file"), (verification.weeks_checked, "week"))
        if number
    ]
    by_reason = dict[str, list[str]]()
    for subject, reason in map(astuple, verification.unchecked):
        by_reason.setdefault(reason, []).append(subject)
    for subjects in by_reason.values():
        subjects[NAMED:] = [f"{len(subjects) - NAMED:,} more"] * (len(subjects) > NAMED)
    left = "; ".join(f"{every(subjects)} ({reason})" for reason, subjects in by_reason.items())
    return every(checked) + (f"; not checked: {left}" if left else "")


def _of_tables(verification: Verification) -> str:
    if verification.byte_for_byte:
        return "recomputed and compared byte for byte"
    elsewhere = "written with other versions or on another kind of CPU; recomputed and compared"
    if not verification.rounding_differences:
        return elsewhere
    verb = "differs" if verification.rounding_differences == 1 else "differ"
    return f"{elsewhere}, {amount(verification.rounding_differences, 'number')} {verb} by rounding"


def _of_deals(verification: Verification) -> Iterator[str]:
    if verification.deals_checked:
        source = verification.secret_source
        yield f"deals: recomputed from the secret{'' if source == STORE else f' of {source}'}"
    else:
        why = "the copy has no secret: "
        if any(finding.kind == SECRET for finding in verification.findings):
            why = "its secret is wrong (see above)"
        elif verification.seed_given:
            why += "give the seed of its config with --seed N"
        else:
            why += "name the file that `arena reveal` writes at the end with --secret FILE"
        yield f"deals: not recomputed; {why}"
    if verification.commitment:
        compare = "; compare it with the one published before the first game"
        yield f"commitment: {verification.commitment}{compare if verification.public_copy else ''}"
    elif verification.public_copy and not verification.seed_given:
        yield "commitment: none, so nothing proves when the secret was drawn"
