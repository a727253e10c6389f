"""Standings of any number of bots with names of any length, as a page has to bear them."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from random import Random

from arena.model import Bot, Outcome, Pool
from arena.tables.document import Standings
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import assemble_standings

POOLS = (Pool("no_thanks", 3, '{"open_chips":true}', ""), Pool("sixteen", 2, "{}", ""))
SHORT = ("ann", "bo", "third_time_lucky", "x")
LONG = ("a-name-of-thirty-two-characters_", "w" * 32, "patient-observer-of-every-discard")
"""At most what a league allows, 32 characters; one of them cannot be broken at a hyphen."""


def names(bots: int) -> list[str]:
    """Return the names of so many bots, long ones among them, by name."""
    given = [*SHORT, *(name[:32] for name in LONG)]
    return sorted((given + [f"bot-{number:02}" for number in range(bots)])[:bots])


def field(bots: int, rounds: int = 3, seed: int = 7) -> Standings:
    """Return the standings of so many bots in two pools of two games.

    Whoever has the higher number of letters in its name's hash tends to win; one bot forfeits.
    """
    rng, own = Random(seed), names(bots)
    pools = [
        PlayedPool(pool, tuple(own), False, 0, _games(pool, own, rounds, rng)) for pool in POOLS
    ]
    entered = [Bot(name, sha256(name.encode()).hexdigest()) for name in own]
    commitment = f"v1:{sha256(b'secret').hexdigest()}"
    return assemble_standings(
        "a-tournament-with-a-long-name", False, "landlock+seccomp", entered, map(rate_pool, pools),
        commitment=commitment,
    )  # fmt: skip


def _games(pool: Pool, own: Sequence[str], rounds: int, rng: Random) -> list[tuple[Outcome, int]]:
    skill = {name: 3 * at / len(own) for at, name in enumerate(rng.sample(own, len(own)))}
    out = []
    line_ups = [*combinations(own, pool.entrants)]
    for line_up in line_ups if len(line_ups) < 500 else rng.sample(line_ups, 500):
        for deck in range(rounds):
            sides = rng.sample(line_up, len(line_up))
            points = [round(2 * (skill[bot] + 3 * rng.random())) for bot in sides]
            ranks = tuple(1 + sum(other > own for other in points) for own in points)
            broke = sides[0] == own[0] and rng.random() < 0.1
            faults = ("time" if broke else "", *[""] * (pool.players - 1))
            game = f"{rng.getrandbits(64):016x}"
            out.append((Outcome(game, tuple(sides), ranks, tuple(points), faults), deck))
    return out
