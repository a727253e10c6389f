"""What a pool's games say of its bots, beyond the standings. Pure.

Who did what against whom, from which seats and with which scores; the games that a bot won or lost
by most; and the games that it forfeited.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.model import FAULTS, Pool
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, added
from arena.site.facts_scores import Scores, scores
from arena.site.stats_games import Games, Kept, Told, sign_of, told
from arena.site.stats_shares import Share, Sums, sums

EXTREMES = 3  # games that a bot won by most, and lost by most
LISTED = 10  # games of a bot with a kind of fault


Small = npt.NDArray[np.integer]


class Record(NamedTuple):
    """What a bot did against another."""

    opponent: str
    ahead: int  # games
    tied: int
    behind: int
    share: Share  # of games ahead, a tie half


class Seat(NamedTuple):
    """What a bot did from the seats of a side."""

    seats: tuple[int, ...]
    wins: Share  # a shared win divided among its sharers
    score: float | None  # the mean; None without games


class Extreme(NamedTuple):
    """A game that a bot won, or lost, by much."""

    game: Told
    lead: float  # in points, of its side before the best other side; below 0, behind it


class Forfeited(NamedTuple):
    """A game that a bot forfeited."""

    game: str  # id
    seat: int


class Forfeits(NamedTuple):
    """A bot's faults of one kind in a pool."""

    kind: str
    total: int
    games: tuple[Forfeited, ...]  # the first of them, in order of id


class PoolFacts(NamedTuple):
    """A pool's facts. Bots are places in `names`. Can be pickled."""

    pool: Pool
    names: tuple[str, ...]  # in order
    seats: tuple[tuple[int, ...], ...]  # by side
    met: Sums  # (bots, bots): how often the row's bot finished ahead of the column's, a tie half
    ahead: Ints  # (bots, bots): games; the transpose has those behind
    won: Sums  # (bots, sides): how often it won from there
    points: Array  # (bots, sides): mean scores; without games, nan
    scores: Scores
    best: tuple[tuple[Extreme, ...], ...]  # by bot: the greatest leads, these first
    worst: tuple[tuple[Extreme, ...], ...]  # by bot: the farthest behind, these first
    forfeits: tuple[tuple[Forfeits, ...], ...]  # by bot, in the order of kinds

    @property
    def low_wins(self) -> bool:
        """Whether the lower score is the better."""
        return sign_of(self.pool.game) < 0

    def records(self, bot: str) -> Iterator[Record]:
        """Yield what a bot of the pool did against each other one that it met, by name."""
        own = self.names.index(bot)
        shares = map(Share, *(each[own].tolist() for each in self.met))
        ahead, behind = self.ahead[own].tolist(), self.ahead[:, own].tolist()
        for name, won, lost, share in zip(self.names, ahead, behind, shares, strict=True):
            if share.games:
                yield Record(name, won, int(share.games) - won - lost, lost, share)

    def by_seat(self, bot: str) -> list[Seat]:
        """Return what a bot of the pool did from each side's seats."""
        own = self.names.index(bot)
        out = []
        for side, seats in enumerate(self.seats):
            wins, mean = self.won.at(own, side), float(self.points[own, side])
            out.append(Seat(seats, wins, mean if wins.games else None))
        return out


def facts_of(games: Games) -> PoolFacts:
    """Return the facts of a pool's games."""
    met, ahead = _met(games)
    won, points = _by_seat(games)
    best, worst = _extremes(games)
    return PoolFacts(
        games.pool,
        games.names,
        tuple(tuple(seats) for seats in games.seats.tolist()),
        met,
        ahead,
        won,
        points,
        scores(games),
        best,
        worst,
        _forfeits(games),
    )


