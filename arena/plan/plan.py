"""The plan of a tournament: games, bots and folder, made from a config and a league."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena import words
from arena.errors import Unconfinable, UsageError
from arena.league.bots import BOTS, BotPath, find_bots, raise_problems
from arena.league.entries import read_entries, restore_entries
from arena.league.files import Source, explain_write_errors, find_place
from arena.model import (
    LEAST_DECKS,
    MOST_BOTS,
    MOST_GAMES,
    MOST_PAIRS,
    NONE,
    WALLS,
    Anchor,
    Bot,
    BotFiles,
    Entry,
    Limits,
    NotRanked,
    Pool,
    StoredPlan,
    Wanted,
)
from arena.plan import config as configs
from arena.plan.keys import ALL, GUESTS, AnchorKeys, Problem, UnrankedKeys
from arena.plan.ranked import find_further, find_not_ranked
from arena.plan.toml import KeyPath
from arena.schedule.seatings import count_decks_of_deal, count_seatings
from arena.sequential.stages import FIRST_DECKS, plan_stages
from arena.system.machine import choose_workers

LEAST_LINE_UPS = 3
"""Of a bot, where they are drawn: with two, samples of 12 of 19 sizes fell into groups that never
met, whose ratings cannot be compared; with three, none did (simulated with 6 to 60 bots)."""

Closed = Callable[[Path, datetime], tuple[StoredPlan, Iterable[BotFiles]] | None]
"""Finds in results the plan whose bots play once it has closed; None where none is kept."""


class Plan(NamedTuple):
    """The games to play, the bots that play them, and the folder of the results."""

    name: str
    folder: Path  # of the results
    seed: int | None
    workers: int
    limits: Limits
    confinement: str  # WALLS, or NONE by --unconfined
    wanted: tuple[Wanted, ...]
    sources: Mapping[str, Source]  # by bot's name
    pinned: bool = True  # whether a worker and its bots keep to one core
    left_out: tuple[str, ...] = ()  # of the league's folder: why, and what to do
    refused: Mapping[str, str] = {}  # bots that cannot be loaded, known without a try: why
    beside: frozenset[str] = frozenset()  # names of all that lies in the league's bots/
    folders: frozenset[str] = frozenset()  # bots that are no single files
    not_ranked: tuple[NotRanked, ...] = ()  # bots without a place on the day of the run, by name
    show_authors: tuple[str, ...] = ()  # bots whose authors are shown, by name
    show_code: tuple[str, ...] = ()  # bots whose code may be published, by name
    run_began: datetime | None = None  # when the run begins, or began that took these bots
    entries_close: datetime | None = None
    config: Path | None = None  # a tournament's file

    @property
    def confined(self) -> bool:
        """True if bots play behind the walls."""
        return self.confinement == WALLS

    @property
    def bots(self) -> list[Bot]:
        """All bots that enter any pool, by name."""
        return sorted({bot for wanted in self.wanted for bot in wanted.entry.bots})

    def make_stored(self, entries: tuple[Entry, ...]) -> StoredPlan:
        """The part of the plan that is kept with the games, once the entries are complete."""
        given = self.seed is not None
        anchors = tuple(wanted.anchor for wanted in self.wanted if wanted.anchor)
        entered = {bot.name for entry in entries for bot in entry.bots}
        return StoredPlan(
            name=self.name,
            seed_given=given,
            confinement=self.confinement,
            limits=self.limits,
            entries=entries,
            anchors=anchors,
            folders=tuple(sorted(self.folders & entered)),
            not_ranked=tuple(row for row in self.not_ranked if row.bot in entered),
            show_authors=self.show_authors,
            show_code=self.show_code,
            run_began=self.run_began,
            entries_close=self.entries_close,
        )


def plan_tournament(
    path: Path,
    now: datetime,
    results: Path | None = None,
    workers: int | None = None,
    confined: bool = True,
    pinned: bool = True,
    known: Callable[[Path], Mapping[str, Sequence[str]]] = lambda results: {},
    closed: Closed = lambda results, closes: None,
    guests: Callable[[Path], Collection[str]] = lambda results: (),
    ratings: Callable[[Path], Mapping[str, float]] = lambda results: {},
) -> Plan:
    """Plan the tournament of a config file, as of `now`; nothing is written. Raises UsageError.

    `results` replaces the tournament's results folder, `workers` the config's number of them;
    `pinned` overrides the config's `pin_cores` if it is False. Of entries with one name, the one
    plays by whose hash the results folder has `known` the bot. After the config's `entries_close`,
    the bots play that `closed` finds in it. `guests` gives the hashes of guests where the config's
    `house_bots` are some, `ratings` those by which an author's best bots are chosen. Raises
    Unconfinable if bots are to be confined and cannot be here.
    """
    config = configs.load_config(path)
    keys, folder = config.keys, config.folder
    results_folder = results or folder / "results" / config.name
    closes = keys.entries_close
    is_closed = closes and closes <= now
    last_run = closed(results_folder, closes) if closes and is_closed else None
    bot_paths, left_out = list[BotPath](), list[str]()
    with suppress(UsageError) if last_run else nullcontext():  # then files are compared, no more
        places = _places(config, ("bots",), keys.bots)
        bot_paths = find_bots(folder, keys.bots, places, left_out.append)
    entries = read_entries(folder, bot_paths, partial(known, results_folder))
    at, entered = now.replace(microsecond=0), dict[Pool, Sequence[Bot]]()
    if last_run:
        would = {bot.name for bot in last_run[0].bots}.union(
            *(_fitting(game.table.bots or keys.bots, entries.bots) for game in config.games)
        )
        here = [bot for bot in entries.bots if bot.name in would]
        entries = restore_entries(*last_run, str(closes), here)
        at = last_run[0].run_began or at
        entered = {entry.pool: entry.bots for entry in last_run[0].entries}
    else:
        entries.left_out.extend(left_out)
        if is_closed:
            what = "and no run was before that; today's bots play, also from now on"
            entries.left_out.insert(0, f"Closed since {closes}, {what}.")
    entries.left_out.extend(
        f"{config.place((key, n))}: {words.spell(glob)} matches no bot's name"
        for key in configs.SHOWN
        for n, glob in enumerate(getattr(keys, key))
        if not any(fnmatchcase(bot.name, glob.removeprefix("!")) for bot in entries.bots)
    )  # a bot may have left, so it is no error
    if confined:
        playing = (bot for bot in bot_paths if bot.name not in entries.refused)
        check_walls(path, *find_private(folder, results_folder, playing))
    unranked = [row for row in keys.unranked if row.until is None or now.date() < row.until]
    wanted = find_wanted(config, entries.bots, unranked, entered)
    entries.left_out.extend(_warn_of_few(config, wanted))
    hashes = guests(results_folder) if keys.house_bots == GUESTS else ()
    not_ranked = find_not_ranked(entries, unranked, hashes)
    not_ranked += find_further(config, entries, not_ranked, partial(ratings, results_folder))
    return Plan(
        name=config.name,
        folder=results_folder,
        seed=keys.seed,
        workers=workers or keys.workers or choose_workers(),
        limits=keys.limits,
        confinement=WALLS if confined else NONE,
        wanted=tuple(wanted),
        sources=entries.sources,
        pinned=pinned and keys.pin_cores,
        left_out=tuple(entries.left_out),
        refused=entries.refused,
        beside=frozenset(path.name for path in (folder / BOTS).glob("*")),  # it may be gone
        folders=frozenset(entries.sources.folders),
        not_ranked=tuple(sorted(not_ranked)),
        show_authors=_find_shown(entries.bots, keys.show_authors),
        show_code=_find_shown(entries.bots, keys.show_code),
        run_began=at,
        entries_close=closes,
        config=path,
    )


def _find_shown(bots: Iterable[Bot], globs: Sequence[str]) -> tuple[str, ...]:
    """The names of bots that the last glob which fits them includes."""
    fitting = {
        bot.name: [glob for glob in globs if fnmatchcase(bot.name, glob.removeprefix("!"))]
        for bot in bots
    }
    return tuple(bot for bot, its in fitting.items() if its and not its[-1].startswith("!"))


def find_wanted(
    config: configs.Config,
    bots: Sequence[Bot],
    unranked: Sequence[UnrankedKeys] = (),
    entered: Mapping[Pool, Sequence[Bot]] = {},
) -> list[Wanted]:
    """Plan each pool of the config, in its order, with the bots that enter it: those that
    `entered` it, or a pool of the same [[games]], before it closed.

    Raises UsageError naming every pool that has too few bots, or too few line-ups for them, and
    every bot that is `unranked` and not among these, each with its line, in the order of the lines.
    """
    wanted: list[Wanted] = []
    problems: list[tuple[int, str]] = []
    everybody = sorted(bot.name for bot in bots)
    at: KeyPath
    for row in (row for row in unranked if row.bot not in everybody):
        at = ("unranked", config.keys.unranked.index(row), "bot")
        near = words.nearest(row.bot, everybody)
        what = f"no bot {words.spell(row.bot)}; {f'write {near!r}, or ' if near else ''}remove it"
        problems.append((config.line(at), f"{config.place(at)}: {what}"))
    for index, game in enumerate(config.games):
        at = ("games", index)
        table, entrants = game.table, sorted(bots)
        before = next((entered[pool] for pool in game.pools if pool in entered), None)
        if before is not None:
            entrants = sorted(before)
        elif table.bots is not None:
            key = (*at, "bots")
            named = _fitting(table.bots, bots) if entered else set[str]()
            try:
                bot_paths = find_bots(config.folder, table.bots, _places(config, key, table.bots))
                named |= {bot.name for bot in bot_paths}
            except UsageError as error:
                if not entered:  # else files may be gone
                    problems += [(config.line(key), line) for line in error.args]
                    continue
            entrants = [bot for bot in entrants if bot.name in named]
        anchor = table.anchor or config.keys.anchor
        names = [bot.name for bot in entrants]
        wrong = [
            *_unplayable(game, at, names),
            *_unanchored(table.anchor, config.keys.anchor, at, names, everybody),
        ]
        problems += [
            (config.line(place), f"{config.place(place)}: {what}") for place, what in wrong
        ]
        for pool in game.pools:
            line_ups, deals = game.buy_line_ups(pool, len(entrants))
            entry = Entry(
                pool=pool,
                bots=tuple(entrants),
                deals=deals,
                seatings=table.seatings,
                shared_decks=bool(table.shared_decks),
            )
            if table.gauntlet:
                entry = entry._replace(fixed_bots=(table.gauntlet,))
            if table.stop_confidence:
                goal, within = table.goal or ALL, table.within_places or 0
                decks = count_decks_of_deal(entry, line_ups)
                entry = plan_stages(entry, decks, table.stop_confidence, line_ups, goal, within)
            fixed = Anchor(pool, anchor.bot, anchor.rating) if anchor else None
            wanted.append(Wanted(entry, line_ups, fixed))
    if (pairs := sum(len(one.entry.bots) ** 2 for one in wanted)) > MOST_PAIRS:
        many = f"its pools have {pairs:,} pairs of bots, of {MOST_PAIRS:,} at most"
        problems.append((0, f"{config.path}: {many}; make a tournament of some of the pools"))
    unique = {*problems}  # the file's anchor may lack in two pools
    raise_problems([what for _, what in sorted(unique)])
    return wanted


def _fitting(globs: Sequence[str], bots: Sequence[Bot]) -> set[str]:
    """The names of the bots that globs find where all lie in `bots/`, there or not."""
    named = set[str]()
    for glob in globs:
        path = glob.removeprefix("!")
        fitting = {
            name
            for name, _ in bots
            if path in (name, f"{BOTS}/{name}") or fnmatchcase(f"{BOTS}/{name}.py", path)
        }
        named = named - fitting if glob.startswith("!") else named | fitting
    return named


def _places(config: configs.Config, at: KeyPath, globs: Sequence[str]) -> list[str]:
    """The place of each glob of a list, to begin messages with; "" if the file leaves the list
    out.
    """
    written = at in config.lines
    return [f"{config.place((*at, n))}: " if written else "" for n in range(len(globs))]


def _unplayable(game: configs.GameEntry, at: KeyPath, bots: Sequence[str]) -> Iterator[Problem]:
    gauntlet = game.table.gauntlet
    if gauntlet not in (None, *bots):
        yield (*at, "gauntlet"), words.not_one_of(gauntlet, bots)
    entered = words.amount(len(bots), "bot")
    if len(bots) > MOST_BOTS:
        yield at, f"found {entered}; a pool has {MOST_BOTS:,} at most"
    for pool in game.pools:
        if len(bots) < pool.entrants:
            yield at, f"found {entered}; {pool.title} needs {pool.entrants}"
        line_ups, deals = game.buy_line_ups(pool, len(bots))
        ways = count_seatings(pool, game.table.seatings)
        games = game.count_line_ups(pool, len(bots)) * ways * deals
        if line_ups is None and games > MOST_GAMES:
            what = f"{pool.title}: comes to {games:,} games; the limit is {MOST_GAMES:,}"
            yield at, f"{what}, so set a lower number with `max_games`"
        least = game.count_line_ups(pool, len(bots), LEAST_LINE_UPS)
        if line_ups is not None and line_ups < least:
            drawn = words.amount(line_ups, "line-up")
            reason = f"each needs {LEAST_LINE_UPS}, which takes {least:,}"
            if least == game.count_line_ups(pool, len(bots)):
                reason = f"all {least:,} are needed"
            what = f"{drawn} for {entered}; {reason}"
            yield (*at, "max_games"), f"{pool.title}: {what}, so set {least * ways} or more"


def _warn_of_few(config: configs.Config, wanted: Iterable[Wanted]) -> Iterator[str]:
    """Yield a warning of each pool whose `max_games` are too few for intervals, or to be settled:
    of line-ups that are drawn, or else of decks.
    """
    entries = {entry.pool: entry for entry, *_ in wanted}
    for index, game in enumerate(config.games):
        need, so = LEAST_DECKS, "the table has no intervals"
        if game.table.stop_confidence:
            need, so = FIRST_DECKS, "`stop_confidence` never ends play"
        for pool in game.pools:
            entry, few, deals = entries[pool], "line-ups", 1
            enough = game.count_line_ups(pool, len(entry.bots), need)
            if enough == game.count_line_ups(pool, len(entry.bots)):
                few, deals = "decks", -(-need // count_decks_of_deal(entry, None))
            enough *= deals * count_seatings(pool, game.table.seatings)
            more = f", and deals = {deals}" if deals > game.table.deals else ""
            if game.table.max_games is not None and (game.table.max_games < enough or more):
                what = f"a bot has fewer than {need} {few}, so {so}"
                place = config.place(("games", index, "max_games"))
                yield f"{place}: {pool.title}: {what}; set {enough} or more{more}"


def _unanchored(
    anchor: AnchorKeys | None,
    of_file: AnchorKeys | None,
    at: KeyPath,
    bots: Sequence[str],
    everybody: Sequence[str],
) -> Iterator[Problem]:
    """Yield why the anchor of a [[games]], its own or the file's, is not among its bots."""
    if anchor:
        if anchor.bot not in bots:
            yield (*at, "anchor", "bot"), words.not_one_of(anchor.bot, bots)
    elif of_file and of_file.bot not in everybody:
        yield ("anchor", "bot"), words.not_one_of(of_file.bot, everybody)
    elif of_file and of_file.bot not in bots:
        what = f"the anchor {words.spell(of_file.bot)} is not in this list"
        yield (*at, "bots"), f"{what}; add it, or give this [[games]] its own anchor"


