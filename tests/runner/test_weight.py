"""What games take in a store: held against stores that hold them."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from arena.model import Bot, Entry, Fault, Limits, Played, Pool, Reason
from arena.runner.weight import weighed
from arena.schedule.order import Schedule, identity_of
from arena.store.caps import GAMES
from arena.store.chunk import chunk_of
from arena.store.schema import FILE
from arena.store.store import Store

pytestmark = pytest.mark.whole


def games(pool: Pool, bots: int, deals: int, faulty: float) -> list[Played]:
    """Return made-up games, in no order, as they come from workers."""
    field = tuple(Bot(f"bot{number:03}", "") for number in range(bots))
    own = Entry(pool, field, deals, "auto", False)
    rng, played = Random(11), list[Played]()
    for fixture in Schedule(own, identity_of(own, Limits(), "none")):
        scores = tuple(rng.randrange(-9, 90) for _ in range(pool.players))
        words = rng.choices(("take", "pass", "card"), k=60)
        body = json.dumps({"actions": words, "seed": rng.getrandbits(64)}).encode()
        fails = rng.random() < faulty
        faults = (Fault(0, 3, Reason("error", "line 1\n" * 30)),) if fails else ()
        played.append(Played(fixture, body, tuple(range(1, pool.players + 1)), scores, faults))
    rng.shuffle(played)
    return played


def stored(folder: Path, pool: Pool, played: Sequence[Played]) -> int:
    store = Store.create_or_open(folder)
    for bot in sorted({bot for game in played for bot in game.fixture.line_up}):
        store.keep_bot(bot, ())
    for at in range(0, len(played), GAMES):
        store.add(pool, chunk_of(pool, played[at : at + GAMES]))
    store.close()
    return (folder / FILE).stat().st_size


@pytest.mark.parametrize(
    ("pool", "bots", "deals", "faulty"),
    [
        (Pool("sixteen", 2, "{}", ""), 40, 10, 0.0),
        (Pool("no_thanks", 3, "{}", ""), 30, 1, 0.0),
        (Pool("no_thanks", 5, "{}", ""), 9, 5, 0.2),
    ],
    ids=["two", "three", "five, with faults"],
)
def test_a_few_games_say_to_a_tenth_what_many_take(
    tmp_path: Path, pool: Pool, bots: int, deals: int, faulty: float
) -> None:
    played = games(pool, bots, deals, faulty)
    line_ups = len({game.fixture.line_up for game in played})
    assert len(played) > 15_000
    some = [chunk_of(pool, played[at : at + 16]) for at in range(0, 512, 16)]
    said = weighed(some, pool.entrants).of(len(played), line_ups)
    assert said == pytest.approx(stored(tmp_path / "cup", pool, played), rel=0.1)


def test_what_is_weighed_scales() -> None:
    pool = Pool("sixteen", 2, "{}", "")
    weight = weighed([chunk_of(pool, games(pool, 8, 2, 0.0))], 2)
    assert weight.of(10**9, 0) == pytest.approx(1000 * weight.of(10**6, 0), rel=1e-6)
    assert weight.of(0, 10**6) == 48 * 10**6
