"""A tournament's TOML file, read and checked: every error at once, each with its line.

The single values are judged by `arena.plan.keys`, what follows here how they go together. Which
bots there are is left to `arena.league.bots`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import games as rules
from arena import hints, model
from arena.league.bots import folder_of
from arena.plan import toml
from arena.plan.keys import AUTO, MOST_LINE_UPS, NAME, NAME_RULE, PARTNERS, Problem, listed, typed
from arena.plan.toml import ConfigError as ConfigError
from arena.plan.toml_lines import KeyPath, dotted, line_of
from arena.schedule.seatings import MIXED, count, possible
from games import Game, OptionsError, changed, options_from


class GameEntry(NamedTuple):
    """A `[[games]]` of a config: a pool for each number of players."""

    game: str
    players: tuple[int, ...]
    deals: int  # for each line-up and seating
    seatings: str | int  # "auto", "all", "rotations" or how many
    duplicate: bool | str  # whether seatings share decks; "auto": to be chosen
    partners: str  # "same" or "mixed"
    lineups: int | None  # so many are drawn for each pool; None: see `games`
    games: int | None  # so many at most in each pool, of as many line-ups as that takes; None: all
    options: Any  # the game's Options
    bots: tuple[str, ...] | None  # globs; None: all of the config's
    gauntlet: str | None  # the bot that is at every table
    settle: float | None  # how sure to be of all neighbours; None: all deals are played
    pools: tuple[model.Pool, ...]  # in the order of `players`
    line: int  # of its [[games]]

    def budget(self, pool: model.Pool) -> int | None:
        """Return how many line-ups of one of its pools are drawn; None if all are played."""
        if self.games is None:
            return self.lineups
        return min(self.games // (count(pool, self.seatings) * self.deals), MOST_LINE_UPS)


class Config(NamedTuple):
    """A tournament as its file says."""

    name: str
    bots: tuple[str, ...]  # globs
    seed: int | None  # None: a secret of its own
    workers: int | None  # None: one a core
    limits: model.Limits
    games: tuple[GameEntry, ...]
    path: Path
    folder: Path  # the league's


def load(path: Path, games: Mapping[str, Game] | None = None) -> Config:
    """Return the config of a TOML file, with these games (all there are, if None).

    Raises ConfigError with every error of the file at once, and UsageError where no folder from
    the file's upwards holds `bots/`.
    """
    known = {name: rules.load(name) for name in rules.names()} if games is None else games
    values, lines = toml.read(path)
    table, problems = typed(values)
    wrong = {problem[0] for problem in problems}
    entries = values.get("games")
    everywhere = {"settle": table.settle} if table else {}
    made = [
        _entry(index, everywhere | _good(entry, ("games", index), wrong), known, lines, problems)
        for index, entry in enumerate(entries if isinstance(entries, list) else [])
        if isinstance(entry, dict)
    ]
    _no_pool_twice(made, lines, problems)
    if entries == []:
        problems.append((("games",), "is empty; a tournament takes at least one [[games]]"))
    if "name" not in values and not NAME.fullmatch(path.stem):
        what = f"is missing, and the file's {hints.shown(path.stem)} is none: {NAME_RULE}"
        problems.append((("name",), what))
    if problems or table is None:
        found = sorted((line_of(lines, at), dotted(at), what) for at, what in problems)
        raise ConfigError("\n".join(f"{path}:{line}: {at}: {what}" for line, at, what in found))
    return Config(
        table.name or path.stem,
        tuple(table.bots),
        table.seed,
        table.workers,
        model.Limits(**table.limits.model_dump()),
        tuple(entry for entry in made if entry),
        path,
        folder_of(path),
    )


def _good(entry: dict[str, Any], at: KeyPath, wrong: set[KeyPath]) -> dict[str, Any]:
    """Return what pydantic found nothing wrong with, of one [[games]]."""
    bad = {path[len(at)] for path in wrong if path[: len(at)] == at and len(path) > len(at)}
    return {key: value for key, value in entry.items() if key not in bad}


def _entry(
    index: int,
    good: dict[str, Any],
    known: Mapping[str, Game],
    lines: Mapping[KeyPath, int],
    problems: list[Problem],
) -> GameEntry | None:
    """Return one [[games]]; add what does not go together. None if its pools are unknown."""
    at: KeyPath = ("games", index)
    name = good.get("game")
    if name is None:
        return None
    if name not in known:
        problems.append(((*at, "game"), hints.not_one_of(name, sorted(known))))
        return None
    game = known[name]
    options = _options(game, good.get("options", {}), (*at, "options"), problems)
    if options is None or "players" not in good:
        return None
    allowed = game.seat_counts(options)
    players = listed(good["players"])
    assert isinstance(players, list)  # pydantic found nothing wrong with it
    pools = []
    for number in players:
        if number not in allowed:
            what = f"found {hints.shown(number)}; {name} takes {hints.either(allowed)}"
            problems.append(((*at, "players"), what + _also_with(game, options, number)))
            continue
        teams = len({game.side(seat) for seat in range(number)}) < number
        written = json.dumps(changed(options), sort_keys=True, separators=(",", ":"))
        partners: model.Partners = good.get("partners", PARTNERS[0]) if teams else ""
        pools.append(model.Pool(name, number, written, partners))
    if "partners" in good and pools and not any(pool.partners for pool in pools):
        what = f"{name} with {hints.either([p.players for p in pools])} players has no partners"
        problems.append(((*at, "partners"), f"{what}; take it out"))
    entry = GameEntry(
        name, tuple(players), good.get("deals", 1), good.get("seatings", AUTO),
        good.get("duplicate", rules.shares_decks(game)), good.get("partners", PARTNERS[0]),
        good.get("lineups"), good.get("games"), options,
        tuple(good["bots"]) if "bots" in good else None, good.get("gauntlet"), good.get("settle"),
        tuple(pools), line_of(lines, at),
    )  # fmt: skip
    problems += [((*at, key), what) for key, what in _unplayable(entry)]
    return entry


def _unplayable(entry: GameEntry) -> Iterator[tuple[str, str]]:
    """Yield (key, what is wrong) where seatings and numbers of games do not go together."""
    how = entry.seatings
    for pool in entry.pools:
        found = f"found {hints.shown(how)}; {pool.title} takes"
        if pool.partners == "mixed" and how not in (AUTO, "all", *MIXED):
            yield "seatings", f"{found} 'auto', 'all', {hints.either(MIXED)}"
        elif type(how) is int and not 1 <= how <= possible(pool):
            yield "seatings", f"{found} 1 to {possible(pool)}"
        elif entry.budget(pool) == 0:
            ways = count(pool, how)
            one = f"{ways} seatings x {entry.deals} deals" if ways > 1 else f"{entry.deals} deals"
            what = f"found {entry.games}; one line-up of {pool.title} is {one}"
            yield "games", f"{what}, so it takes {ways * entry.deals} or more"
    if entry.games is not None and entry.lineups is not None:
        yield "games", "stands beside lineups; one of the two says how much is played, keep one"


def _also_with(game: Game, options: Any, number: int) -> str:
    """Return which switch among the options would allow that many players, as the end of a line."""
    for name, value in vars(options).items():
        if value is False and number in game.seat_counts(replace(options, **{name: True})):
            return f"; with options = {{ {name} = true }} also {number}"
    return ""


def _options(game: Game, given: dict[str, Any], at: KeyPath, problems: list[Problem]) -> Any:
    """Return the game's Options, without what is wrong, which is added; None if that is no use."""
    try:
        return options_from(game.Options, given)
    except OptionsError as error:
        problems += [((*at, *name.split(".")), what) for name, what in error.problems]
        wrong = {name.split(".")[0] for name, _ in error.problems}
    try:
        return options_from(game.Options, {k: v for k, v in given.items() if k not in wrong})
    except OptionsError:
        return None


def _no_pool_twice(
    made: Sequence[GameEntry | None], lines: Mapping[KeyPath, int], problems: list[Problem]
) -> None:
    first: dict[model.Pool, int] = {}
    unsure = {at[1] for at, _ in problems if at[2:3] == ("options",)}
    for index, entry in enumerate(made):
        for pool in entry.pools if entry and index not in unsure else ():
            line = line_of(lines, ("games", index))
            if pool in first:
                what = f"{pool.title} is a pool of line {first[pool]} already"
                problems.append((("games", index), f"{what}, and here of line {line}; keep one"))
            first.setdefault(pool, line)
