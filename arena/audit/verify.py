"""Checks of a results folder: nothing in it is taken on trust.

Every stored game is replayed by the rules, its deal is dealt again from the secret, its id made
again from what it is (`arena.audit.game_check`, in several processes); ratings and tables are made
again from the games and compared with the published files, and ratings also with those of the
`trueskill` package itself.
"""

import math
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import astuple

from arena.audit import refit
from arena.audit.exported import compare_exported, find_strangers
from arena.audit.game_check import DAMAGE, STORE, UNSOUND, Given, find_evidence, judge_games
from arena.audit.published import Compared, compare_published, compare_weeks
from arena.audit.refit import Refit, describe_refit
from arena.audit.rerun import Again, describe_uncompared
from arena.errors import ArenaError, UsageError
from arena.league.files import Source, check_source
from arena.progress import SILENT, Progress, take_until
from arena.schedule.order import make_schedules
from arena.store.chunk import split_games
from arena.store.history import KeptWeek, read_weeks
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, load_secret
from arena.store.schema import find_files
from arena.store.store import Store
from arena.system.folders import SUMS, find_wrong_sums
from arena.system.parallel import map_in_processes
from arena.tables.results import compute_standings, make_history
from arena.typed_json import First, means
from arena.words import amount, every

BYTES_AT_ONCE = 4 << 20  # of the records that a process takes: usual ones have a quarter of it

SECONDS, A_GAME_S = 600.0, 0.05
"""The seconds that verifying takes at most, and as many for each stored game. With a million games
and a year of weeks a slow machine takes a third of that; a stranger's small file can ask for days.
"""

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


