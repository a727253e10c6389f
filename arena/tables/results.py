"""The tables of a results folder: made from the games in its store, and written beside it.

`standings.*` hold what play determines and nothing else; what is measured goes to timing.csv and
provenance.json, so that equal games give equal standings on any machine.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from arena.errors import ArenaError
from arena.faults.reasons import in_short, publish
from arena.league.author import read_author
from arena.league.bots import ENTRY_FILE
from arena.model import Author, Limits, StoredPlan, Timing, Week, file_of
from arena.progress import SILENT, Look, Progress
from arena.schedule.line_ups import weigh_line_ups
from arena.schedule.order import Schedule, make_schedules
from arena.store.history import read_weeks
from arena.store.loads import read_loads
from arena.store.plans import load_plan
from arena.store.public import AUTHORS, load_commitment
from arena.store.store import Store, map_over_store
from arena.store.usage import read_timings
from arena.system.folders import read_inside, write_atomically
from arena.system.machine import result_versions
from arena.tables import cache, formats, page, terminal
from arena.tables.columns import Closes
from arena.tables.document import NotLoaded, Standings, group_identical
from arena.tables.formats import check_game, csv_of, select
from arena.tables.history import compare_with_week
from arena.typed_json import First, decode, encode
from arena.words import amount, escape_csv

if TYPE_CHECKING:  # numpy takes its time
    from arena.tables.pool_table import PlayedPool
    from arena.tables.standings import RatedPool

PROVENANCE = "provenance.json"
COPIES = "copies.txt"  # names them to the organiser alone: in no export, and on no page
HISTORY = "history"  # the folder of the weeks
MOST_BYTES = 1 << 16  # of it: ours has some 2 kB

FORMS = {
    "standings.md": "github", "standings.csv": "csv", "standings.json": "json",
    "standings.html": "html",
}  # fmt: skip
"""The published tables' files, with the format of each."""

LONGEST_JSON = 8192
"""Characters of JSON on the author of a bot; some take twelve each."""

RATE_APART = 20_000  # games from which on pools are rated, or scanned, in processes of their own
"""Fewer are rated here, at some 50 us a game, sooner than others have started to."""


class Provenance(msgspec.Struct, kw_only=True):
    """The time and machine of tables, as provenance.json holds them."""

    version: First = 1
    time: str = ""  # as ISO 8601 has it
    versions: dict[str, str] = {}
    machine: str = ""
    kernel: str = ""
    cores: int | None = None
    implementation: str = ""
    cpu_features: list[str] = []

    @property
    def date(self) -> str:
        """The day its tables were made, `2026-11-22`; "" where it is not known."""
        return self.time[:10]


def make_document(store: Store, game: str | None = None, steps: Progress = SILENT) -> Standings:
    """The standings of the stored games that the stored plan names; of one game alone, if given,
    and then nothing else is rated. Raises UsageError if that game is in no pool.

    Standings that were made before from the same content come from the user's cache;
    `compute_standings` always rates.
    """

    def content() -> Iterator[bytes]:
        plan = load_plan(store)
        shown = find_authors(store, plan), load_commitment(store, plan), _closes(plan)
        not_loaded = _find_not_loaded(store, plan)
        plan = plan._replace(run_began=None)  # the moment of the run
        yield encode((plan, shown, game, not_loaded, sorted(map(str, store.damaged)))).encode()
        yield from store.content()

    return cache.remember(
        content, Standings, lambda: select(compute_standings(store, game, steps), game)
    )


def compute_standings(
    store: Store,
    game: str | None = None,
    steps: Progress = SILENT,
    plan: StoredPlan | None = None,
) -> Standings:
    """The same standings, rated; or those of another `plan`, such as that of a week: the store has
    its games still.
    """
    from arena.tables.standings import assemble_standings

    plan = plan or load_plan(store)
    if game is not None:
        check_game(plan.name, sorted({entry.pool.game for entry in plan.entries}), game)
    schedules = [games for pool, games in make_schedules(plan).items() if game in (None, pool.game)]
    anchors = {anchor.pool: anchor for anchor in plan.anchors}
    steps.begin(f"rating {amount(len(schedules), 'pool')}")
    schedules.sort(key=lambda games: -len(games))  # the largest first
    pieces = (
        (games, {"anchor": anchors.get(games.entry.pool), "not_ranked": plan.not_ranked})
        for games in schedules
    )
    pools = list(map_over_store(store, _rate, pieces, apart=store.count() >= RATE_APART))
    committed = load_commitment(store, plan)
    document = assemble_standings(
        plan.name, plan.seed_given, plan.confinement, plan.bots, pools, committed
    )
    authors = find_authors(store, plan)
    bots = tuple(replace(bot, author=authors.get(bot.name, UNSET)) for bot in document.bots)
    return replace(
        document,
        bots=bots,
        not_ranked=plan.not_ranked or UNSET,
        entries_close=_closes(plan) or UNSET,
        not_loaded=_find_not_loaded(store, plan) or UNSET,
    )


