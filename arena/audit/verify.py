"""Whether a results folder is true: nothing in it is taken on trust.

Every stored game is replayed by the rules, its deal is dealt again from the secret
(`arena.audit.deals`), its id made again from what it is; ratings and tables are made again from the
games and compared with the published files, and ratings also with those of the `trueskill` package
itself. Games are looked at by several processes.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from arena.audit import published
from arena.audit.deals import Given, Origin, find_evidence, is_dealt
from arena.audit.legal_record import find_illegal
from arena.audit.published import Compared
from arena.audit.verification import (
    BOT,
    DAMAGED,
    RATING,
    RULES,
    SECRET,
    TABLE,
    Finding,
    Refit,
    Verification,
)
from arena.errors import ArenaError, UsageError
from arena.league.files import Source, check_source
from arena.progress import SILENT, Progress
from arena.schedule.order import make_schedules
from arena.store.plans import find_schedule, load_plan
from arena.store.public import load_secret
from arena.store.scan import StoredGame
from arena.store.store import Store
from arena.system import map_in_processes
from arena.tables.results import make_document
from games import FORFEIT

UNSOUND = (sqlite3.DatabaseError, ArenaError, LookupError, ValueError, TypeError)
"""What reading a store raises whose contents are not what they should be."""

BYTES_AT_ONCE = 4 << 20  # of their records: usual ones have a quarter of it
AT_ONCE = 512  # games that a process takes: as many are looked at while one starts


def verify_store(store: Store, steps: Progress = SILENT, given: Given = None) -> Verification:
    """Find what is wrong with a store, and with the files published beside it. What is `given` of
    its deals may raise UsageError (`deals.find_evidence`).
    """
    steps.begin("checking the file")
    problems = store.problems()  # before anything else: the rest might have no end
    findings = [Finding(DAMAGED, "database", problem) for problem in problems]
    if not store.ours:
        return _unread(findings)
    try:
        plan = load_plan(store)
    except UsageError:
        raise
    except ArenaError as error:
        return _unread([*findings, Finding(DAMAGED, "plan", str(error))])
    if not store.public and load_secret(store) is None:
        findings.append(Finding(DAMAGED, "database", "the secret that deals come from is missing"))
    known = find_evidence(store, plan, given)
    findings += [Finding(SECRET, place, what) for place, what in known.problems]
    findings += _bots(store)
    count = left_out = 0
    stored = 0 if problems else store.count()  # else queries that look at all might have no end
    steps.begin("judging games", stored)
    work = partial(examine, Origin(plan, known.secret))
    for found, others, looked in map_in_processes(work, _parts(store.games())):
        findings += found
        count += looked
        left_out += others
        steps.done(looked)
    compared, exact, refits = Compared([], 0, []), True, list[Refit]()
    if not problems:
        if count != stored:
            loss = f"{stored:,} games are stored, {count:,} can be read"
            findings.append(Finding(DAMAGED, "database", loss))
        compared, exact, refits, differing = _standings(store, steps)
        findings += differing
    planned = sum(map(len, make_schedules(plan).values()))
    return Verification(
        count,
        left_out,
        planned,
        known.secret is not None,
        known.source if known.secret is not None else "",
        plan.seed_given,
        known.commitment,
        store.public,
        compared.files,
        exact,
        compared.rounding,
        refits,
        findings,
    )


def _unread(findings: list[Finding]) -> Verification:
    """The verification of a store that could not be read."""
    return Verification(
        0, 0, 0, False, "", False, None, False, [], True, 0, [], findings, read=False
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


def _parts(rows: Iterable[StoredGame]) -> Iterator[list[StoredGame]]:
    part, size = list[StoredGame](), 0
    for row in rows:
        part.append(row)
        size += len(row.body)
        if len(part) == AT_ONCE or size > BYTES_AT_ONCE:
            yield part
            part, size = [], 0
    if part:
        yield part


def examine(origin: Origin, rows: list[StoredGame]) -> tuple[list[Finding], int, int]:
    """Find what is wrong with some games, and how many are not in the plan's tables."""
    findings, left_out = [], 0
    planned = make_schedules(origin.plan)
    for row in rows:
        place = f"game {row.id}"
        if not row.sound:
            damage = "is damaged: its checksum does not match"
            findings.append(Finding(DAMAGED, place, damage))
            continue
        schedule = find_schedule(planned, row)
        left_out += schedule is None
        shares = (False, True) if schedule is None else (schedule.entry.duplicate,)  # decks, or not
        problem = wrong_game(row, origin.secret, shares)
        if problem:
            findings.append(Finding(RULES, place, problem))
    return findings, left_out, len(rows)


def wrong_game(row: StoredGame, secret: bytes | None, shares: Iterable[bool]) -> str:
    """The first thing that is wrong with a sound game, or an empty string. Without the secret its
    deal is not looked at; `shares` are those of `deals.is_dealt`.
    """
    seating = json.loads(row.seating)
    if len(seating) != row.pool.players or set(seating) != set(range(len(row.line_up))):
        return f"its seating {row.seating} does not seat {len(row.line_up)} bots"
    problem, record = find_illegal(row)
    if problem:
        return problem
    differing = _row_differs(row, record)
    if differing:
        return differing
    if secret is not None and not is_dealt(secret, shares, row, record):
        return "its deal is not the one that the secret gives"
    return ""


def _row_differs(row: StoredGame, record: dict[str, Any]) -> str:
    """Where the row says something else than its record, or an empty string."""
    result = record["result"] or {}
    forfeits = [[at, entry[0]] for at, entry in enumerate(record["actions"]) if entry[1] == FORFEIT]
    pairs = {  # a body may say once more what its row says
        "game": (row.pool.game, record["game"]),
        "players": (row.pool.players, record["players"]),
        "options": (json.loads(row.pool.options), record["options"]),
        "faults": (sorted([at, seat] for seat, _, at in row.faults), forfeits),
        "ranks": (json.loads(row.ranks), result.get("ranks")),
        "scores": (json.loads(row.scores), result.get("scores")),
    }
    for part, (stored, recorded) in pairs.items():
        if stored != recorded:
            return f"its {part}: the store has {stored}, its record {recorded}"
    return ""


def _standings(store: Store, steps: Progress) -> tuple[Compared, bool, list[Refit], list[Finding]]:
    """How published files compare with recomputed ones, whether to the byte; how far the package's
    ratings are from ours, by pool; and what is wrong with either.
    """
    from arena.audit.refit import refit_store

    try:
        exact, unread = published.is_made_here(store)
        compared = published.compare_published(store, make_document(store, steps=steps), exact)
    except UNSOUND as error:
        problem = f"cannot be made of what is stored ({error})"
        return Compared([], 0, []), True, [], [Finding(TABLE, "tables", problem)]
    findings = [Finding(TABLE, name, problem) for name, problem in [*compared.problems, *unread]]
    by_the_package = refit_store(store, steps)
    findings += [_misrated(refit) for refit in by_the_package if refit.wrong]
    return compared, exact, by_the_package, findings


def _misrated(refit: Refit) -> Finding:
    gap = f"the trueskill package rates {refit.bot} {refit.difference:.3f} mu from where we do"
    return Finding(RATING, refit.pool, gap)
