"""Sessions as a host of a cluster returns them, of games that were played at random."""

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from random import Random
from typing import NamedTuple

import games as rules
from arena.cluster.host import Returned
from arena.model import Fixture, Played, Pool, Tally
from arena.records.record import make_body
from arena.store.chunk import make_chunk, split_games
from games import parse_options
from tests.games import playing

KINDS = 512  # of games of a pool, one for each game of a chunk


class Course(NamedTuple):
    body: bytes
    ranks: tuple[int, ...]
    scores: tuple[int, ...]


def returned(pool: Pool, fixtures: Sequence[Fixture]) -> Returned:
    """What may come of a session: other games, under the ids that were asked for."""
    played = [
        Played(fixture, course.body, course.ranks, course.scores, ())
        for fixture, course in zip(fixtures, cycle(courses_of(pool)), strict=False)
    ]
    bots = sorted({bot.name for fixture in fixtures for bot in fixture.line_up})
    decisions = 8 * len(fixtures) * pool.entrants // len(bots)
    tallies = [Tally(bot, decisions, 0.1, 1e-5, (), "") for bot in bots]
    return Returned([make_chunk(pool, part) for part in split_games(played)], tallies, "")


@cache
def courses_of(pool: Pool) -> list[Course]:
    rng, game, found = Random(pool.title), rules.load(pool.game), list[Course]()
    options = parse_options(game.Options, {})
    for _ in range(KINDS):
        state = playing.play(playing.new(game, options, pool.players, rng), pool.players, rng)
        result = state.result()
        body = make_body(game, state, result)
        found.append(Course(body, tuple(result["ranks"]), tuple(result["scores"])))
    return found