def _find_not_loaded(store: Store, plan: StoredPlan) -> tuple[NotLoaded, ...]:
    loads = read_loads(store, plan.bots)
    return tuple(
        NotLoaded(
            bot=name,
            reason=in_short(publish(load.why), file_of(name, name in plan.folders)),
            permanent=load.lasting,
        )
        for name, load in loads.items()
    )


def _closes(plan: StoredPlan) -> Closes | None:
    if plan.entries_close is None or plan.run_began is None:
        return None
    return Closes(plan.entries_close.isoformat(), plan.run_began < plan.entries_close)


def find_authors(store: Store, plan: StoredPlan) -> dict[str, Author]:
    """The authors of bots, by name, of those whose authors the plan shows. A published copy
    has it beside the games.
    """
    shown = {bot.name: bot for bot in plan.bots if bot.name in plan.show_authors}
    authors = dict[str, Author]()
    if shown and store.public:
        with suppress(ValueError):
            text = str(store.meta(AUTHORS) or "{}")
            if len(text) <= len(plan.bots) * LONGEST_JSON:  # longer is no copy of Arena's
                authors = decode(text, dict[str, Author])
    for name, bot in () if store.public else shown.items():
        with suppress(ArenaError):  # its source is damaged, which `arena verify` says
            files = dict(store.source_of(bot) or ())
            authors[name] = read_author(files.get(ENTRY_FILE, b""))
    return {bot: author for bot, author in authors.items() if bot in shown and author != Author()}


def _rate(store: Store, piece: tuple[Schedule, dict[str, Any]]) -> "RatedPool":
    from arena.tables.pool_table import rate_pool

    games, terms = piece
    return rate_pool(_read_pool(store, games)._replace(**terms), games.entry)


def look_at_pool(store: Store, games: Schedule) -> Look:
    """Look at a pool that is to be settled, or recall what the same look said before."""

    def content() -> Iterator[bytes]:
        yield encode(games.entry).encode()
        for outcome in store.outcomes(games.entry.pool, games.holds):
            yield encode(outcome).encode()

    def look() -> Look:
        from arena.sequential.looks import make_look
        from arena.tables.pool_table import rate_pool

        pool = rate_pool(_read_pool(store, games))
        of_two = pool.differing, pool.same
        return make_look(games.entry, pool.rated.ratings, pool.part.games, *of_two)

    return cache.remember(content, Look, look)


def _read_pool(store: Store, schedule: Schedule) -> "PlayedPool":
    from arena.tables.pool_table import PlayedPool

    entry, pool = schedule.entry, schedule.entry.pool
    numbers = map(schedule.line_ups.number, store.unplayed_line_ups(pool))
    unplayed = sum(number is not None for number in numbers)
    games = store.outcomes(pool, schedule.holds)
    names = tuple(bot.name for bot in entry.bots)
    same = group_identical(entry.bots)
    drawn = weigh_line_ups(entry)
    played = PlayedPool(
        pool=pool,
        names=names,
        shared=entry.shared_decks,
        not_played=unplayed,
        games=games,
        same=same,
        drawn=drawn,
    )
    return played._replace(records=partial(store.lines, pool, schedule.holds))


