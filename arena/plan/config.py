"""A tournament's TOML file, read and checked: every error at once, each with its line.

`arena.plan.keys` checks single values, this module how they go together. `arena.league.bots` finds
the bots.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import comb, inf
from pathlib import Path
from typing import Any, NamedTuple

import games as rules
from arena import model, words
from arena.errors import UsageError
from arena.league.bots import find_league
from arena.plan import toml
from arena.plan.keys import (
    ALL,
    NAME,
    NAME_RULE,
    FileKeys,
    GameKeys,
    Problem,
    find_tables,
    parse_keys,
)
from arena.plan.toml import ConfigError as ConfigError
from arena.plan.toml import KeyPath, find_line, format_path
from arena.schedule.seatings import MIXED, count_possible, count_seatings
from games import Game, OptionsError, changed_options, parse_options

MOST_LINE_UPS = 100_000  # that are drawn
SHOWN = ("show_authors", "show_code")  # lists of bots about which something is published


class GameEntry(NamedTuple):
    """A `[[games]]` of a config: a pool for each number of players."""

    table: GameKeys  # as written; `shared_decks` and what ends play are filled in
    options: Any  # the game's Options
    pools: tuple[model.Pool, ...]  # in the order of `table.players`

    def buy_line_ups(self, pool: model.Pool, bots: int) -> tuple[int | None, int]:
        """The number of line-ups to draw for one of its pools with so many bots, None without
        `max_games`, and the deals that each plays: `max_games` buys line-ups first, then deals.
        """
        if self.table.max_games is None:
            return None, self.table.deals
        bought = self.table.max_games // count_seatings(pool, self.table.seatings)
        line_ups = min(bought, self.count_line_ups(pool, bots), MOST_LINE_UPS)
        return line_ups, min(self.table.deals, bought // line_ups)

    def count_line_ups(self, pool: model.Pool, bots: int, appearances: int | None = None) -> int:
        """The line-ups that so many bots fill, or those that give every bot its `appearances`."""
        fixed = 0 if self.table.gauntlet is None else 1
        others, chosen = max(bots, pool.entrants) - fixed, pool.entrants - fixed
        every = comb(others, chosen)
        return every if appearances is None else min(-(-appearances * others // chosen), every)


class Config(NamedTuple):
    """A tournament as its file describes it."""

    name: str
    keys: FileKeys  # as they are written
    games: tuple[GameEntry, ...]
    path: Path
    folder: Path  # the league's
    lines: Mapping[KeyPath, int]  # of the file, by key

    def line(self, at: KeyPath) -> int:
        """The line of a key, or of the nearest table that would hold it."""
        return find_line(self.lines, at)

    def place(self, at: KeyPath) -> str:
        """The place of a key, as messages begin: `cup.toml:5: games[0].gauntlet`."""
        return f"{self.path}:{self.line(at)}: {format_path(at)}"


def load_config(path: Path) -> Config:
    """Load the config of a TOML file.

    Raises ConfigError with every error of the file at once, and UsageError where no folder from the
    file's upwards holds `bots/`.
    """
    values, lines = toml.read_toml(path)
    table, problems = parse_keys(values)
    wrong = {problem[0] for problem in problems}
    tables = values.get("games")
    entries = [
        _entry(("games", index), entry, wrong, table, problems)
        for index, entry in enumerate(tables if isinstance(tables, list) else [])
        if isinstance(entry, dict)
    ]
    stops = "stop_confidence" in values or any(e.table.stop_confidence for e in entries if e)
    problems += [((key,), what) for key, what in _aimless(table, values, stops)] if table else []
    problems += _excluded_first(values)
    unranked = [row.bot for row in table.unranked] if table else []
    problems += [
        (("unranked", number, "bot"), f"found {words.spell(name)} twice; remove one")
        for number, name in enumerate(unranked)
        if name in unranked[:number]
    ]
    for key in ("ranked_per_author", "ranked_choice"):
        if key in values and not {"authors", "ranked_per_author"} <= values.keys():
            what = 'needs authors = "authors.csv" and ranked_per_author = 1, or the like'
            problems.append(((key,), what))
    _no_pool_twice(entries, lines, problems)
    if tables == []:
        problems.append((("games",), "is empty; add at least one [[games]]"))
    if "name" not in values and not NAME.fullmatch(path.stem):
        stem = f"{words.spell(path.stem)} (from the file's name)"
        what = f"is missing, and {stem} cannot be used; set a name of {NAME_RULE}"
        problems.append((("name",), what))
    if problems or table is None:
        problem_lines = sorted(
            (find_line(lines, at), format_path(at), what) for at, what in problems
        )
        raise ConfigError(
            *(f"{path}:{line}: {_join_problem(at, what)}" for line, at, what in problem_lines)
        )
    name = table.name or path.stem
    folder = _find_folder(path, name, table.entries_close)
    return Config(name, table, tuple(filter(None, entries)), path, folder, lines)


def _find_folder(path: Path, name: str, entries_close: object) -> Path:
    """The league's folder; without `bots/`, once entries are closed, the one of its results."""
    try:
        return find_league(path.absolute().parent, f"{path}: ")
    except UsageError:
        for folder in path.absolute().parents if entries_close else ():
            if (folder / "results" / name).is_dir():
                return folder
        raise


