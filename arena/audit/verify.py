"""Checks of a results folder: nothing in it is taken on trust.

Every stored game is replayed by the rules, its deal is dealt again from the secret, its id made
again from what it is (`arena.audit.game_check`, in several processes); ratings and tables are made
again from the games and compared with the published files, and ratings also with those of the
`trueskill` package itself.
"""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from arena.audit import refit
from arena.audit.exported import (
    NO_TABLE,
    REASONS,
    WORD,
    Remade,
    compare_exported,
    find_strangers,
)
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
from arena.model import Bot, StoredPlan, Week
from arena.progress import SILENT, OutOfTime, Progress, take_until
from arena.schedule.order import make_schedules
from arena.store.chunk import split_games
from arena.store.history import read_weeks
from arena.store.plans import load_plan
from arena.store.public import load_secret
from arena.store.schema import find_files
from arena.store.store import Store
from arena.system.folders import SUMS, find_wrong_sums
from arena.system.locks import LOCK
from arena.system.parallel import map_in_processes
from arena.tables.results import (
    COPIES,
    FORMS,
    HISTORY,
    PROVENANCE,
    compute_standings,
    make_history,
)
from arena.words import amount, every, visible

BYTES_AT_ONCE = 4 << 20  # of the records that a process takes: usual ones have a quarter of it

SECONDS, A_GAME_S = 600.0, 0.05
"""The seconds that verifying takes at most, and as many for each stored game. With a million games
and a year of weeks a slow machine takes a third of that; a stranger's small file can ask for days.
Rating the games once, and checking ratings, are begun in time and ended: the plan bounds them.
"""


