"""A pool's games in columns, as statistics need them: with ids, sides, decks and forfeits. Pure.

`arena.rating.outcomes` has most of it already. Here is what ratings do not need: which game was
which, and which had no forfeit.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

import games as rules
from arena.model import Outcome, Pool
from arena.rating import outcomes
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints


class Forfeit(NamedTuple):
    """A forfeit, by numbers."""

    game: int  # place in `ids`
    seat: int
    kind: str


class GameResult(NamedTuple):
    """How a game ended. Lists are by seat."""

    id: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]  # 1 is best, equal is shared
    scores: tuple[int, ...]
    faults: tuple[str, ...]  # kind, "" for none

    @property
    def standing(self) -> list[tuple[str, int, int, str]]:
        """Bot, rank, score and fault by seat, best first."""
        by_seat = zip(self.bots, self.ranks, self.scores, self.faults, strict=True)
        return sorted(by_seat, key=lambda seat: seat[1])


class Games(NamedTuple):
    """A pool's games. Bots are numbers: places in `names`. Those that count are given by side."""

    pool: Pool
    names: tuple[str, ...]  # in order
    ids: list[str]  # of all games, ascending
    seated: Ints  # (games, seats): bots
    placed: Ints  # (games, seats): ranks
    scored: Ints  # (games, seats): scores
    forfeits: list[Forfeit]  # by game and seat
    seats: Ints  # (sides, seats of a side)
    number: Ints  # (games that count,): places in `ids`, ascending
    bots: Ints  # (games that count, sides, members of a side)
    ranks: Ints  # (games that count, sides)
    scores: Array  # (games that count, sides): the mean of its seats', whose sign makes more better
    won: Array  # (games that count, sides): 1 for a win, a shared one divided among its sharers
    decks: Ints  # (games that count,): equal where games share one
    clean: Flags  # (games that count,): without a forfeit

    @property
    def sides(self) -> int:
        """How many win and lose against each other."""
        return int(self.ranks.shape[1])

    @property
    def sign(self) -> int:
        """-1 where the lower score is the better: scores here are times that."""
        return sign_of(self.pool.game)

    def result(self, number: int) -> GameResult:
        """How the game of a number ended."""
        kinds = [""] * self.pool.players
        first = bisect_left(self.forfeits, number, key=lambda forfeit: forfeit.game)
        for forfeit in self.forfeits[first : first + len(kinds)]:
            if forfeit.game == number:
                kinds[forfeit.seat] = forfeit.kind
        return GameResult(
            self.ids[number],
            tuple(self.names[bot] for bot in self.seated[number].tolist()),
            tuple(self.placed[number].tolist()),
            tuple(self.scored[number].tolist()),
            tuple(kinds),
        )


def sign_of(game: str) -> int:
    """-1 where the lower score of a game is the better, else 1."""
    return -1 if rules.load(game).LOW_WINS else 1


def collect_games(
    pool: Pool, names: Iterable[str], shared: bool, games: Iterable[tuple[Outcome, int]]
) -> Games:
    """Put games into columns. They come in order of id, each with the number of its deal; `shared`:
    the seatings of a line-up share their decks.
    """
    ids, forfeits = list[str](), list[Forfeit]()

    def note_ids_and_forfeits() -> Iterator[tuple[Outcome, int]]:
        for outcome, deal in games:
            if any(outcome.faults):
                faults = enumerate(outcome.faults)
                forfeits.extend(Forfeit(len(ids), seat, kind) for seat, kind in faults if kind)
            ids.append(outcome.id)
            yield outcome, deal

    columns = outcomes.make_columns(pool, names, note_ids_and_forfeits())
    counted = outcomes.select_counted(columns)
    unit, shares = _wins(counted.ranks)
    clean = np.ones(len(ids), dtype=bool)
    clean[[forfeit.game for forfeit in forfeits]] = False
    by_seat = columns.scores[counted.games][:, counted.seats]
    return Games(
        pool,
        columns.names,
        ids,
        columns.bots,
        columns.ranks,
        columns.scores,
        forfeits,
        counted.seats,
        counted.games,
        counted.bots,
        counted.ranks,
        sign_of(pool.game) * by_seat.mean(axis=2),
        shares / unit,
        outcomes.merge_games(columns, counted, shared).cluster,
        clean[counted.games],
    )


def _wins(ranks: Ints) -> tuple[int, Ints]:
    """The units in a whole win, and how many of them each side has of its game's win."""
    won = ranks == ranks.min(axis=1, keepdims=True)
    unit = int(np.lcm.reduce(np.arange(1, ranks.shape[1] + 1)))
    return unit, won * (unit // won.sum(axis=1, keepdims=True))