def _join_problem(at: str, what: str) -> str:
    """Join key and finding to one sentence: the key is the subject of a finding with a verb."""
    return f"{at} {what}" if what.startswith(("is ", "belongs ")) else f"{at}: {what}"


def _good(entry: dict[str, Any], at: KeyPath, wrong: set[KeyPath]) -> dict[str, Any]:
    """The keys and list elements of one [[games]] in which pydantic found nothing wrong."""
    bad = {path[len(at) :] for path in wrong if path[: len(at)] == at and len(path) > len(at)}
    good = {}
    for key, value in entry.items():
        if (key,) in bad or (isinstance(value, dict) and any(path[0] == key for path in bad)):
            continue
        if isinstance(value, list):
            left = [element for number, element in enumerate(value) if (key, number) not in bad]
            if value and not left:
                continue
            value = left
        good[key] = value
    return good


def _excluded_first(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the lists of bots that begin with an exclusion, when nothing is included yet."""
    games = values.get("games")
    tables = enumerate(games) if isinstance(games, list) else ()
    lists: list[tuple[KeyPath, Any]] = [((key,), values.get(key)) for key in ("bots", *SHOWN)]
    lists += [(("games", n, "bots"), t.get("bots")) for n, t in tables if isinstance(t, dict)]
    for at, globs in lists:
        out = [str(glob).startswith("!") for glob in globs] if isinstance(globs, list) else []
        include = "*" if at[0] in SHOWN else "bots/*"
        remedy = f"start the list with a pattern that includes bots, such as '{include}'"
        if out and all(out):
            yield at, f"the list only excludes; {remedy}"
        elif out and out[0]:
            what = f"{words.spell(globs[0])} excludes before anything is included"
            yield (*at, 0), f"{what}; {remedy}"


def _entry(
    at: KeyPath,
    written: dict[str, Any],
    wrong: set[KeyPath],
    file: FileKeys | None,
    problems: list[Problem],
) -> GameEntry | None:
    """Make the entry of one [[games]]; add problems of values that do not go together. None if its
    pools are unknown.
    """
    good = _good(written, at, wrong)
    name = good.get("game")
    if name is None:
        return None
    if name not in rules.names():
        problems.append(((*at, "game"), words.not_one_of(name, sorted(rules.names()))))
        return None
    game = rules.load(name)
    options = _options(game, good.get("options", {}), (*at, "options"), problems)
    if options is None or "players" not in good:
        return None
    defaults = {"deals": 1, "shared_decks": rules.shared_decks(game)} | _goal_of(file, good)
    table = GameKeys.model_validate(defaults | good)
    numbers = _numbers(written["players"], (*at, "players"), problems)
    pools = tuple(_pools(game, options, table, numbers, at, problems))
    entry = GameEntry(table, options, pools)
    stops = table.stop_confidence is not None or "stop_confidence" in written
    aimless = _aimless(table, written, stops)
    problems += [((*at, key), problem) for key, problem in chain(_unplayable(entry), aimless)]
    return entry


def _goal_of(file: FileKeys | None, good: Mapping[str, Any]) -> dict[str, Any]:
    """The file's keys of when play stops, as far as they apply to a game with these keys."""
    if file is None:
        return {}
    taken: dict[str, Any] = {"stop_confidence": file.stop_confidence}
    stops = file.stop_confidence or "stop_confidence" in good
    if stops and not {"gauntlet", "goal", "within_places"} & {*good}:
        taken |= {"goal": file.goal, "within_places": file.within_places}
    return taken


def _aimless(
    keys: GameKeys | FileKeys, written: Mapping[str, Any], stops: bool
) -> Iterator[tuple[str, str]]:
    """Yield (key, problem) where a goal, or places that are enough, are `written` without effect;
    `stops` is whether play stops at a goal.
    """
    for key in ("goal", "within_places"):
        value = getattr(keys, key)
        if key not in written or value is None:
            continue
        if not stops:
            yield key, "has no effect without stop_confidence; set it to 0.95, or remove the key"
        elif "gauntlet" in written and value != ALL:
            yield key, "has no effect in a gauntlet, which compares its bot with its neighbours"
        elif key == "within_places" and keys.goal not in (None, ALL):
            yield key, f"is only for goal = 'all', and the goal is {words.spell(keys.goal)}"


def _numbers(written: Any, at: KeyPath, problems: list[Problem]) -> dict[int, KeyPath]:
    """The numbers of players, each with its place; adds a problem for each number given twice."""
    if type(written) is int:
        return {written: at}
    places: dict[int, KeyPath] = {}
    for place, number in enumerate(written):
        if type(number) is int and number in places:
            what = f"found {number} twice; list each number of players once"
            problems.append(((*at, place), what))
        elif type(number) is int:
            places[number] = (*at, place)
    return places


def _pools(
    game: Game, options: Any, table: GameKeys, numbers: Mapping[int, KeyPath], at: KeyPath,
    problems: list[Problem],
) -> list[model.Pool]:  # fmt: skip
    """Make a pool for each number of players that the game takes; add a problem for each other one.

    Numbers come with their places in the file.
    """
    allowed = game.seat_counts(options)
    playable = [number for number in numbers if number in allowed]
    pools = [make_pool(game, number, options, table.partners) for number in playable]
    for number, place in numbers.items():
        if number not in allowed:
            problem = f"found {words.spell(number)}; {game.NAME} takes {words.either(allowed)}"
            problems.append((place, problem + _also_with(game, options, number)))
    if "partners" in table.model_fields_set and pools and not any(p.partners for p in pools):
        problem = (
            f"{game.NAME} with {words.either(playable)} players has no partners; remove the key"
        )
        problems.append(((*at, "partners"), problem))
    return pools


def make_pool(game: Game, players: int, options: Any, partners: model.Partners) -> model.Pool:
    """A pool of a game; with `partners`, if so many players make teams."""
    written = json.dumps(changed_options(options), sort_keys=True, separators=(",", ":"))
    teams = len({game.side(seat) for seat in range(players)}) < players
    return model.Pool(game.NAME, players, written, partners if teams else "")


def _unplayable(entry: GameEntry) -> Iterator[tuple[str, str]]:
    """Yield (key, problem) where seatings and numbers of games do not go together."""
    how = entry.table.seatings
    for pool in entry.pools:
        takes = f"found {words.spell(how)}; {pool.title} takes"
        if pool.partners == "mixed" and how not in ("auto", "all", *MIXED):
            yield "seatings", f"{takes} 'auto', 'all', {words.either(MIXED)}"
        elif type(how) is int and not 1 <= how <= count_possible(pool):
            yield "seatings", f"{takes} 1 to {count_possible(pool)}"
        elif (entry.table.max_games or inf) < (ways := count_seatings(pool, how)):
            problem = f"found {entry.table.max_games}; one line-up of {pool.title} has {ways} games"
            yield "max_games", f"{problem}; set {ways} or more"


def _also_with(game: Game, options: Any, number: int) -> str:
    """Name the switch among the options that would allow that many players, to end a line with."""
    for name, value in vars(options).items():
        if value is False and number in game.seat_counts(replace(options, **{name: True})):
            return f"; with options = {{ {name} = true }} also {number}"
    return ""


def _options(game: Game, given: dict[str, Any], at: KeyPath, problems: list[Problem]) -> Any:
    """The game's Options without the wrong keys, whose problems are added; None if the rest makes
    no options.
    """
    try:
        return parse_options(game.Options, given)
    except OptionsError as error:
        for name, what in error.problems:
            tables = [] if hasattr(game.Options, name) else find_tables(name)
            problem = f"belongs {words.either(tables)}" if tables else what
            problems.append(((*at, *name.split(".")), problem))
        wrong = {name.split(".")[0] for name, _ in error.problems}
    try:
        return parse_options(game.Options, {k: v for k, v in given.items() if k not in wrong})
    except OptionsError:
        return None


def _no_pool_twice(
    entries: Sequence[GameEntry | None], lines: Mapping[KeyPath, int], problems: list[Problem]
) -> None:
    first: dict[model.Pool, int] = {}
    unsure = {at[1] for at, _ in problems if at[2:3] == ("options",)}
    for index, entry in enumerate(entries):
        for pool in entry.pools if entry and index not in unsure else ():
            line = find_line(lines, ("games", index))
            if pool in first:
                what = f"{pool.title} is already defined at line {first[pool]}; remove one"
                problems.append((("games", index), what))
            first.setdefault(pool, line)
