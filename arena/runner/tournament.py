"""A tournament from its config to its tables: the schedule, less what is stored, is played.

Running again is resuming: what is stored is never played again, and nothing depends on when, in
what order or on how many workers it was played.

The secret that all deals come from is drawn at the first start and kept in the store alone
(`arena.runner.season` reveals it).
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena import ids
from arena.errors import ArenaError, UsageError
from arena.league.files import sweep_snapshots
from arena.model import Mirrored, StoredPlan, Timing, Week
from arena.plan.plan import Plan
from arena.progress import Progress, count_items
from arena.runner import run
from arena.runner.executor import Hire
from arena.runner.loads import hire_here
from arena.runner.season import FINAL
from arena.schedule.choices import make_choices
from arena.sequential.stages import is_test_replanned, take_all_deals
from arena.store.history import check_label, keep_week, read_weeks
from arena.store.opening import hold_folder
from arena.store.plans import keep_choices, load_choices, load_plan
from arena.store.public import is_revealed, load_commitment
from arena.store.scan import StoredGame
from arena.store.schema import FILE
from arena.store.store import Store
from arena.store.usage import read_timings, read_versions
from arena.system.folders import (
    find_free_path,
)
from arena.system.machine import result_versions
from arena.tables.document import Standings
from arena.tables.history import make_week
from arena.tables.results import make_document, publish_tables
from arena.words import amount


class Ended(NamedTuple):
    """The end of a run: its tables, and what is left."""

    document: Standings  # of all that is stored
    files: list[Path]  # published
    timings: list[Timing]  # what bots used, in all runs
    played: int  # games, in this run
    left: int  # games, not played yet
    stopped: bool  # by the user, before all was played
    weeks: list[Week]  # all that are kept, this run's last
    keeps_week: bool  # whether this run kept one


def play_tournament(
    plan: Plan,
    progress: Progress,
    now: datetime,
    label: str | None = None,
    committed: Callable[[str], None] = lambda commitment: None,
    hire: Hire = hire_here,
    enough: run.Enough = run.never,
) -> Ended:
    """Play what is missing, and publish the tables of all there is.

    Once all is played, the tables are kept as a week, with this label or, where it is "", by the
    day; None keeps none, as of a match. `committed` receives the commitment of a tournament that
    begins; `hire` makes the executor. `enough` is asked after each look whether to end there.
    Raises UsageError if the label is another week's, or the secret was revealed and games are
    missing.
    """
    sweep_snapshots()
    progress.say(*plan.left_out)
    at = now.isoformat(timespec="seconds")
    with closing(Store.create_or_open(plan.folder, progress.say)) as store:
        weeks, damaged = read_weeks(store)
        if label == FINAL:
            raise UsageError(f'--label: "{FINAL}" is for `arena season close`; choose another')
        check_label(label or "", [past.week for past in weeks])
        progress.say(*damaged)  # and nothing fails: no game and no table depends on them
        secret, stored = begin(plan, store, progress, committed)
        this = label or at[:10]  # the name of a week that this run keeps
        replaced = weeks[-1:] if weeks and weeks[-1].week.name == this else []
        stay = [past.plan for past in weeks if past not in replaced]
        numbers = [past.week.number for past in replaced]
        played, left, stopped = run.play_missing(
            plan, stored, store, secret, progress, hire, enough, stay, numbers
        )
        document = make_document(store, steps=progress)
        week = None
        # other tables cannot be made again, and a week without games would count none for ever
        if label is not None and not (left or stopped) and document.has_games:
            week = keep_week(store, make_week(document, at, label), load_plan(store))
        for last in (past.week for past in weeks[-1:]):
            if week and week.number == last.number and week.day != last.day:
                progress.say(f'"{last.name}" of {last.day} is replaced; --label names a new week')
        files = publish_tables(store, plan.folder, document, now)
        others = [past.week for past in weeks if not week or past.week.number != week.number]
        kept_weeks = [*others, week] if week else others
        used = read_timings(store)
        return Ended(
            document=document,
            files=files,
            timings=used,
            played=played,
            left=left,
            stopped=stopped,
            weeks=kept_weeks,
            keeps_week=week is not None,
        )


def begin(
    plan: Plan, store: Store, progress: Progress, committed: Callable[[str], None]
) -> tuple[bytes, StoredPlan]:
    """Fix the secret, and the plan with nothing left open. Choices and bots are noted in the store,
    the plan is not.
    """
    check_kind(store, plan)
    secret = find_secret(store, plan)
    if secret is None:
        secret = ids.new_secret() if plan.seed is None else ids.secret_from_seed(plan.seed)
        store.set_metas({"secret": secret, "seed_given": int(plan.seed is not None)})
    if plan.seed is None and not store.count():
        committed(ids.commit(plan.name, secret))
    check_may_play(store, plan)
    look_after(store, progress)
    for bot in plan.bots:
        store.keep_bot(bot, plan.sources[bot.name].files)
    entries, chosen = make_choices(plan.wanted, load_choices(store))
    keep_choices(store, chosen)
    stored = plan.make_stored(entries)
    with suppress(ArenaError):  # nothing was played yet, or by an unknown plan
        progress.say(*_warn_of_changes(store, load_plan(store), stored, plan.config))
    if plan.config:
        store.set_meta("config", os.path.relpath(plan.config, plan.folder))
    return secret, stored


def set_aside(folder: Path) -> Path | None:
    """Rename a tournament's results, to start over; return their new place, None without any.

    Raises UsageError if the folder is not ours, or is being played in.
    """
    if not folder.exists():
        return None
    if folder.name in ("", ".."):  # by that name play would go on in the old results
        what = "cannot be renamed from inside; name it by its path from another folder"
        raise UsageError(f"{folder}: {what}")
    with hold_folder(folder):
        written = datetime.fromtimestamp((folder / FILE).stat().st_mtime)
        stamp = f"{written:%Y%m%d-%H%M%S}"
        return folder.rename(find_free_path(folder.with_name(f"{folder.name}.{stamp}"), "."))


def _warn_of_changes(
    store: Store, last: StoredPlan, plan: StoredPlan, config: Path | None
) -> Iterator[str]:
    """Yield warnings where another config's tables go, the tournament is open again after it had
    closed, or it has another name than before, and so another commitment, and for pools whose test
    of being settled is not the one that was planned at first.
    """
    other = os.path.relpath(store.path.parent / str(store.meta("config")))
    if config and os.path.isfile(other) and not os.path.samefile(other, config):
        what = f"{config} replaces them; to keep both, give one config another `name`"
        yield f"{store.path.parent} holds the tables of {other}; {what}"
    opened = last.entries_close and plan.run_began and last.entries_close <= plan.run_began
    is_closed = plan.entries_close and plan.run_began and plan.entries_close <= plan.run_began
    if opened and not is_closed:
        yield f"Open again: it had closed at {last.entries_close}. Today's bots play."
    was, now = load_commitment(store, last), load_commitment(store, plan)
    if was != now:
        yield (
            f"warning: {last.name} is now called {plan.name}, which changes its commitment "
            f"to {now}; publish both, or restore the name"
        )
    before = {entry.pool: entry for entry in last.entries}
    for entry in plan.entries:
        if entry.pool in before and is_test_replanned(before[entry.pool], entry):
            of_config = isinstance(entry.shared_decks, bool)
            what = "`stop_confidence`" if of_config else "--games, --level or --with"
            yield (
                f"warning: {entry.pool.title}: {what} changed after results could be seen; the "
                "verdict is as certain as it says only if they had not been looked at"
            )
        last_entry = before.get(entry.pool, entry)
        old, new = take_all_deals(last_entry).deals, take_all_deals(entry).deals
        if new < old and len(entry.bots) > len(last_entry.bots):  # else the config asks for fewer
            what = f"a line-up now plays {amount(new, 'deal')}, not {old}"
            yield (
                f"warning: {entry.pool.title}: {what}; games of later deals do not count; a larger "
                "`max_games` or `deals` brings them back"
            )


def look_after(store: Store, progress: Progress) -> None:
    """Take out games that are damaged, of those that came or changed since the last look, and warn
    once if versions differ from those that played other games.
    """
    progress.begin("checking stored games")
    looked, damaged = 0, list[StoredGame]()
    for row in count_items(store.new_games(), progress):
        looked += 1
        if not row.sound:
            damaged.append(row)
    if damaged:
        store.drop(damaged)
        games = "game is" if len(damaged) == 1 else "games are"
        progress.say(
            f"{store.path}: {len(damaged):,} {games} damaged; those in the config are played again"
        )
    if looked:
        store.note_sound()
    ours = result_versions()
    parts = [f"{name} {versions[name]}" for versions in read_versions(store) for name in ours
             if versions.get(name, ours[name]) != ours[name]]  # fmt: skip
    warned = json.dumps([ours, parts])
    if parts and store.meta("warned") != warned:
        others = ", ".join(dict.fromkeys(parts))
        progress.say(
            f"warning: games here were played with {others}; bots may decide differently now"
        )
        store.set_meta("warned", warned)


def check_kind(store: Store, plan: Plan) -> None:
    """Raise UsageError where a match would go on in games of a tournament, of another kind of match
    or of one begun before decks and dice were shared in matches; or a tournament in a match's; or
    either in games whose bots were confined otherwise, as they have the same ids.
    """
    try:
        before = load_plan(store)
    except ArenaError:
        return  # nothing was played yet, or by an unknown plan
    kinds = [
        {entry.shared_decks for entry in entries if isinstance(entry.shared_decks, Mirrored)}
        for entries in (before.entries, [wanted.entry for wanted in plan.wanted])
    ]
    kind = "another kind (a tournament, another match, one with or without --field, or one begun "
    kind += "before its games shared dice)"
    if kinds[0] == kinds[1]:
        if before.confinement == plan.confinement or not store.count():
            return
        kind = f"bots {'outside' if plan.confined else 'in'} the sandbox, which are not mixed"
    raise UsageError(
        f"{plan.folder}: found games of {kind}; start over with --fresh, or choose another folder "
        "with --results"
    )


def find_secret(store: Store, plan: Plan) -> bytes | None:
    """The tournament's secret; None before the first start. Raises UsageError if the plan has
    another seed, ArenaError if the store has lost it.
    """
    secret = store.meta("secret")
    if secret is None and not store.count():
        return None
    if not ids.is_secret(secret):
        raise ArenaError(
            f"{store.path}: holds games, but not the secret of their deals; restore a copy, or "
            "start over with --fresh"
        )
    given = ids.secret_from_seed(plan.seed) if plan.seed is not None else None
    if given != secret and (given is not None or store.meta("seed_given")):
        raise UsageError(
            f"{plan.folder}: was played with another seed; restore that seed, or start over with "
            "--fresh"
        )
    return secret


def check_may_play(store: Store, plan: Plan) -> None:
    """Raise UsageError if the secret was revealed, and games of the plan are missing or damaged."""
    if not is_revealed(store):
        return
    damaged = sum(not row.sound for row in store.games())
    if damaged:
        raise UsageError(
            f"{store.path}: {amount(damaged, 'game')} damaged, and cannot be played again because "
            "the secret was revealed; restore a copy"
        )
    entries, _ = make_choices(plan.wanted, load_choices(store))
    if missing := run.next_missing(plan.make_stored(entries), store):
        raise UsageError(
            f"{plan.folder}: {amount(missing, 'game')} of its plan cannot be played, because the "
            "secret of the deals was revealed; finish closing its season with `arena season "
            "close`, start over with --fresh, or play in another folder with --results"
        )
