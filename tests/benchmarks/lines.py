"""What `make bench` measures: its lines, how many games each plays, and the ratios that count.

A line's name says what it is: `tournament no_thanks 3 reader, 2 workers`. Numbers of games are
chosen so that none takes much longer than the others.
"""

import json
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import NamedTuple

from tests.benchmarks import tournaments
from tests.benchmarks.accounting import cost_of

CPU, WALL = "cpu_s", "wall_s"
START_UP = "start-up: a tournament of one deal"
LEAGUE, ONE_LINE_UP = "tournament no_thanks 4, league of 20", "tournament no_thanks 4, one line-up"
PETTINGZOO = "PettingZoo no_thanks 3 random_choice"
NAIVE = {"kept": (100, 500), "one_core": (100, 500), "fresh": (10, 5000)}
"""A naive referee: so many games at least, and one for so many of a tournament."""
FULL, SOME, FEW = 1, 10, 50  # tournaments: those of the ratios, and what the others play of them
LEAST = 1000  # games of the others, if those of the ratios have as many

POOLS = (
    ("no_thanks", 3, "random_choice", FULL),
    ("no_thanks", 3, "reader", FULL),
    ("no_thanks", 5, "random_choice", SOME),
    ("no_thanks", 5, "reader", FEW),
    ("sixteen", 2, "random_choice", FULL),
    ("sixteen", 2, "reader", FEW),
    ("sixteen", 4, "random_choice", SOME),
    ("diciassette", 2, "random_choice", SOME),
    ("diciassette", 4, "random_choice", FULL),
    ("diciassette", 4, "reader", FEW),
    ("diciassette", 6, "random_choice", SOME),
)


class Figures(NamedTuple):
    """What a line came to in one round."""

    games: int
    cpu_s: float
    wall_s: float
    decisions: float | None  # asked a game, where they are counted


class Line(NamedTuple):
    """One thing that is measured."""

    name: str
    measure: Callable[[], Figures]


class Ratio(NamedTuple):
    """Games a second of one line over those of another, and what they should come to."""

    name: str
    over: str
    under: str
    per: str  # CPU or WALL
    floor: float
    aim: float


def _bare(game: str, players: int, bot: str) -> str:
    return f"bare loop {game} {players} {bot}"


def _played(game: str, players: int, bot: str, workers: int = 1) -> str:
    return f"tournament {game} {players} {bot}" + (f", {workers} workers" if workers > 1 else "")


def _naive(how: str) -> str:
    return f"naive referee {how} no_thanks 3 random_choice"


def _against_bare(game: str, players: int, bot: str, floor: float, aim: float) -> Ratio:
    pool = (game, players, bot)
    name = f"tournament / bare loop, {game} {players} {bot}"
    return Ratio(name, _played(*pool), _bare(*pool), CPU, floor, aim)


_RANDOM, _READER = ("no_thanks", 3, "random_choice"), ("no_thanks", 3, "reader")

RATIOS = (
    _against_bare(*_RANDOM, 0.35, 0.5),
    _against_bare(*_READER, 0.55, 0.7),
    _against_bare("sixteen", 2, "random_choice", 0.3, 0.45),
    _against_bare("diciassette", 4, "random_choice", 0.3, 0.45),
    Ratio("2 workers / bare loop in one process, no_thanks 3 reader",
          _played(*_READER, 2), _bare(*_READER), WALL, 1.0, 1.3),
    Ratio("tournament / PettingZoo, no_thanks 3 random_choice",
          _played(*_RANDOM), PETTINGZOO, CPU, 1.0, 2.0),
    Ratio("tournament / naive referee, processes kept",
          _played(*_RANDOM), _naive("kept"), CPU, 15, 40),
    Ratio("tournament / naive referee, fresh processes",
          _played(*_RANDOM), _naive("fresh"), CPU, 300, 700),
    Ratio("2 workers / 1 worker, no_thanks 3 reader",
          _played(*_READER, 2), _played(*_READER), WALL, 1.75, 1.9),
    Ratio("league of 20 / one line-up, no_thanks 4 random_choice",
          LEAGUE, ONE_LINE_UP, CPU, 0.6, 0.8),
)  # fmt: skip


def lines(games: int) -> Iterator[Line]:
    """Yield all lines, those that are compared one after the other.

    `games` is for the tournaments of the ratios; the other lines' numbers go with it.
    """
    yield Line(START_UP, lambda: _tournament(tournaments.of_one_line_up(*_RANDOM, 1, 1)))
    for game, players, bot, part in POOLS:
        pool = (game, players, bot)
        yield _of_one_process(_bare(*pool), "bare", pool, max(2000, games // part // 4))
        yield _of_one_line_up(pool, 1, max(min(games, LEAST), games // part))
        if pool == _READER:
            yield _of_one_line_up(pool, 2, games // part)
    if find_spec("pettingzoo"):
        words = _RANDOM[1:]
        yield _of_one_process(PETTINGZOO, "pettingzoo_no_thanks", words, max(2000, games // 10))
    for how, (least, part) in NAIVE.items():
        yield _naive_referee(how, max(least, games // part))
    ways = min(24, max(1, games // 16_000))
    league = tournaments.Tournament("no_thanks", 4, "random_choice", 20, 1, ways, 1)
    line_up = tournaments.Tournament("no_thanks", 4, "random_choice", 4, 4845, ways, 1)
    yield Line(LEAGUE, lambda: _tournament(league))
    yield Line(ONE_LINE_UP, lambda: _tournament(line_up))  # as many games: 20 over 4 is 4845


def _of_one_process(name: str, module: str, words: tuple[object, ...], games: int) -> Line:
    """Return the line of a module that measures itself: its loop, without starting Python."""
    command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, words), str(games)]
    return Line(name, lambda: Figures(**json.loads(cost_of(command).stdout)))


def _naive_referee(how: str, games: int) -> Line:
    words = [*map(str, _RANDOM), str(games), how]
    command = [sys.executable, "-m", "tests.benchmarks.naive_referee", *words]

    def measure() -> Figures:
        cost = cost_of(command)
        return Figures(games, cost.cpu_s, cost.wall_s, None)

    return Line(_naive(how), measure)


def _of_one_line_up(pool: tuple[str, int, str], workers: int, games: int) -> Line:
    tournament = tournaments.of_one_line_up(*pool, workers, games)
    return Line(_played(*pool, workers), lambda: _tournament(tournament))


def _tournament(tournament: tournaments.Tournament) -> Figures:
    cost = tournaments.cost(tournament)
    return Figures(tournament.games, cost.cpu_s, cost.wall_s, None)
