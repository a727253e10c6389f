"""`python -m tests.benchmarks.site [GAMES [WHICH]]`: the site of 1,000,000 stored games of 12 bots.

Makes the store of `tests.benchmarks.rating`, but that records are of games that were played, at
random. Then lets `arena publish` make the site, with the games to watch that it chooses by itself
or those that `--games WHICH` asks for, and prints wall time, CPU time, the most memory its
processes together held (pages they share counted for each), and how large the site is. With those
that it chooses it should take 2 minutes on 4 quiet cores at most, 1 GiB and 100 MB; no page may be
larger than 300 kB with any.
"""

import json
import sys
import tempfile
from itertools import cycle
from pathlib import Path
from random import Random

import games
from arena.model import Pool
from arena.records.format import body_of
from games import options_from
from tests.benchmarks.rating import GAMES, Body, made, measured
from tests.games.playing import steps

RECORDS = 8  # of a pool, one after the other


def records(pool: Pool) -> Body:
    """Return the next of a pool's records, which were played at random."""
    rng = Random(pool.title)
    clean = cycle([body_of_chance(pool, rng, False) for _ in range(RECORDS)])
    forfeited = cycle([body_of_chance(pool, rng, True) for _ in range(RECORDS)])
    return lambda fault: next(forfeited if fault else clean)


def body_of_chance(pool: Pool, rng: Random, forfeit: bool) -> bytes:
    """Return the body of a game; in some, seat 0 forfeits before its first action."""
    game = games.load(pool.game)
    options = options_from(game.Options, json.loads(pool.options))
    state = game.State(options, pool.players, game.deal(options, pool.players, rng))
    if forfeit:
        state.forfeit(0)
    for _ in steps(state, pool.players, rng):
        pass
    return body_of(game, state, state.result())


def main(count: int, which: str = "") -> None:
    """Make the store, measure, and take it away again; `which` games to watch are asked for."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        stored = made(Path(folder, "store"), count, records)
        print(f"{stored:,} games stored", flush=True)
        site = Path(folder, "site")
        asked = ["publish", f"{folder}/store", "--to", str(site), "--games", which]
        spent = measured(asked, Path(folder, "out"))
        files = [path for path in site.rglob("*") if path.is_file()]
        sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in files}
    print(f"published: {spent}")
    watched = [size for name, size in sizes.items() if name.startswith("games/")]
    largest = max((name for name in sizes if name.endswith(".html")), key=sizes.__getitem__)
    print(
        f"{sum(sizes.values()) / 1e6:.1f} MB in {len(sizes):,} files; {len(watched):,} games to "
        f"watch, {sum(watched) / max(len(watched), 1) / 1e3:.1f} kB each; the largest page is "
        f"{largest}, {sizes[largest] / 1e3:.0f} kB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES, *sys.argv[2:])