def find_private(league: Path, results: Path, bots: Iterable[BotPath]) -> Iterator[Path]:
    """Yield the paths of a tournament that no bot may read, save its own copy: all results of the
    league, those of this tournament wherever they are, even behind a link, and all bots.
    """
    yield from (league / BOTS, league / "results", results)
    with suppress(PermissionError):  # opening it as results says so
        yield from results.glob("*")
    yield from (bot.path for bot in bots)


TRUSTED = "--unconfined runs bots that you trust without a sandbox; limits still apply"


def check_walls(*private: Path, remedy: str = TRUSTED) -> None:
    """Raise Unconfinable if a real child finds no sandbox here, or if that would let bots read
    `private` or the bots' copies: every bot may read everything among Python's libraries.

    `remedy` says how bots play without the sandbox.
    """
    from arena.process.doctor import try_child  # here: what only plans needs none of it
    from arena.sandbox.walls import find_library

    copies = find_place()
    with explain_write_errors(copies):
        wrong = next((layer for layer in try_child() if not layer.ok), None)
    if wrong:
        needed = ("rights", "limits", "processes") if "--unconfined" in remedy else ()
        ways = "" if wrong.name in needed else f"; {remedy}"
        raise Unconfinable(
            f"bots cannot be sandboxed here: {wrong.detail} (layer: {wrong.name}); {wrong.remedy}. "
            f"`arena doctor` shows details{ways}"
        )
    for path in (*private, copies):
        if library := find_library(path):
            move = "set TMPDIR to" if path == copies else "move it to"
            raise Unconfinable(
                f"{path}: lies in {library}, which every bot can read; {move} another folder. "
                f"{remedy}"
            )
