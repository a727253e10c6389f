"""Checks of a results folder: nothing in it is taken on trust.

Every stored game is replayed by the rules, its deal is dealt again from the secret, its id made
again from what it is (`arena.audit.game_check`, in several processes); ratings and tables are made
again from the games and compared with the published files, and ratings also with those of the
`trueskill` package itself.
"""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from arena.audit import refit
from arena.audit.exported import Remade, compare_exported, find_strangers
from arena.audit.game_check import DAMAGE, STORE, UNSOUND, Given, find_evidence, judge_games
from arena.audit.published import Compared, Rated, compare_published, compare_weeks
from arena.audit.refit import Refit
from arena.audit.verification import (
    BOT,
    DAMAGED,
    RATING,
    RULES,
    SECRET,
    TABLE,
    TIME,
    Finding,
    Unchecked,
    Verification,
)
from arena.errors import ArenaError, UsageError
from arena.league.files import Source, check_source
from arena.model import StoredPlan, Week
from arena.progress import SILENT, OutOfTime, Progress, take_until
from arena.schedule.order import make_schedules
from arena.store.chunk import split_games
from arena.store.history import read_weeks
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, load_secret
from arena.store.schema import find_files
from arena.store.store import Store
from arena.system.folders import SUMS, find_wrong_sums
from arena.system.parallel import map_in_processes
from arena.tables.results import HISTORY, compute_standings, make_history
from arena.words import amount, every

BYTES_AT_ONCE = 4 << 20  # of the records that a process takes: usual ones have a quarter of it

SECONDS, A_GAME_S = 600.0, 0.05
"""The seconds that verifying takes at most, and as many for each stored game. With a million games
and a year of weeks a slow machine takes a third of that; a stranger's small file can ask for days.
"""


class _Work(NamedTuple):
    """A verification at work, with all that it has found so far."""

    store: Store
    steps: Progress
    end_s: float  # of the monotonic clock
    findings: list[Finding]
    unchecked: list[Unchecked]
    late: list[str]  # parts that there was no time for

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.end_s

    def find(self, kind: str, parts: Iterable[tuple[str, str]]) -> None:
        """Add findings of a kind: (location, message)."""
        self.findings.extend(Finding(kind, *part) for part in parts)


class _Files(NamedTuple):
    """The files beside a store, as far as they were checked."""

    compared: Compared = Compared()
    weeks: Sequence[tuple[Week, Rated]] = ()
    remade: Sequence[Remade] = ()
    refits: list[Refit] = []


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
    stored = 0 if problems else store.count()  # else queries that look at all might have no end
    seconds = SECONDS + A_GAME_S * stored if seconds is None else seconds
    work = _Work(store, steps, began_s + seconds, findings, [], [])
    known = find_evidence(store, plan, given)
    if known.secret is None:
        work.unchecked.append(Unchecked("deals", "no secret"))
    work.find(DAMAGED, _of_store(store))
    work.find(SECRET, known.problems)
    work.find(BOT, _of_bots(store))
    games, left_out = _check_games(work, plan, known.secret, stored)
    files = _Files()
    if not problems and work.is_late:
        work.late.extend([f"{stored - games:,} of {stored:,} games"] * (games < stored))
        work.late.extend(["tables", "weeks", "exported files", "ratings"])
    elif not problems:
        if games != stored:
            loss = f"{stored:,} games are stored, {games:,} are readable"
            work.find(DAMAGED, [(STORE, loss)])
        files = _check_files(work, None if known.problems else known.secret)
    _name_strangers(work, files)
    if work.late:
        more = f"give more with --seconds {math.ceil(2 * seconds)}"
        message = f"over before {every(work.late)} were checked; {more}"
        findings.insert(0, Finding(TIME, "time", message))
    grown = sum(rated.problem is None for _, rated in files.weeks)
    return Verification(
        games=games,
        games_outside_tables=left_out,
        planned_games=sum(map(len, make_schedules(plan).values())),
        deals_checked=known.secret is not None,
        secret_source=known.source if known.secret is not None else "",
        seed_given=plan.seed_given,
        commitment=known.commitment,
        public_copy=store.public,
        compared_files=files.compared.files,
        remade_files=[file.name for file in files.remade if not file.reason],
        byte_for_byte=files.compared.exact,
        rounding_differences=files.compared.rounding,
        rating_checks=files.refits,
        findings=findings,
        weeks_checked=len(files.weeks) - grown,
        weeks_not_compared=grown,
        unchecked=work.unchecked,
    )


