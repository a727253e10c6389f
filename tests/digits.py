"""Whether a table's digits are its games' alone: made again by other CPUs' instructions, and with
rounding noise added to ratings and covariances.

`python -m tests.digits [RESULTS...] [--leagues N]` prints a line for each setting, with the number
of tables that came out otherwise, and exits with 1 where there are any.
"""

import json
import os
import platform
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from arena.model import Bot, Outcome, Pool
from arena.rating.fit import fit_sites
from arena.rating.gaussian import Array
from arena.rating.intervals import sandwich_covariance
from arena.rating.outcomes import GameColumns
from arena.store.store import Store
from arena.tables import formats
from arena.tables.document import Standings
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.results import make_document
from arena.tables.standings import assemble_standings
from tests import simulated
from tests.places import ROOT

NOISE = 1e-13
LEAGUES = 200


class Setting(NamedTuple):
    """What a CPU or its libraries may have otherwise, as environment variables have it."""

    name: str
    environment: dict[str, str]


def settings() -> list[Setting]:
    """Return what there is to try: numpy's instructions, the newest switched off first, by numpy's
    own list of them; and kernels of older CPUs for its linear algebra.
    """
    found = [Setting("as it is", {})]
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found", ())[::-1]
    for at in range(len(features)):
        names = " ".join(features[: at + 1])
        found.append(Setting(f"numpy without {names}", {"NPY_DISABLE_CPU_FEATURES": names}))
    older = found[-1].environment | {"OPENBLAS_NUM_THREADS": "1"}
    for kernel in ("Haswell", "Nehalem") if platform.machine() == "x86_64" else ("ARMV8",):
        older["OPENBLAS_CORETYPE"] = kernel
        found.append(Setting(f"OpenBLAS for {kernel}", {"OPENBLAS_CORETYPE": kernel}))
    return [*found, Setting(f"all that is off, OpenBLAS for {kernel}, on one thread", older)]


def world(rng: np.random.Generator) -> simulated.World:
    """Return a small league of random laws: some with bots that are equal, some with hardly any
    luck in them, so that bots win all or none.
    """
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
    """Make every rating and covariance wrong by some 1e-13, as rounding might. What is counted in
    whole numbers stays as it is.
    """

    def noise(*shape: int) -> Array:
        return NOISE * rng.uniform(-1, 1, shape)

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


def digests(leagues: Sequence[int], folders: Sequence[str], noise: int | None) -> dict[str, str]:
    """Return digests of the standings of random leagues and of results folders, by name; with
    `noise`, drawn by that seed.
    """
    made: dict[str, Standings] = {}
    with noisy(np.random.default_rng(noise)) if noise is not None else nullcontext():
        for seed in leagues:
            own = pools(seed)
            bots = [Bot(name, name) for name in own[0].names]
            rated = map(rate_pool, own)
            made[f"league {seed}"] = assemble_standings("digits", True, "none", bots, rated)
        for folder in folders:
            with closing(Store.open(Path(folder, "arena.sqlite"))) as store:
                made[folder] = make_document(store)
    return {name: sha256(formats.json(doc).encode()).hexdigest() for name, doc in made.items()}


def run(setting: Setting, program: str, *words: str) -> str:
    """Return what a Python program prints under another setting."""
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT, env=os.environ | setting.environment, stdout=subprocess.PIPE, check=True,
    ).stdout.decode()  # fmt: skip


def elsewhere(
    setting: Setting, leagues: Sequence[int], folders: Sequence[str], noise: int | None = None
) -> dict[str, str]:
    """Return the same, made by a process under another setting."""
    program = "import json, sys; from tests.digits import digests; "
    program += "print(json.dumps(digests(*json.loads(sys.argv[1]))))"
    told: dict[str, str] = json.loads(
        run(setting, program, json.dumps([[*leagues], [*folders], noise]))
    )
    return told


def main() -> int:
    """Print how many tables each setting makes otherwise."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="*", help="results folders, beside random leagues")
    parser.add_argument("--leagues", type=int, default=LEAGUES)
    asked = parser.parse_args()
    leagues = range(asked.leagues)
    folders = [str(Path(folder).resolve()) for folder in asked.results]
    print(f"numpy {np.__version__}; {len(leagues)} random leagues, {len(folders)} results folders")
    kept = elsewhere(Setting("", {}), leagues, folders)
    runs: list[tuple[Setting, int | None]] = [(setting, None) for setting in settings()]
    runs += [(Setting(f"noise of {NOISE}, seed {seed}", {}), seed) for seed in (1, 2, 3)]
    differing = 0
    for setting, noise in runs:
        made = elsewhere(setting, leagues, folders, noise)
        others = [name for name in kept if made[name] != kept[name]]
        differing += len(others)
        which = f": {', '.join(others[:9])}" if others else ""
        print(f"{setting.name}: {len(others)} of {len(kept)} differ{which}", flush=True)
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
