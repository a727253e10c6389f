"""What `make bench` measures: its lines, how many games each plays, and the ratios that count.

A line's name says what it is: `tournament no_thanks 3 reader, 2 workers`. Numbers of games are
chosen so that none takes much longer than the others.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from tests.benchmarks import house, tournaments
from tests.benchmarks.accounting import cost_of

CPU, WALL = "cpu_s", "wall_s"
START_UP = "start-up: a tournament of one deal"
LEAGUE, ONE_LINE_UP = "tournament no_thanks 4, league of 20", "tournament no_thanks 4, one line-up"
HOUSE_OWN = "house bots, round_robin.toml: their own decisions"
HOUSE_ELSE = "tournament round_robin.toml, house bots: all but their own decisions"
NAIVE = {"kept": (50, 60), "fresh": (10, 1000)}
"""A naive referee: so many games at least, and one for so many of `games`."""

POOLS = (  # and the share of `games` that a tournament plays
    ("no_thanks", 3, "random_choice", 1),
    ("no_thanks", 3, "reader", 1 / 2),
    ("sixteen", 2, "random_choice", 1 / 2),
    ("diciassette", 4, "random_choice", 1),
)
LEAST = 1000  # games of a bare loop and PettingZoo: theirs are cheap


class Figures(NamedTuple):
    """What a line came to in one round."""

    games: int
    cpu_s: float
    wall_s: float
    decisions: float | None  # asked a game, where they are counted


class Line(NamedTuple):
    """What is measured at one go."""

    names: tuple[str, ...]  # of the figures it comes to
    measure: Callable[[], Sequence[Figures]]


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


def _pettingzoo(bot: str) -> str:
    return f"PettingZoo no_thanks 3 {bot}"


def _against_pettingzoo(bot: str, floor: float, aim: float) -> Ratio:
    name = f"tournament / PettingZoo, no_thanks 3 {bot}"
    return Ratio(name, _played("no_thanks", 3, bot), _pettingzoo(bot), CPU, floor, aim)


def _against_bare(game: str, players: int, bot: str, floor: float, aim: float) -> Ratio:
    pool = (game, players, bot)
    name = f"tournament / bare loop, {game} {players} {bot}"
    return Ratio(name, _played(*pool), _bare(*pool), CPU, floor, aim)


_RANDOM, _READER = ("no_thanks", 3, "random_choice"), ("no_thanks", 3, "reader")

RATIOS = (
    _against_pettingzoo("random_choice", 1.0, 2),
    _against_pettingzoo("reader", 1.3, 2),
    _against_bare(*_RANDOM, 0.20, 0.35),
    _against_bare(*_READER, 0.40, 0.55),
    _against_bare("sixteen", 2, "random_choice", 0.20, 0.3),
    _against_bare("diciassette", 4, "random_choice", 0.20, 0.3),
    Ratio("tournament / naive referee, processes kept",
          _played(*_RANDOM), _naive("kept"), CPU, 15, 40),
    Ratio("tournament / naive referee, fresh processes",
          _played(*_RANDOM), _naive("fresh"), CPU, 300, 700),
    Ratio("league of 20 / one line-up, no_thanks 4 random_choice",
          LEAGUE, ONE_LINE_UP, CPU, 0.8, 0.95),
    Ratio("own decisions / all else, house bots, round_robin.toml",
          HOUSE_ELSE, HOUSE_OWN, CPU, 1.0, 2),  # of CPU time, so the speeds are the other way round
    Ratio("2 workers / 1 worker, no_thanks 3 reader",
          _played(*_READER, 2), _played(*_READER), WALL, 1.8, 1.95),
)  # fmt: skip


def lines(games: int) -> Iterator[Line]:
    """Yield all lines, those that are compared one after the other.

    `games` is for the longest tournaments; the other lines' numbers go with it.
    """
    yield _of_a_tournament(START_UP, tournaments.of_one_line_up(*_RANDOM, 1, 1))
    for game, players, bot, share in POOLS:
        pool, count = (game, players, bot), max(1, round(games * share))
        yield _of_one_process(_bare(*pool), "bare", pool, max(LEAST, count // 2))
        yield _of_a_tournament(_played(*pool), tournaments.of_one_line_up(*pool, 1, count))
        if pool == _READER:
            of_two = tournaments.of_one_line_up(*pool, 2, count)
            yield _of_a_tournament(_played(*pool, 2), of_two)
        if find_spec("pettingzoo") and pool in (_RANDOM, _READER):
            least = max(LEAST, games // (6 if bot == "random_choice" else 15))
            yield _of_one_process(_pettingzoo(bot), "pettingzoo_no_thanks", pool[1:], least)
    for how, (least, part) in NAIVE.items():
        yield _naive_referee(how, max(least, games // part))
    ways = min(24, max(1, games // 4845))
    league = tournaments.Tournament("no_thanks", 4, "random_choice", 20, 1, ways, 1)
    line_up = tournaments.Tournament("no_thanks", 4, "random_choice", 4, 4845, ways, 1)
    yield _of_a_tournament(LEAGUE, league)
    yield _of_a_tournament(ONE_LINE_UP, line_up)  # as many games: 20 over 4 is 4845
    yield Line((HOUSE_OWN, HOUSE_ELSE), _house)


def _house() -> list[Figures]:
    cost = house.cost()
    return [
        Figures(cost.games, cost.own_s, cost.own_s, None),
        Figures(cost.games, cost.else_s, cost.wall_s, None),
    ]


def _of_one_process(name: str, module: str, words: tuple[object, ...], games: int) -> Line:
    """The line of a module that measures itself: its loop, without starting Python."""
    command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, words), str(games)]
    return Line((name,), lambda: [Figures(**json.loads(cost_of(command).stdout))])


def _naive_referee(how: str, games: int) -> Line:
    words = [*map(str, _RANDOM), str(games), how]
    command = [sys.executable, "-m", "tests.benchmarks.naive_referee", *words]

    def measure() -> list[Figures]:
        cost = cost_of(command)
        return [Figures(games, cost.cpu_s, cost.wall_s, None)]

    return Line((_naive(how),), measure)


def _of_a_tournament(name: str, tournament: tournaments.Tournament) -> Line:
    def measure() -> list[Figures]:
        cost = tournaments.cost(tournament)
        return [Figures(tournament.games, cost.cpu_s, cost.wall_s, None)]

    return Line((name,), measure)