def _of_store(store: Store) -> Iterator[tuple[str, str]]:
    if not store.public and load_secret(store) is None:
        yield STORE, "the secret of the deals is missing"
    log = find_files(store.path)[1]
    if store.public and log.exists() and log.stat().st_size:
        yield (
            STORE,
            f"{log.name} changes what others read of the store, which is one file; remove it and "
            f"verify again",
        )


def _of_bots(store: Store) -> Iterator[tuple[str, str]]:
    for bot in store.bots():
        try:
            source = store.source_of(bot)
        except ArenaError as error:
            yield bot.name, str(error)
            continue
        if source is None:
            if not store.public:
                yield bot.name, "its source is missing"
        elif problem := check_source(Source(source), bot.hash):
            yield bot.name, problem


def _check_games(
    work: _Work, plan: StoredPlan, secret: bytes | None, stored: int
) -> tuple[int, int]:
    """Judge the games by the rules; returns how many there are, and how many are in no table."""
    count = left_out = 0
    work.steps.begin("checking games by the rules", stored)
    pieces = split_games(work.store.games(), BYTES_AT_ONCE)
    judged = map_in_processes(partial(judge_games, plan, secret), pieces)
    for wrong, others, looked in take_until(work.end_s, judged):
        for id, what in wrong:
            work.find(DAMAGED if what == DAMAGE else RULES, [(f"game {id}", what)])
        count += looked
        left_out += others
        work.steps.done(looked)
    return count, left_out


def _check_files(work: _Work, secret: bytes | None) -> _Files:
    """`secret` is the one that the deals come from; None if none is proven."""
    store, steps, end_s, files = work.store, work.steps, work.end_s, _Files()
    stored_weeks, damaged = read_weeks(store)
    weeks = [one.week for one in stored_weeks]
    work.find(TABLE, (("history", line) for line in damaged))
    try:
        document = compute_standings(store, steps=steps)
        files = files._replace(compared=compare_published(store, document, weeks))
        steps.begin("rating the weeks again")
        rated = take_until(end_s, compare_weeks(store, stored_weeks, document))
        files = files._replace(weeks=[*zip(weeks, rated, strict=False)])
        if not work.is_late:
            steps.begin("making exported files again")
            files = files._replace(remade=[*take_until(end_s, compare_exported(store, secret))])
    except UNSOUND as error:
        work.find(TABLE, [("tables", f"cannot be recomputed from the stored games ({error})")])
        return files
    if work.is_late:
        work.late.append("exported files")
    work.find(TABLE, files.compared.problems)
    work.find(TABLE, ((file.name, file.problem) for file in files.remade if file.problem))
    try:
        for part in find_wrong_sums(store.path.parent, end_s):
            work.find(TABLE, [part])
    except OutOfTime as error:
        work.late.append(f"{SUMS} from {error} on")
    work.find(
        TABLE,
        (
            (f"{HISTORY}/{week.number:04}", rated.problem)
            for week, rated in files.weeks
            if rated.problem
        ),
    )
    parts = chain(files.compared.unchecked, *(rated.unchecked for _, rated in files.weeks))
    work.unchecked.extend(Unchecked(*part) for part in parts)
    work.unchecked.extend(Unchecked(file.name, file.reason) for file in files.remade if file.reason)
    if left := len(weeks) - len(files.weeks):
        work.late.append(f"{left:,} of {amount(len(weeks), 'week')}")
    if work.is_late:
        work.late.append("ratings")
        return files
    refits = refit.refit_store(store, steps)
    why = "the trueskill package's rating of {} differs by {:.3f} mu"
    wrong = (row for row in refits if row.mismatch)
    work.find(RATING, ((row.pool, why.format(row.bot, row.max_difference)) for row in wrong))
    return files._replace(refits=refits)


def _name_strangers(work: _Work, files: _Files) -> None:
    """Name as unchecked what lies beside the store, and was neither checked nor found wrong."""
    looked_at = {*files.compared.files, *make_history(week for week, _ in files.weeks)}
    looked_at |= {file.name for file in files.remade} | {SECRET_FILE, SUMS}
    looked_at |= {path.name for path in find_files(work.store.path)}
    looked_at |= {finding.location for finding in work.findings}
    looked_at |= {one.subject for one in work.unchecked}
    strangers = find_strangers(work.store.path.parent, looked_at)
    work.unchecked.extend(Unchecked(*stranger) for stranger in strangers)
