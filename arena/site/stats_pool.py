"""What a pool's games say of its bots, beyond the standings. Pure.

Bots' results against each other, by seat, and their scores; the games that each bot won or lost by
most; and the games that it forfeited.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.model import FAULTS, Pool
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, sum_by
from arena.site.stats_games import Forfeit, GameResult, Games, sign_of
from arena.site.stats_shares import Share, Sums, add_up

EXTREMES = 3  # games that a bot won by most, and lost by most
LISTED = 10  # games of a bot with a kind of fault
BINS = 24  # of scores, at most, the two open ones beside them
TAIL = 0.005  # of the pool's scores that lie beyond each end

Small = npt.NDArray[np.integer]


class Record(NamedTuple):
    """What a bot did against another."""

    opponent: str
    ahead: int  # games
    tied: int
    behind: int
    share: Share  # of games ahead, a tie half
    expected: float | None = None  # that share by the ratings, where they are known and say it


class Seat(NamedTuple):
    """What a bot did from the seats of a side."""

    seats: tuple[int, ...]
    wins: Share  # a shared win divided among its sharers
    score: float | None  # the mean; None without games


class Extreme(NamedTuple):
    """A game that a bot won, or lost, by much."""

    game: GameResult
    lead: float  # in points, of its side before the best other side; below 0, behind it


class Forfeits(NamedTuple):
    """A bot's faults of one kind in a pool."""

    kind: str
    total: int
    games: tuple[tuple[str, int], ...]  # (id, seat) of the first of them, in order of id


class Spread(NamedTuple):
    """A bot's scores."""

    games: int  # that its side did not forfeit
    counts: tuple[int, ...]  # by bin: below the first, the bins, and above the last
    quartiles: tuple[float, ...]  # lowest, lower quartile, median, upper quartile, highest


class Scores(NamedTuple):
    """A pool's scores."""

    first: int  # where the first bin begins
    width: int  # of a bin, in points
    bots: tuple[Spread, ...]  # by bot, in the order of names
    everybody: Spread


class PoolStats(NamedTuple):
    """A pool's statistics. Bots are places in `names`. Can be pickled."""

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
        """What a bot of the pool did against each other one that it met, by name."""
        number = self.names.index(bot)
        shares = map(Share, *(sums[number].tolist() for sums in self.met))
        ahead, behind = self.ahead[number].tolist(), self.ahead[:, number].tolist()
        for name, won, lost, share in zip(self.names, ahead, behind, shares, strict=True):
            if share.games:
                yield Record(name, won, int(share.games) - won - lost, lost, share)

    def by_seat(self, bot: str) -> list[Seat]:
        """What a bot of the pool did from each side's seats."""
        number = self.names.index(bot)
        out = []
        for side, seats in enumerate(self.seats):
            wins, mean = self.won.at(number, side), float(self.points[number, side])
            out.append(Seat(seats, wins, mean if wins.games else None))
        return out


def pool_stats(games: Games) -> PoolStats:
    """Make the statistics of a pool's games."""
    met, ahead = _met(games)
    won, points = _by_seat(games)
    best, worst = _extremes(games)
    return PoolStats(
        games.pool,
        games.names,
        tuple(tuple(seats) for seats in games.seats.tolist()),
        met,
        ahead,
        won,
        points,
        _scores(games),
        best,
        worst,
        _forfeits(games),
    )


def _met(games: Games) -> tuple[Sums, Ints]:
    """How often bots finished ahead of each other, a tie half, and in how many games.

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
    half = add_up(place, value / np.float32(2), decks, bots * bots).shaped(bots, bots)
    other_half = Sums(*(sums.T for sums in half.complement()))
    return half.plus(other_half), ahead + behind.T


def _by_seat(games: Games) -> tuple[Sums, Array]:
    """How often each bot won from each side's seats, and its mean score there."""
    bots, sides, members = len(games.names), games.sides, games.bots.shape[2]
    at = (games.bots * sides + np.arange(sides)[:, None]).transpose(2, 0, 1).ravel()
    decks = np.tile(np.repeat(games.decks, sides), members)
    won = add_up(at, np.tile(games.won.ravel(), members), decks, bots * sides)
    points = sum_by(at, np.tile(games.sign * games.scores.ravel(), members), bots * sides)
    with np.errstate(invalid="ignore"):
        means = points / won.games
    return won.shaped(bots, sides), means.reshape(bots, sides)


