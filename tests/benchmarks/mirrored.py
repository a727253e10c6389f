"""How many games a match saves by giving both bots the same luck.

Two versions of a bot play in this process, in three ways: each game on a deck of its own, with
dice of its own; each deck in two seatings, the two bots in each other's seats, a seat with the same
dice in both; and each deck in all seatings that a match plays. Printed is the variance of the mean
difference of the two bots' places at the same number of games, as a part of the first way's: a
match comes to its verdict in about that part of the games: `python -m tests.benchmarks.mirrored`.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena.author import decide
from arena.author.in_process import _load, _Table
from arena.league import find_house_bots
from arena.runner.pilot import beaten
from arena.schedule import make_seatings

VERSIONS = (
    ("diciassette", 2, "reader", "TARGET = 17", "TARGET = 16"),
    ("diciassette", 3, "reader", "LIKELY = 0.6", "LIKELY = 0.5"),
    ("diciassette", 3, "reader", "TARGET = 17", "TARGET = 16"),
    ("no_thanks", 3, "haggler", "2 * view.pot >= cost", "2 * view.pot >= cost - 1"),
    ("no_thanks", 3, "haggler", "2 * view.pot >= cost", "3 * view.pot >= cost"),
    ("no_thanks", 5, "haggler", "2 * view.pot >= cost", "2 * view.pot >= cost - 1"),
    ("no_thanks", 5, "haggler", "2 * view.pot >= cost", "3 * view.pot >= cost"),
)
"""Game, players, bot, and what its new version has instead of what: a small change and a large
one."""
GAMES = 3600  # of each pool in each way


def measure(
    game: str, players: int, name: str, before: str, now: str, games: int
) -> tuple[int, list[float]]:
    """The number of a deck's seatings, and the variance of each way's mean over that of the first,
    each at the same number of games; the first is 1.
    """
    table = _Table("mirrored", game, players, None, "raise")
    ways = make_seatings(table.pool, "auto")
    house = {bot.name: bot.path for bot in find_house_bots()}
    old = house[name].read_text()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}_new.py"
        path.write_text(old.replace(before, now))
        assert path.read_text() != old
        others = [each for each in house.values() if each != house[name]]
        with decide.lend_random([path, house[name], *others]) as generators:
            bots = _load("mirrored", [path, house[name], *others])

            def difference(way: Sequence[int], deck: int, dice: int | None) -> float:
                rest = random.Random(deck % 12).sample(bots[2:], players - 2)
                seats = [[*bots[:2], *rest][place] for place in way]
                state, _ = table.play(generators, seats, (1, deck, dice))
                ranks = [state.result()["ranks"][way.index(place)] for place in range(players)]
                shares = beaten(ranks)
                return shares[0] - shares[1]

            alone = [
                difference(ways[number // 12 % len(ways)], 10**6 + number, number)
                for number in range(games)
            ]
            pairs = [
                [difference(way, deck, None) for way in swapped(ways[deck // 12 % len(ways)])]
                for deck in range(games // 2)
            ]
            decks = [
                [difference(way, deck, None) for way in ways] for deck in range(games // len(ways))
            ]
    by_deck = (np.array(each).mean(axis=1) for each in (pairs, decks))
    sizes = (2, len(ways))
    first = np.var(alone, ddof=1)
    parts = [
        np.var(means, ddof=1) * size / first for means, size in zip(by_deck, sizes, strict=True)
    ]
    return len(ways), [1.0, *map(float, parts)]


def swapped(way: Sequence[int]) -> list[Sequence[int]]:
    """A seating, and the one with the two bots in each other's seats."""
    return [way, [{0: 1, 1: 0}.get(place, place) for place in way]]


def main(games: int) -> None:
    print(f"{'pool, bot: new version':60} games a deck   alone   pairs   all seatings   games / by")
    for game, players, name, before, now in VERSIONS:
        ways, (_, pairs, every) = measure(game, players, name, before, now, games)
        title = f"{game} {players}p, {name}: {now}"
        print(f"{title:60} {ways:12}    1.00    {pairs:.2f} {every:14.2f} "
              f"{1 / every if every else np.inf:12.1f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else GAMES)
