"""A host that plays nothing, for `tests.benchmarks.fleet`: `dask worker --preload` this.

What arena has a host do (`arena.cluster.host`) is replaced in the process of Dask's worker: a host
is always in order, and what it returns of a session are games that were played at random, under the
ids that were asked for. All between that and the store is arena's own and Dask's.
"""

import pickle
import threading
from collections.abc import Sequence
from functools import cache
from itertools import cycle
from random import Random
from typing import NamedTuple

import games as rules
from arena.cluster import host as far
from arena.model import Fixture, Played, Pool, Tally
from arena.records.record import make_body
from arena.session.session import Job
from arena.store.chunk import make_chunk, split_games
from games import parse_options
from tests.games import playing

KINDS = 512  # of games of a pool, one for each game of a chunk
DECISIONS = 8  # of a bot a game, as a tally says


class Idler:
    """A host that plays nothing, in the place of `arena.cluster.host.Host`."""

    def __init__(self) -> None:
        self.stopping = threading.Event()


class Course(NamedTuple):
    body: bytes
    ranks: tuple[int, ...]
    scores: tuple[int, ...]


def play(host: Idler, job: bytes) -> bytes:
    asked: Job = pickle.loads(job)
    return pickle.dumps(returned(asked.pool, list(asked.fixtures)), pickle.HIGHEST_PROTOCOL)


def returned(pool: Pool, fixtures: Sequence[Fixture]) -> far.Returned:
    """What may come of a session: other games, told as those that were asked for."""
    played = [
        Played(fixture, course.body, course.ranks, course.scores, ())
        for fixture, course in zip(fixtures, cycle(courses_of(pool)), strict=False)
    ]
    bots = sorted({bot.name for fixture in fixtures for bot in fixture.line_up})
    decisions = DECISIONS * len(fixtures) * pool.entrants // len(bots)
    tallies = [Tally(bot, decisions, 0.1, 1e-5, (), "") for bot in bots]
    return far.Returned([make_chunk(pool, part) for part in split_games(played)], tallies, "")


@cache
def courses_of(pool: Pool) -> list[Course]:
    """Games that are played by the rules, at random."""
    rng, game, found = Random(pool.title), rules.load(pool.game), list[Course]()
    options = parse_options(game.Options, {})
    for _ in range(KINDS):
        state = playing.play(playing.new(game, options, pool.players, rng), pool.players, rng)
        result = state.result()
        body = make_body(game, state, result)
        found.append(Course(body, tuple(result["ranks"]), tuple(result["scores"])))
    return found


def dask_setup(worker: object) -> None:
    vars(far).update(prepare=lambda wanted, kit: Idler(), load=lambda host, bots: {}, play=play)