def leads(games: Games) -> Array:
    """By how many points each side was ahead of the best other one: (games, sides)."""
    if games.sides < 2:
        return np.zeros(games.scores.shape)
    ordered = np.sort(games.scores, axis=1)
    best, next_best = ordered[:, -1:], ordered[:, -2:-1]
    others = np.where(games.scores == best, next_best, best)
    return games.scores - others


def _extremes(games: Games) -> tuple[tuple[tuple[Extreme, ...], ...], ...]:
    """By bot, the games that it won by most, and those that it lost by most. Games with a forfeit
    are left out; of equals the lowest id comes first.
    """
    lead = leads(games)
    best: list[tuple[Extreme, ...]] = []
    worst: list[tuple[Extreme, ...]] = []
    for bot in range(len(games.names)):
        mine = (games.bots == bot).any(axis=2) & games.clean[:, None]
        game, side = np.nonzero(mine)
        leads_of_bot, first = lead[game, side], games.ranks[game, side] == 1
        for out, sign, fits in ((best, -1, first), (worst, 1, ~first)):
            order = np.argsort(np.where(fits, sign * leads_of_bot, np.inf), kind="stable")
            some = [at for at in order[:EXTREMES] if fits[at]]
            results = [games.result(int(games.number[game[at]])) for at in some]
            out.append(tuple(map(Extreme, results, leads_of_bot[some].tolist())))
    return tuple(best), tuple(worst)


def _scores(games: Games) -> Scores:
    """The scores of the games that count, of seats whose side did not forfeit."""
    by_seat = games.scored[games.number][:, games.seats]  # (games, sides, seats of a side)
    points = np.rint(by_seat.mean(axis=2)).astype(np.int64)
    fair = np.ones(games.scored.shape, dtype=bool)
    for forfeit in games.forfeits:
        fair[forfeit.game, forfeit.seat] = False
    played = fair[games.number][:, games.seats].all(axis=2)
    everybody = np.sort(points[played])
    first, width, bins = _bins(everybody)
    spreads = []
    for bot in range(len(games.names)):
        by_bot = played & (games.bots == bot).any(axis=2)
        spreads.append(_spread(np.sort(points[by_bot]), first, width, bins))
    return Scores(first, width, tuple(spreads), _spread(everybody, first, width, bins))


def _bins(ordered: Ints) -> tuple[int, int, int]:
    """Where bins begin, how wide they are and how many, for scores in ascending order."""
    if not len(ordered):
        return 0, 1, 0
    low, high = int(_at(ordered, TAIL)), int(_at(ordered, 1 - TAIL))
    width = next(
        width
        for power in range(20)
        for width in (10**power, 2 * 10**power, 5 * 10**power)
        if high // width - low // width < BINS
    )
    first = low // width
    return first * width, width, high // width - first + 1


def _spread(ordered: Ints, first: int, width: int, bins: int) -> Spread:
    place = np.clip((ordered - first) // width + 1, 0, bins + 1)
    counts = np.bincount(place, minlength=bins + 2)
    quartiles = [_at(ordered, share) for share in (0, 0.25, 0.5, 0.75, 1)] if len(ordered) else []
    return Spread(len(ordered), tuple(counts.tolist()), tuple(quartiles))


def _at(ordered: Ints, share: float) -> float:
    """A quantile of ascending numbers, interpolated between two neighbours."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (at - low) * (ordered[high] - ordered[low]))


def _forfeits(games: Games) -> tuple[tuple[Forfeits, ...], ...]:
    """The faults of each bot by kind."""
    by_bot: list[dict[str, list[Forfeit]]] = [{} for _ in games.names]
    for forfeit in games.forfeits:
        bot = int(games.seated[forfeit.game, forfeit.seat])
        by_bot[bot].setdefault(forfeit.kind, []).append(forfeit)

    def first(forfeits: list[Forfeit]) -> tuple[tuple[str, int], ...]:
        return tuple((games.ids[each.game], each.seat) for each in forfeits[:LISTED])

    return tuple(
        tuple(
            Forfeits(kind, len(by_kind[kind]), first(by_kind[kind]))
            for kind in FAULTS
            if kind in by_kind
        )
        for by_kind in by_bot
    )
