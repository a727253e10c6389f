"""Whether a table's digits are its games' alone: made again by other CPUs' instructions, and with
rounding noise added to ratings and covariances.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from typing import Any
from unittest import mock

import numpy as np

from arena.model import Bot, Outcome, Pool
from arena.rating.fit import fit_sites
from arena.rating.gaussian import Array
from arena.rating.intervals import sandwich_covariance
from arena.rating.outcomes import GameColumns
from arena.tables import formats
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import assemble_standings
from tests import simulated
from tests.places import ROOT


def settings() -> list[dict[str, str]]:
    """Return environments to try: numpy's instructions, the newest switched off first, by numpy's
    own list of them; kernels of older CPUs for its linear algebra; and at last all that together.
    """
    known = np.show_config(mode="dicts")["SIMD Extensions"].get("found", ())[::-1]
    off = [{"NPY_DISABLE_CPU_FEATURES": " ".join(known[: at + 1])} for at in range(len(known))]
    kernels = ("Haswell", "Nehalem") if platform.machine() == "x86_64" else ("ARMV8",)
    older = [{"OPENBLAS_CORETYPE": kernel} for kernel in kernels]
    oldest = {**(off or [{}])[-1], **older[-1], "OPENBLAS_NUM_THREADS": "1"}
    return [{}, *off, *older, oldest]


def world(rng: np.random.Generator) -> simulated.World:
    """Return a small league of random laws: some of equal bots, some with hardly any luck."""
    bots = int(rng.integers(2, 8))
    skills = np.round(25 + rng.choice([0.0, 1.0, 5.0, 60.0]) * rng.standard_normal(bots), 1)
    skills[: int(rng.integers(0, bots))] = 25.0
    return simulated.World(
        tuple(skills.tolist()), int(rng.integers(2, min(bots, 4) + 1)),
        deals=int(rng.integers(1, 13 if bots < 6 else 4)), shared=bool(rng.integers(2)),
        hands=float(rng.choice([0.0, 3.0])), suits=float(rng.choice([0.0, 2.0])),
        step=float(rng.choice([0.01, 1.0, 8.0])), winner_only=bool(rng.integers(2)),
    )  # fmt: skip


def played(table: GameColumns, pool: Pool, shared: bool) -> PlayedPool:
    """Return a simulated league's games as a pool that was played."""
    names, faults = table.names, ("",) * pool.players
    parts = (part.tolist() for part in (table.bots, table.ranks, table.scores, table.deals))
    games = [
        (Outcome("", tuple(names[bot] for bot in bots), tuple(ranks), tuple(scores), faults), deal)
        for bots, ranks, scores, deal in zip(*parts, strict=True)
    ]
    return PlayedPool(pool, names, shared, 0, games)


def without_luck(table: GameColumns, ties: bool) -> GameColumns:
    """Return the same games, but that the order of the names decides all: read backwards, such a
    league is the same, so that much in it is equal but for rounding.
    """
    points = table.bots // 2 if ties else table.bots
    ranks = 1 + (points[:, :, None] > points[:, None]).sum(axis=2)
    return table._replace(ranks=ranks, scores=-points)


def pools(seed: int) -> list[PlayedPool]:
    """Return the pools of a random small league: one, or more of different games or sizes."""
    rng = np.random.default_rng(seed)
    law = world(rng)
    if seed % 8 == 0:
        law = law._replace(deals=12 if len(law.skills) < 6 else 2)
    table = simulated.league(law, rng)
    if seed % 8 == 0:
        table = without_luck(table, ties=bool(rng.integers(2)))
    found = [played(table, Pool("no_thanks", law.seats, "{}", ""), law.shared)]
    if seed % 3 == 0:
        duels = simulated.league(law._replace(seats=2, deals=3, shared=True), rng)
        duels = duels if seed % 6 else without_luck(duels, ties=True)
        found.append(played(duels, Pool("sixteen", 2, "{}", ""), True))
    return [*found, drawn(rng)] if seed % 5 == 0 else found


def drawn(rng: np.random.Generator) -> PlayedPool:
    """Return a pool of ten bots that play a sample of the line-ups, of unequal weights."""
    law = simulated.World(tuple(np.round(rng.normal(25, 3, 10), 1).tolist()), 2)
    pool = played(simulated.league(law, rng), Pool("no_thanks", 2, "{}", ""), True)
    line_ups = sorted({tuple(sorted(outcome.bots)) for outcome, _ in pool.games})
    weights = {line_up: float(rng.integers(1, 4)) for line_up in line_ups if rng.random() < 0.9}
    games = [(one, deal) for one, deal in pool.games if tuple(sorted(one.bots)) in weights]
    return pool._replace(drawn=weights, games=games)


@contextmanager
def noisy(rng: np.random.Generator) -> Iterator[None]:
    """Make every rating and covariance wrong by some 1e-13, as rounding might."""

    def noise(*shape: int) -> Array:
        return 1e-13 * rng.uniform(-1, 1, shape)

    def fitted(*of: Any) -> Any:
        found = fit_sites(*of)
        size = len(found.mu)
        return found._replace(mu=found.mu + noise(size), sigma=found.sigma + noise(size))

    def covariance(*of: Any) -> Array:
        found = sandwich_covariance(*of)
        by = noise(*found.shape)
        return found + by + by.T

    with mock.patch.multiple("arena.rating.rate", fit_sites=fitted, sandwich_covariance=covariance):
        yield


def digests(leagues: Sequence[int], noise: int | None = None) -> list[str]:
    """Return digests of the standings of random leagues; with `noise`, drawn by that seed."""
    made = []
    with noisy(np.random.default_rng(noise)) if noise is not None else nullcontext():
        for seed in leagues:
            own = pools(seed)
            bots = [Bot(name, name) for name in own[0].names]
            made.append(assemble_standings("digits", True, "none", bots, map(rate_pool, own)))
    return [sha256(formats.json(doc).encode()).hexdigest() for doc in made]


def run(environment: dict[str, str], program: str, *words: str) -> str:
    """Return what a Python program prints under another setting."""
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, check=True,
    ).stdout.decode()  # fmt: skip


def elsewhere(environment: dict[str, str], leagues: Sequence[int]) -> list[str]:
    """Return the same, made by a process under another setting."""
    program = "import sys; from tests.digits import digests; "
    program += "print(*digests([*map(int, sys.argv[1:])]))"
    return run(environment, program, *map(str, leagues)).split()