def verify_store(
    store: Store, steps: Progress = SILENT, given: Given = None, seconds: float | None = None
) -> Verification:
    """Find what is wrong with a store, and with the files published beside it; what is not checked
    within the `seconds` (default: by the number of its games) is a finding. What is `given` of its
    deals may raise UsageError (`game_check.find_evidence`).
    """
    began_s = time.monotonic()
    steps.begin("checking the file")
    problems = store.problems()  # before anything else: the rest might have no end
    findings = [Finding(DAMAGED, STORE, problem) for problem in problems]
    if not store.ours:
        return Verification(readable=False, findings=findings)
    try:
        plan = load_plan(store)
    except UsageError:
        raise
    except ArenaError as error:
        findings.append(Finding(DAMAGED, "plan", str(error)))
        return Verification(readable=False, findings=findings)
    if not store.public and load_secret(store) is None:
        findings.append(Finding(DAMAGED, STORE, "the secret of the deals is missing"))
    log = find_files(store.path)[1]
    if store.public and log.exists() and log.stat().st_size:
        what = (
            "changes what others read of the store, which is one file; remove it and verify again"
        )
        findings.append(Finding(DAMAGED, STORE, f"{log.name} {what}"))
    known = find_evidence(store, plan, given)
    unchecked = list[Unchecked]()
    if known.secret is None:
        unchecked.append(Unchecked("deals", "no secret"))
    findings += [Finding(SECRET, place, what) for place, what in known.problems]
    findings += _bots(store)
    count = left_out = 0
    stored = 0 if problems else store.count()  # else queries that look at all might have no end
    seconds = SECONDS + A_GAME_S * stored if seconds is None else seconds
    end_s, late = began_s + seconds, list[str]()
    steps.begin("checking games by the rules", stored)
    work = partial(judge_games, plan, known.secret)
    judged = map_in_processes(work, split_games(store.games(), BYTES_AT_ONCE))
    for wrong, others, looked in take_until(end_s, judged):
        for id, what in wrong:
            kind = DAMAGED if what == DAMAGE else RULES
            findings.append(Finding(kind, f"game {id}", what))
        count += looked
        left_out += others
        steps.done(looked)
    compared, remade = Compared([], True, 0, [], []), list[tuple[str, str, str]]()
    refits = list[Refit]()
    weeks, grown = list[KeptWeek](), 0
    if not problems and time.monotonic() > end_s:
        late += [f"{stored - count:,} of {stored:,} games"] * (count < stored)
        late += ["tables", "weeks", "exported files", "ratings"]
    elif not problems:
        if count != stored:
            loss = f"{stored:,} games are stored, {count:,} are readable"
            findings.append(Finding(DAMAGED, STORE, loss))
        weeks, damaged = read_weeks(store)
        findings += [Finding(TABLE, "history", line) for line in damaged]
        try:
            document = compute_standings(store, steps=steps)
            compared = compare_published(store, document, [one.week for one in weeks])
            steps.begin("rating the weeks again")
            wrong_weeks = [*take_until(end_s, compare_weeks(store, weeks, document))]
            if time.monotonic() < end_s:
                steps.begin("making exported files again")
                rest = compare_exported(store, None if known.problems else known.secret)
                remade += take_until(end_s, rest)
            late += ["exported files"] * (time.monotonic() > end_s)
        except UNSOUND as error:
            problem = f"cannot be recomputed from the stored games ({error})"
            findings.append(Finding(TABLE, "tables", problem))
        else:
            of_weeks = (part for _, parts in wrong_weeks for part in parts)
            unchecked += [Unchecked(*part) for part in (*compared.unchecked, *of_weeks)]
            files = [*compared.problems, *(file[:2] for file in remade if file[1])]
            files += find_wrong_sums(store.path.parent, end_s)
            findings += [Finding(TABLE, name, problem) for name, problem in files]
            grown = sum(problem is None for problem, _ in wrong_weeks)
            findings += [
                Finding(TABLE, f"history/{week.number:04}", problem)
                for (week, _), (problem, _) in zip(weeks, wrong_weeks, strict=False)
                if problem
            ]
            if len(wrong_weeks) < len(weeks):
                late.append(f"{len(weeks) - len(wrong_weeks):,} of {amount(len(weeks), 'week')}")
                weeks = weeks[: len(wrong_weeks)]
            if time.monotonic() > end_s:
                late.append("ratings")
            else:
                refits = refit.refit_store(store, steps)
            findings += [
                Finding(
                    RATING, row.pool,
                    f"the trueskill package's rating of {row.bot} differs by "
                    f"{row.max_difference:.3f} mu",
                )
                for row in refits
                if row.mismatch
            ]  # fmt: skip
    unchecked += [Unchecked(name, reason) for name, _, reason in remade if reason]
    looked_at = {*compared.files, *make_history(one.week for one in weeks), SECRET_FILE, SUMS}
    looked_at |= {name for name, *_ in remade} | {finding.location for finding in findings}
    looked_at |= {path.name for path in find_files(store.path)} | {one.subject for one in unchecked}
    strangers = find_strangers(store.path.parent, looked_at)
    unchecked += [Unchecked(name, reason) for name, reason in strangers]
    if late:
        more = f"give more with --seconds {math.ceil(2 * seconds)}"
        findings.insert(0, Finding(TIME, "time", f"over before {every(late)} were checked; {more}"))
    return Verification(
        games=count,
        games_outside_tables=left_out,
        planned_games=sum(map(len, make_schedules(plan).values())),
        deals_checked=known.secret is not None,
        secret_source=known.source if known.secret is not None else "",
        seed_given=plan.seed_given,
        commitment=known.commitment,
        public_copy=store.public,
        compared_files=compared.files,
        remade_files=[name for name, _, reason in remade if not reason],
        byte_for_byte=compared.exact,
        rounding_differences=compared.rounding,
        rating_checks=refits,
        findings=findings,
        weeks_checked=len(weeks) - grown,
        weeks_not_compared=grown,
        unchecked=unchecked,
    )


def _bots(store: Store) -> Iterator[Finding]:
    for bot in store.bots():
        try:
            source = store.source_of(bot)
        except ArenaError as error:
            yield Finding(BOT, bot.name, str(error))
            continue
        if source is None:
            if not store.public:
                yield Finding(BOT, bot.name, "its source is missing")
        elif problem := check_source(Source(source), bot.hash):
            yield Finding(BOT, bot.name, problem)


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
        lines.append(f"replayed: {len(again):,} games, {alike:,} with the same result")
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