@dataclass
class _Work:
    """A verification at work, with all that it has found so far."""

    store: Store
    steps: Progress
    end_s: float  # of the monotonic clock
    findings: list[Finding]
    unchecked: list[Unchecked] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # parts that there was no time for
    compared: Compared = field(default_factory=Compared)
    weeks: Sequence[Week] = ()
    rated: Sequence[Rated] = ()  # of the first weeks, all if there was time
    remade: Sequence[Remade] = ()
    refits: list[Refit] = field(default_factory=list)

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.end_s

    def find(self, kind: str, parts: Iterable[tuple[str, str]]) -> None:
        """Add findings of a kind: (location, message)."""
        self.findings.extend(Finding(kind, *part) for part in parts)

    def leave(self, parts: Iterable[tuple[str, str]]) -> None:
        """Add what is not checked: (subject, reason)."""
        self.unchecked.extend(Unchecked(*part) for part in parts)


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
    work = _Work(store, steps, began_s + seconds, findings)
    known = find_evidence(store, plan, given)
    if known.secret is None:
        work.leave([("deals", "no secret")])
    work.find(DAMAGED, _of_store(store))
    work.find(SECRET, known.problems)
    bots = store.bots()
    checked = [*take_until(work.end_s, (_of_bot(store, bot) for bot in bots))]
    work.find(BOT, ((bot.name, what) for bot, what in zip(bots, checked, strict=False) if what))
    if left := len(bots) - len(checked):
        work.late.append(f"{left:,} of {amount(len(bots), 'bot')}")
    games, left_out = _check_games(work, plan, known.secret, stored)
    if not problems and work.is_late:
        work.late.extend([f"{stored - games:,} of {stored:,} games"] * (games < stored))
        work.late.extend(["tables", "weeks", "exported files", "ratings"])
    elif not problems:
        if games != stored:
            loss = f"{stored:,} games are stored, {games:,} are readable"
            work.find(DAMAGED, [(STORE, loss)])
        _check_files(work, None if known.problems else known.secret)
        _name_strangers(work)
    if work.late:
        more = f"give more with --seconds {math.ceil(2 * seconds)}"
        message = f"over before {every(work.late)} were checked; {more}"
        findings.insert(0, Finding(TIME, "time", message))
    grown = sum(rated.grown for rated in work.rated)
    return Verification(
        games=games,
        games_outside_tables=left_out,
        planned_games=sum(map(len, make_schedules(plan).values())),
        deals_checked=known.secret is not None,
        secret_source=known.source if known.secret is not None else "",
        seed_given=plan.seed_given,
        commitment=known.commitment,
        public_copy=store.public,
        compared_files=work.compared.files,
        remade_files=[file.name for file in work.remade if not file.reason],
        byte_for_byte=work.compared.exact,
        rounding_differences=work.compared.rounding,
        rating_checks=work.refits,
        findings=findings,
        weeks_checked=len(work.rated) - grown,
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


def _of_bot(store: Store, bot: Bot) -> str:
    """The problem of a bot's source; "" for none."""
    try:
        source = store.source_of(bot)
    except ArenaError as error:
        return str(error)
    if source is None:
        return "" if store.public else "its source is missing"
    return check_source(Source(source), bot.hash)


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


def _check_files(work: _Work, secret: bytes | None) -> None:
    """`secret` is the one that the deals come from; None if none is proven."""
    store, steps, end_s = work.store, work.steps, work.end_s
    stored_weeks, damaged = read_weeks(store)
    work.weeks = [one.week for one in stored_weeks]
    work.find(TABLE, ((HISTORY, line) for line in damaged))
    try:
        document = compute_standings(store, steps=steps)
        work.compared = compare_published(store, document, work.weeks)
        steps.begin("rating the weeks again")
        work.rated = [*take_until(end_s, compare_weeks(store, stored_weeks, document))]
        if not work.is_late:
            steps.begin("making exported files again")
            work.remade = [*take_until(end_s, compare_exported(store, secret))]
    except UNSOUND as error:
        work.find(TABLE, [("tables", f"cannot be recomputed from the stored games ({error})")])
        return
    work.find(TABLE, work.compared.problems)
    work.leave(work.compared.unchecked)
    places = make_history(work.weeks)
    for place, rated in zip(places, work.rated, strict=False):
        work.find(TABLE, [(place, rated.problem)] * bool(rated.problem))
        work.leave(rated.unchecked)
    told = {
        "the weeks' dates and labels": work.weeks,
        "authors": any(bot.author for bot in document.bots),
        "CPU times": any(file.name == "timing.csv" for file in work.remade),
    }
    work.leave((what, WORD) for what, shown in told.items() if shown)
    for file in work.remade:
        work.find(TABLE, [(file.name, file.problem)] * bool(file.problem))
        work.leave([(file.name, file.reason)] * bool(file.reason))
    if left := len(work.weeks) - len(work.rated):
        work.late.append(f"{left:,} of {amount(len(work.weeks), 'week')}")
    if work.is_late:
        work.late.append("exported files")
    try:
        for name, problem in find_wrong_sums(store.path.parent, end_s):
            work.find(TABLE, [(name, problem)])
    except OutOfTime as error:
        work.late.append(f"{SUMS} from {error} on")
    if work.is_late:
        work.late.append("ratings")
        return
    work.refits = refit.refit_store(store, steps)
    why = "the trueskill package's rating of {} differs by {:.3f} mu"
    wrong = (row for row in work.refits if row.mismatch)
    work.find(RATING, ((row.pool, why.format(row.bot, row.max_difference)) for row in wrong))


def _name_strangers(work: _Work) -> None:
    """Name what lies beside the store, and was not checked. Files in the folder of weeks are a
    finding, unless a week could not be read: they may belong to that one.
    """
    known = {*FORMS, *make_history(work.weeks)}
    known |= {file.name for file in work.remade}
    known |= {path.name for path in find_files(work.store.path)}
    known |= {
        COPIES,
        LOCK,
        SUMS,
        *(one.subject for one in work.unchecked if one.subject == PROVENANCE),
    }
    all_read = not any(one.location == HISTORY for one in work.findings)
    for name in find_strangers(work.store.path.parent, known):
        shown = visible(name)
        if name.startswith(f"{HISTORY}/") and all_read:
            work.find(TABLE, [(shown, "belongs to no week of the store; remove it")])
        else:
            work.leave([(shown, REASONS.get(name, NO_TABLE))])
