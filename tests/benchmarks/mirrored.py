"""`python -m tests.benchmarks.mirrored [DECKS]`: how many games a match saves by giving both bots
the same luck.

Two versions of a bot play in this process, each deck twice, as in a match: the second time in each
other's seats, or with --field the one in the place of the other; a seat has the same dice in both
games. And as often with decks and dice of their own. Printed is the variance of the mean difference
of their places, as a part of that with decks of their own: a match takes about that part of the
games. Its own error is some 10 % at 400 decks. `level` is the part of decks on which both ended
alike, `ahead` the mean difference: where a rule changes most games, a deck suits the one rule or
the other from any seat, and both games of it say the same twice.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.author.in_process import _Table
from arena.author.players import load_bots
from arena.league.bots import find_house_bots
from arena.model import Limits
from arena.schedule.seatings import make_exchanges
from tests.benchmarks.variance import beaten


class Version(NamedTuple):
    """A pool, a house bot, and what its new version has instead of what."""

    game: str
    players: int
    bot: str
    before: str
    now: str


PRICE = "2 * view.pot >= cost"
EARLY = f"{PRICE} or (len(mine) < 5 and 4 * view.pot >= cost)"
PLAY = "return min(view.legal, key=lambda play: reached(NUMBER[play[:-2]]))"
HIDE = PLAY.replace("return ", "best = ") + (
    "\n    return 'trap:d' if best == 'trap:u' and 'trap:d' in view.legal else best"
)
KEEPS = "cards = [play for play in below if sixteen.HELD[play] == play]"
VERSIONS = (
    Version("diciassette", 2, "reader", PLAY, HIDE),
    Version("diciassette", 2, "reader", "TARGET = 17", "TARGET = 16"),
    Version("diciassette", 3, "reader", PLAY, HIDE),
    Version("diciassette", 3, "reader", "LIKELY = 0.6", "LIKELY = 0.5"),
    Version("diciassette", 3, "reader", "TARGET = 17", "TARGET = 16"),
    Version("no_thanks", 3, "haggler", PRICE, f"{PRICE} - 1"),
    Version("no_thanks", 3, "haggler", PRICE, EARLY),
    Version("no_thanks", 5, "haggler", PRICE, f"{PRICE} - 1"),
    Version("no_thanks", 5, "haggler", PRICE, EARLY),
    Version("sixteen", 2, "nines", KEEPS, "cards = below"),
)


class Measured(NamedTuple):
    """What two versions come to."""

    together: float  # variance of a match's decks over that of games on decks of their own
    apart: float  # the same with --field
    level: float  # share of decks
    ahead: float  # of the old version's places, -1 to 1


def measure(version: Version, decks: int) -> Measured:
    """Play so many decks in each of four ways."""
    table = _Table("mirrored", version.game, version.players, None, "raise")
    ways = make_exchanges(table.pool)[::2]
    house = {bot.name: bot.path for bot in find_house_bots()}
    old = house[version.bot]
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / f"{version.bot}_new.py"
        new.write_text(old.read_text().replace(version.before, version.now))
        assert new.read_text() != old.read_text()
        files = [new, old, *(path for path in house.values() if path != old)]
        with load_bots("mirrored", files, False, table.hello, Limits()) as bots:
            others = range(2, len(bots))
            fresh = count(decks)  # decks that no other game has

            def play(seated: Sequence[int], deck: int) -> float:
                """The share that the new version leaves behind less that of the old one."""
                seats = [bots[bot] for bot in seated]
                state, _ = table.play(seats, (1, deck, None))
                ranks = state.result()["ranks"]
                line_up = sorted({*seated})
                shares = dict(
                    zip(line_up, beaten([ranks[seated.index(bot)] for bot in line_up]), strict=True)
                )
                return shares.get(0, 0.0) - shares.get(1, 0.0)

            found: list[list[float]] = [[], [], [], []]
            for deck in range(decks):
                rest = random.Random(deck).sample(others, table.pool.entrants - 1)
                way = ways[deck % len(ways)]
                for apart, two in ((False, [(0, 1), (1, 0)]), (True, [(0,), (1,)])):
                    games = [[[*one, *rest][place] for place in way] for one in two]
                    found[2 * apart].append(sum(play(game, deck) for game in games) / 2)
                    found[2 * apart + 1].append(sum(play(game, next(fresh)) for game in games) / 2)
    spread = [float(np.var(each, ddof=1)) for each in found]
    level = float(np.mean(np.array(found[0]) == 0))
    return Measured(spread[0] / spread[1], spread[2] / spread[3], level, float(np.mean(found[0])))


def main(decks: int) -> None:
    print(f"{'pool, bot: new version':88} match  games /  --field  games /  level   ahead")
    for version in VERSIONS:
        together, apart, level, ahead = measure(version, decks)
        now = version.now.rpartition("return ")[2]
        title = f"{version.game} {version.players}p, {version.bot}: {now}"
        print(f"{title[:88]:88} {together:5.2f} {1 / max(together, 1e-9):8.1f} {apart:8.2f} "
              f"{1 / max(apart, 1e-9):8.1f} {level:6.0%} {ahead:+7.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 800)