def _met(games: Games) -> tuple[Sums, Ints]:
    """Return how often bots finished ahead of each other, a tie half, and in how many games.

    Each two are looked at once, from the one of the lower number: of a million games every copy of
    such columns counts.
    """
    bots, members = len(games.names), games.bots.shape[2]
    at, values = list[Small](), list[Small]()
    for one, other in combinations(range(games.sides), 2):
        halves = 1 + np.sign(games.ranks[:, other] - games.ranks[:, one])
        for member, opponent in product(range(members), repeat=2):
            mine, theirs = games.bots[:, one, member], games.bots[:, other, opponent]
            first = mine < theirs
            place = np.where(first, mine * bots + theirs, theirs * bots + mine)
            at.append(place.astype(np.int32))
            values.append(np.where(first, halves, 2 - halves).astype(np.int8))
    decks = np.tile(games.decks.astype(np.int32), len(at))
    place, value = np.concatenate(at), np.concatenate(values)
    del at, values
    wins, losses = (np.bincount(place[value == each], minlength=bots * bots) for each in (2, 0))
    ahead, behind = wins.reshape(bots, bots), losses.reshape(bots, bots)
    found = sums(place, value / np.float32(2), decks, bots * bots).shaped(bots, bots)
    turned = Sums(*(each.T for each in found.complement()))
    return found.plus(turned), ahead + behind.T


def _by_seat(games: Games) -> tuple[Sums, Array]:
    """Return how often each bot won from each side's seats, and its mean score there."""
    bots, sides, members = len(games.names), games.sides, games.bots.shape[2]
    at = (games.bots * sides + np.arange(sides)[:, None]).transpose(2, 0, 1).ravel()
    decks = np.tile(np.repeat(games.decks, sides), members)
    found = sums(at, np.tile(games.won.ravel(), members), decks, bots * sides)
    points = added(at, np.tile(games.sign * games.scores.ravel(), members), bots * sides)
    with np.errstate(invalid="ignore"):
        means = points / found.games
    return found.shaped(bots, sides), means.reshape(bots, sides)


def leads(games: Games) -> Array:
    """Return by how many points each side was before the best other one: (games, sides)."""
    if games.sides < 2:
        return np.zeros(games.scores.shape)
    ordered = np.sort(games.scores, axis=1)
    best, next_best = ordered[:, -1:], ordered[:, -2:-1]
    others = np.where(games.scores == best, next_best, best)
    return games.scores - others


def _extremes(games: Games) -> tuple[tuple[tuple[Extreme, ...], ...], ...]:
    """Return by bot the games that it won by most, and those that it lost by most, of those that
    nobody forfeited; of equals that of the lowest id.
    """
    lead = leads(games)
    best: list[tuple[Extreme, ...]] = []
    worst: list[tuple[Extreme, ...]] = []
    for bot in range(len(games.names)):
        mine = (games.bots == bot).any(axis=2) & games.clean[:, None]
        game, side = np.nonzero(mine)
        own, first = lead[game, side], games.ranks[game, side] == 1
        for out, sign, fits in ((best, -1, first), (worst, 1, ~first)):
            order = np.argsort(np.where(fits, sign * own, np.inf), kind="stable")
            some = [at for at in order[:EXTREMES] if fits[at]]
            out.append(
                tuple(
                    Extreme(told(games, int(games.number[game[at]])), float(own[at])) for at in some
                )
            )
    return tuple(best), tuple(worst)


def _forfeits(games: Games) -> tuple[tuple[Forfeits, ...], ...]:
    """Return by bot the faults by kind."""
    found: list[dict[str, list[Kept]]] = [{} for _ in games.names]
    for each in games.forfeits:
        found[int(games.seated[each.game, each.seat])].setdefault(each.kind, []).append(each)

    def first(own: list[Kept]) -> tuple[Forfeited, ...]:
        return tuple(Forfeited(games.ids[each.game], each.seat) for each in own[:LISTED])

    return tuple(
        tuple(Forfeits(kind, len(own[kind]), first(own[kind])) for kind in FAULTS if kind in own)
        for own in found
    )
