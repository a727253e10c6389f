"""The commands of a whole season: `arena history`, `arena backup` and `arena season close`."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from arena.cli.commands import LEAGUE, Answer, command
from arena.cli.consent import PACKED
from arena.cli.options import Results, WithSources, argument, flag, open_store, say_unread
from arena.cli.progress import Display
from arena.cli.terminal import confirm, fit_table, near, out, say, width
from arena.cli.tournament import say_commitment
from arena.errors import ArenaError, UsageError
from arena.faults.kinds import name_kind
from arena.words import amount, not_one_of, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.model import StoredPlan, Week
    from arena.store.store import Store
    from arena.tables.history import History

HASH = 8  # digits of a version's hash


@command(LEAGUE)
def history_command(
    results: Results,
    bot: str | None = argument("BOT", "Name of a bot (default: all weeks).", default=None),
) -> Answer:
    """Show a league's weeks, or a bot's places and versions by week.

    Example: arena history first
    Example: arena history first champion --json
    Exit codes: 0; 1; 2; 130
    """
    from arena.store.history import list_versions, read_weeks
    from arena.store.plans import load_plan
    from arena.tables.history import collect_history, select_bot

    with open_store(results, counts=False) as store:
        plan, (week_files, damaged) = load_plan(store), read_weeks(store)
        say_unread(*damaged)
        weeks = [file.week for file in week_files]
        history = collect_history(plan.name, weeks, list_versions(store))
        if bot is not None:
            names = sorted({version.bot for version in history.versions})
            if bot not in names:
                raise UsageError(f"BOT: {not_one_of(bot, names)}")
            history, author = select_bot(history, bot), _author_of(store, plan, bot)

    def show() -> None:
        if bot is not None:
            _show_bot(bot, history, weeks)
            out(*author)
        elif not weeks:
            say("No week is kept yet: `arena tournament` keeps one once all its games are played.")
        else:
            _show_weeks(weeks, [entrant.name for entrant in plan.bots])

    return Answer(history, show)


def _author_of(store: "Store", plan: "StoredPlan", bot: str) -> list[str]:
    """The docstring of the bot of the last run, whether that may be published or not."""
    from arena.tables.results import find_authors

    every = plan if store.public else plan._replace(show_authors=(bot,))
    known = "" if bot in plan.show_authors else " (not published)"
    authors = find_authors(store, every)
    return [f"its docstring{known}: {authors[bot].in_words}"] if bot in authors else []


def _show_weeks(weeks: "Sequence[Week]", bots: "Sequence[str]") -> None:
    from arena.tables.history import describe_moves, find_gone, find_places
    from arena.tables.terminal import wrap_texts

    head = ("week", "day", "bots", "games", "first three", "since the week before")
    rows = [
        (week.name, week.day, f"{len(week.bots):,}", f"{week.games:,}",
         ", ".join([*find_places([week])[0]][:3]), describe_moves(before, week) if before else "")
        for before, week in zip([None, *weeks], weeks, strict=False)
    ]  # fmt: skip
    out(f"Places are those of the first table, {weeks[-1].tables[0].title}.", "")
    out(*fit_table(head, rows, ("games", "bots"), ("week", "first three", head[-1])))
    if gone := find_gone(weeks, bots):
        last = (f"{bot} (last in {week.dated})" for bot, week in gone.items())
        out("", *wrap_texts([f"Removed: {', '.join(last)}."], width()))


def _show_bot(bot: str, history: "History", weeks: "Sequence[Week]") -> None:
    from arena.tables.history import trace_places

    if weeks:
        places = " ".join(str(place or "-") for _, place in trace_places(weeks, bot))
        what = f"{bot}: {amount(len(history.weeks), 'week')} of {len(weeks):,}"
        out(what, f"places by week, {weeks[-1].tables[0].title}: {places}", "")
    dated = {week.name: week.dated for week in weeks}
    rows = [
        (version.hash[:HASH], dated.get(version.first_week or "", "in no week"),
         dated.get(version.last_week or "", "in no week"), f"{version.games:,}",
         ", ".join(f"{name_kind(kind)} {n:,}" for kind, n in version.faults.items()) or "none")
        for version in history.versions
    ]  # fmt: skip
    heads = ("version", "first week", "last week", "games ever", "forfeited")
    out(*fit_table(heads, rows, (), ("first week", "last week", "forfeited")))
    for version in history.versions:
        if version.other_names:
            out(f"{version.hash[:HASH]}: same files as {', '.join(version.other_names)}")


@command(LEAGUE)
def backup_command(
    results: Results,
    to: Path = argument("TO", "Folder to make the backup in, best on another disk."),
) -> None:
    """Copy results to a safe place, also while their tournament runs.

    Example: arena backup first backups
    Exit codes: 0; 1; 2; 130
    """
    from arena.export.backup import make_backup
    from arena.system.machine import read_clock

    with open_store(results) as store, Display() as steps:
        backup = make_backup(store, to, read_clock(), steps)
        folder = near(store.path.parent)
    out(f"{backup.place}  {size(backup.size)}")
    if backup.secret:
        say("It holds the secret of the deals: keep it private.")
    say("It lacks the config and bots/: copy these too.")
    say(f"To restore: move {folder} away, and copy this folder to {folder}.")


@command(LEAGUE)
def season_command(
    action: Annotated[str, argument("close", "What to do with the season.")],
    results: Results,
    yes: bool = flag("--yes", "Do not ask for confirmation."),
    with_sources: WithSources = False,
) -> None:
    """End a season: final tables, its secret, an archive; and begin the next.

    Example: arena season close first
    Exit codes: 0; 1 declined, or the command failed; 2 wrong usage, or no terminal and no --yes;
    130
    """
    if action != "close":
        raise UsageError(f"arena season: {not_one_of(action, ['close'])}")
    from arena.audit.verify import verify_store
    from arena.export.files import export
    from arena.model import WALLS
    from arena.runner.season import close_season, find_closed, find_season
    from arena.store.store import Store
    from arena.system.machine import read_clock

    if archive := find_closed(results):
        say(f"{near(results)}: no game of this season yet; the last one is in {near(archive)}")
        return
    now, season = read_clock(), find_season(results, reveals=False)
    if season.missing:
        left = amount(season.missing, "game")
        raise UsageError(f"{season.folder}: {left} left; run `arena tournament` first")
    warning = [
        f"{season.folder}: closing ends the season for good: its secret is published, and no more "
        "games are played with it."
    ]
    if with_sources:
        warning.append(
            "The archive has every bot's source as its author wrote it, names of authors too."
        )
    if not (season.revealed or yes):
        confirm(warning, "Close the season?", "Nothing was closed")

    def fill(store: "Store", draft: Path) -> None:
        export(store, draft, with_sources, now, steps)
        with closing(Store.open_damaged(draft.resolve())) as copy:
            findings = verify_store(copy, steps).findings
        if findings:
            first = f"{findings[0].location}: {findings[0].message}"
            raise ArenaError(f"{store.path}: the archive is not true ({first}); run `arena verify`")

    with Display() as steps:
        closed = close_season(season, now, fill, steps)
    out(str(closed.archive))
    if season.plan.confinement != WALLS:
        say(PACKED)
    say(f"Last season's results are now {near(closed.results)}.")
    if closed.commitment:
        say_commitment(closed.commitment, "Commitment of the next season")
    if season.plan.entries_close:
        say(f"Change `entries_close` in the config: it is {season.plan.entries_close}.")
    say(f"Publish {near(closed.archive)}. To check it: arena verify {near(closed.archive)}")