def format_tables(
    document: Standings,
    form: str,
    width: int = 80,
    ascii: bool = False,
    weeks: Sequence[Week] = (),
) -> str:
    """Write standings as `plain` text (in lines of at most `width`, 60 or more; bars in ASCII if
    asked), `github` Markdown, `csv`, `json`, `html`, `latex`, as `short` JSON, as their `first`
    table for the end of a run, or as `all` columns. On a terminal the first table has the places in
    the last of the league's `weeks` before these tables.
    """
    if form == "html":
        return page.html(document)
    before = compare_with_week(document, weeks, ascii)
    drawn: dict[str, Any] = {"width": width, "ascii": ascii, "before": before}
    forms: dict[str, Callable[[Standings], str]] = {
        "plain": partial(terminal.plain, **drawn),
        "first": partial(terminal.first_screen, **drawn),
        "all": partial(terminal.plain, **drawn, every=True),
        "github": formats.markdown, "csv": formats.csv, "json": formats.json,
        "latex": formats.latex, "short": formats.short,
    }  # fmt: skip
    return forms[form](document)


def load_makers() -> None:
    """Load what tables are made with, which takes 0.2 s: for callers that have to wait anyway."""
    from arena.tables import pool_table  # noqa: F401

    page.page_environment((page.HERE,)).get_template("standings.html")


def publish_tables(store: Store, folder: Path, document: Standings, now: datetime) -> list[Path]:
    """Write all files of a tournament, each whole or not at all; return their paths."""
    texts = cache.remember(
        lambda: [encode(document).encode()], dict[str, str], lambda: make_files(document)
    )
    texts["timing.csv"] = timing_csv(read_timings(store), load_plan(store).limits)
    texts[PROVENANCE] = write_provenance(now)
    for name, text in make_history(one.week for one in read_weeks(store)[0]).items():
        if not _is_there(folder, name, text.encode()):  # old weeks are, mostly: many small files
            texts[name] = text
    for name, text in texts.items():
        with write_atomically(folder, name) as stream:
            stream.write(text.encode())
    return [folder / name for name in texts]


def _is_there(folder: Path, name: str, content: bytes) -> bool:
    with suppress(OSError):
        return read_inside(folder, name, len(content) + 1) == content
    return False


def make_files(document: Standings) -> dict[str, str]:
    """The published tables by file name: only what play determines."""
    return {name: format_tables(document, form) for name, form in FORMS.items()}


def make_history(weeks: Iterable[Week]) -> dict[str, str]:
    """The published weeks by file name: `history/0001.json`."""
    return {f"{HISTORY}/{week.number:04}.json": encode(week) + "\n" for week in weeks}


def timing_csv(timings: Iterable[Timing], limits: Limits) -> str:
    """timing.csv as text: CPU time in s, and by decision in µs, loading and all else included."""
    lines: list[Sequence[object]] = [
        ("game", "players", "options", "partners", "bot", "decisions", "cpu_s",
         "cpu_us_per_decision", "worst_batch_us_per_decision", "limit_us_per_decision")
    ]  # fmt: skip
    for pool, bot, decisions, cpu_s, worst_s in timings:
        mean_us = f"{cpu_s / decisions * 1e6:.1f}" if decisions else ""
        of_whom = [escape_csv(str(part)) for part in (*pool, bot)]
        times = f"{cpu_s:.3f}", mean_us, f"{worst_s * 1e6:.1f}", limits.cpu_ms * 1000
        lines.append((*of_whom, decisions, *times))
    return csv_of(lines)


def cpu_features() -> list[str]:
    """The features of the CPU that numpy computes with here, by numpy's names: last digits depend
    on them.
    """
    import numpy

    features = numpy.show_config(mode="dicts")["SIMD Extensions"]  # without lists that are empty
    return [*features.get("baseline", ()), *features.get("found", ())]


def read_provenance(folder: Path) -> Provenance | None:
    """Read a results folder's provenance; None where there is none, as beside a lone store. Raises
    OSError or ValueError where it cannot be read: it may be a stranger's.
    """
    try:
        return decode(read_inside(folder, PROVENANCE, MOST_BYTES), Provenance)
    except FileNotFoundError:
        return None


def write_provenance(now: datetime) -> str:
    """The time and machine of the tables, as JSON."""
    origin = Provenance(
        time=now.astimezone(UTC).isoformat(timespec="seconds"),
        versions=result_versions(),
        machine=platform.machine(),
        kernel=f"{platform.system()} {platform.release()}",
        cores=os.cpu_count(),
        implementation=sys.implementation.name,
        cpu_features=cache.remember(lambda: (), list[str], cpu_features),  # of this machine
    )
    return msgspec.json.format(msgspec.json.encode(origin), indent=2).decode() + "\n"
