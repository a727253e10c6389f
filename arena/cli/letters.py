"""The letters of `arena check --letters`: what an author needs first, then the report."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from arena.cli.options import open_store, results_at
from arena.cli.progress import Display
from arena.cli.terminal import near, say
from arena.errors import UsageError
from arena.words import amount, every, possessive, visible

if TYPE_CHECKING:
    from arena.author.check_report import Checked
    from arena.model import Week
    from arena.progress import Progress
    from arena.site.stats import ListedGame
    from arena.store.store import Store
    from arena.tables.document import Standings

MOST_TEXT = 1 << 16  # bytes of a teacher's words
WIDTH = 78


class League(NamedTuple):
    """The results that letters are about."""

    store: "Store"
    document: "Standings"
    weeks: list["Week"]
    lessons: dict[str, "ListedGame"]  # by bot


Post = Callable[[str, "Checked | None", str], None]
"""Writes a bot's letter: of what was checked, or of the problem for which it could not be."""


@contextmanager
def open_letters(
    folder: Path | None, bots: Iterable[str], results: Path | None, text: Path | None
) -> Iterator[Post]:
    """Give what writes letters, over earlier ones; nothing where there is no folder for them.

    Raises UsageError where another file lies at a letter's place.
    """
    if folder is None:
        if results or text:
            raise UsageError("--results, --with-text: need --letters DIR")
        yield lambda bot, checked, problem: None
        return
    for bot in bots:
        _find_letter(folder, bot)  # before checks that take long
    words, league = _read_text(text) if text else [], None
    with ExitStack() as opened:
        if results:
            store = opened.enter_context(open_store(results_at(results)))
            with Display() as steps:
                league = _read_league(store, steps)
        yield partial(_write_letter, folder, words, league)
    say(f"Letters: {near(folder)}/")


def _write_letter(
    folder: Path, words: list[str], league: League | None, bot: str, checked: "Checked | None",
    problem: str,
) -> None:  # fmt: skip
    from msgspec.structs import replace

    from arena.author.check_report import format_report, verdict
    from arena.league.bots import HOUSE_BOTS
    from arena.system.folders import write_atomically

    if checked and HOUSE_BOTS.get(bot) == checked.hash:
        return
    if checked and league:  # which says its place
        checked = replace(checked, rough_places=(), not_placed_reason=None)
    path, first = _find_letter(folder, bot)
    folder.mkdir(parents=True, exist_ok=True)
    begins = wrap(verdict(checked), WIDTH) if checked else [problem]
    report = format_report(checked, WIDTH)[: -len(begins) - 1] if checked else []
    parts = [
        [first], words, begins, [*_describe_league(league, bot)] if league else [], report,
        [f"To try it yourself: arena check {bot}"],
    ]  # fmt: skip
    lines = [line for part in parts if part for line in ("", *part)][1:]
    with write_atomically(folder, path.name) as stream:
        stream.write("".join(f"{visible(line)}\n" for line in lines).encode())


def _find_letter(folder: Path, name: str) -> tuple[Path, str]:
    """The place of a bot's letter, and how it begins. Raises UsageError where another file lies."""
    from arena.system.folders import read_ordinary_file

    path, first = folder / f"{name}.txt", f"Arena's letter to {name}"
    if os.path.lexists(path) and (
        path.is_symlink() or read_ordinary_file(path, len(first) + 1) != f"{first}\n".encode()
    ):
        raise UsageError(f"--letters: {path}: not a letter by Arena; move it, or name another DIR")
    return path, first


def _read_text(path: Path) -> list[str]:
    """The lines of a teacher's words. Raises UsageError."""
    from arena.system.folders import read_ordinary_file

    try:
        return read_ordinary_file(path, MOST_TEXT).decode("utf-8-sig").rstrip().splitlines()
    except (OSError, UnicodeError) as error:
        raise UsageError(f"--with-text: {path}: cannot be read ({error})") from None


def _read_league(store: "Store", steps: "Progress") -> League:
    """Read what letters say of a league."""
    from arena.site.stats import find_lessons
    from arena.store.history import read_weeks
    from arena.tables.results import make_document

    week_files, _ = read_weeks(store)
    document = make_document(store, steps=steps)
    weeks = [file.week for file in week_files]
    return League(store, document, weeks, find_lessons(store, document))


def _describe_league(league: League, bot: str) -> Iterator[str]:
    """Yield a bot's place and move, its worst game, an advice and the deadline."""
    from games import title

    results = near(league.store.path.parent)
    if bot not in {entrant.name for entrant in league.store.bots()}:
        yield f"{bot} has not played in {results} yet."
        return
    yield from _describe_place(league, bot)
    if told := [
        f"{row.ladder} in {title(one.game)}"
        for one in league.document.games
        for row in one.table
        if row.bot == bot and isinstance(row.ladder, int)
    ]:
        yield f"Points for the ladder, of 100: {every(told)}."
    rows = [row for pool in league.document.pools for row in pool.table if row.bot == bot]
    forfeits, games = sum(row.faults_total for row in rows), sum(row.games for row in rows)
    if lesson := league.lessons.get(bot):
        game, others = lesson.game, sorted({*lesson.game.bots} - {bot})
        yield f"A game to learn from: {lesson.pool}, {game.id[:8]}, against {every(others)}."
        yield f"    arena explain {results} {game.id[:8]}:{bot}"
        yield f"    arena replay {results} {game.id[:8]}"
        yield from _find_link(league.store.path.parent / "site", game.id)
    if forfeits:
        yield f"Mend first why it forfeited {forfeits:,} of {amount(games, 'game')}:"
        yield f"    arena faults {results} {bot}"
    elif rows:
        yield f"To try: rules that would make {possessive(bot)} games better:"
        yield f"    arena explain {results} {bot}"
    if closes := league.document.entries_close:
        yield f"Deadline for changes: {closes.time.replace('T', ' ')}"


def _find_link(site: Path, id: str) -> Iterator[str]:
    """Yield where a site that was made beside the results shows a game, if it does."""
    for lists in sorted(site.glob("games*.html")):
        if shown := re.search(rf"watch[-\d]*\.html#{id}", lists.read_text("utf-8")):
            yield f"    or on the league's site: {shown[0]}"
            return


def _describe_place(league: League, bot: str) -> Iterator[str]:
    from arena.site.sentence import summarize
    from arena.tables.history import find_places, trace_places
    from arena.tables.notes import ordinal

    weeks = league.weeks
    if not weeks:
        return
    places = trace_places(weeks, bot)
    (name, now), before = places[-1], places[-2][1] if places[1:] else None
    where = f"in {name}" if weeks[-1].label else f"on {name}"
    if now is None:
        yield f"{where[:1].upper()}{where[1:]}: {summarize(league.document, bot, ())}"
        return
    move = ""
    if before is not None:
        way = "up" if before > now else "down"
        move = f", {way} from {ordinal(before)}" if before != now else ", as the time before"
    yield f"Place {where}: {ordinal(now)} of {len(find_places(weeks)[-1]):,}{move}."
