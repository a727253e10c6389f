"""Standings of any number of bots with names of any length, as a page has to bear them."""

from itertools import combinations
from random import Random

from arena.model import Outcome, Pool
from arena.tables.document import Standings
from arena.tables.pool_table import PlayedPool
from tests.documents import standings

NAMES = ("ann", "bo", "third_time_lucky", "x", "a-name-of-thirty-two-characters_", "w" * 32)
"""Of up to 32 characters, the most; one of them cannot be broken at a hyphen."""


def field(bots: int, rounds: int = 2) -> Standings:
    """Standings of so many bots in two pools; the first by name forfeits at times."""
    names, rng = sorted([*NAMES, *map("bot-{:02}".format, range(bots))][:bots]), Random(7)
    pools = []
    for pool in (Pool("no_thanks", 3, '{"open_chips":true}', ""), Pool("sixteen", 2, "{}", "")):
        line_ups, games = [*combinations(names, pool.players)], []
        chosen = line_ups if len(line_ups) < 1000 else rng.sample(line_ups, 500)
        for deal, line_up in enumerate(chosen * rounds):
            points = [round(names.index(bot) / bots * 6 + 6 * rng.random()) for bot in line_up]
            ranks = tuple(1 + sum(other > own for other in points) for own in points)
            broke = line_up[0] == names[0] and rng.random() < 0.1
            faults = ("time" if broke else "", *[""] * (pool.players - 1))
            games.append((Outcome(f"{deal:016x}", line_up, ranks, tuple(points), faults), deal))
        pools.append(PlayedPool(pool, tuple(names), False, 0, games))
    return standings(*pools, names=names)
