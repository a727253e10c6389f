"""Statistics of a pool's games and bots, beyond the standings. Pure.

The games in columns, with what ratings do not need of them: ids, forfeits, decks. Then bots'
results against each other and by seat, their scores, the best, worst and closest game of each, and
those that it forfeited.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

import games as rules
from arena.faults.kinds import KINDS
from arena.model import Outcome, Pool, Sharing
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import (
    CountedGames,
    GameColumns,
    Ints,
    make_columns,
    merge_games,
    select_counted,
    share_wins,
    sum_by,
)
from arena.site.histograms import Histograms, draw_histograms
from arena.site.shares import Share, Sums, add_up

LISTED = 10  # games of a bot with a kind of fault

ExtremeKind = Literal["best", "worst", "closest"]
EXTREMES: tuple[ExtremeKind, ...] = get_args(ExtremeKind)

Small = npt.NDArray[np.integer]


class Games(NamedTuple):
    """A pool's games. What is by side is of those that count."""

    columns: GameColumns
    counted: CountedGames
    ids: list[str]  # of all games, ascending
    forfeits: list[tuple[int, int, str]]  # place in `ids`, seat and kind, in that order
    sign: int  # -1 where the lower score is the better
    scores: Array  # (games that count, sides): the mean of its seats', times the sign
    won: Array  # (games that count, sides): 1 for a win, a shared one divided among its sharers
    decks: Ints  # (games that count,): equal where games share one
    clean: Flags  # (games that count,): without a forfeit

    @property
    def sides(self) -> int:
        """The number of sides that win and lose against each other."""
        return len(self.counted.seats)

    def outcome(self, number: int) -> Outcome:
        """The outcome of the game of a number."""
        columns = self.columns
        kinds = [""] * columns.pool.players
        first = bisect_left(self.forfeits, (number,))
        for game, seat, kind in self.forfeits[first : first + len(kinds)]:
            if game == number:
                kinds[seat] = kind
        return Outcome(
            self.ids[number],
            tuple(columns.names[bot] for bot in columns.bots[number].tolist()),
            tuple(columns.ranks[number].tolist()),
            tuple(columns.scores[number].tolist()),
            tuple(kinds),
        )


def collect_games(
    pool: Pool, names: Iterable[str], shared: Sharing, games: Iterable[tuple[Outcome, int]]
) -> Games:
    """Put games into columns. They come in order of id, each with the number of its deal; `shared`:
    the seatings of a line-up share their decks.
    """
    ids, forfeits = list[str](), list[tuple[int, int, str]]()

    def note_ids_and_forfeits() -> Iterator[tuple[Outcome, int]]:
        for outcome, deal in games:
            if any(outcome.faults):
                faults = enumerate(outcome.faults)
                forfeits.extend((len(ids), seat, kind) for seat, kind in faults if kind)
            ids.append(outcome.id)
            yield outcome, deal

    columns = make_columns(pool, names, note_ids_and_forfeits())
    counted = select_counted(columns)
    unit, shares = share_wins(counted)
    clean = np.ones(len(ids), dtype=bool)
    clean[[game for game, *_ in forfeits]] = False
    sign = -1 if rules.load(pool.game).LOW_WINS else 1
    return Games(
        columns=columns,
        counted=counted,
        ids=ids,
        forfeits=forfeits,
        sign=sign,
        scores=sign * columns.scores[counted.games][:, counted.seats].mean(axis=2),
        won=shares / unit,
        decks=merge_games(columns, counted, shared).cluster,
        clean=clean[counted.games],
    )


class Record(NamedTuple):
    """The record of a bot against another."""

    opponent: str
    ahead: int  # games
    tied: int
    behind: int
    share: Share  # of games ahead, a tie half
    expected: float | None = None  # that share by the ratings, where they are known and say it


class Seat(NamedTuple):
    """The record of a bot in the seats of a side."""

    seats: tuple[int, ...]
    wins: Share  # a shared win divided among its sharers
    score: float | None  # the mean; None without games


class Extreme(NamedTuple):
    """A game that a bot won or lost by most, or by least."""

    pool: Pool
    game: Outcome
    lead: float  # in points, of its side before the best other side; below 0, behind it
    usual: float  # how many points the games of the pool are won by, in the mean

    @property
    def weight(self) -> float:
        """The lead, so that it can be compared with one in another pool."""
        return self.lead / self.usual


class BotGames(NamedTuple):
    """The games of a bot to look at first, of one pool or of several; None where it has none.

    Games with a forfeit are left out.
    """

    best: Extreme | None = None  # that it won by most
    worst: Extreme | None = None  # that it did not win, farthest behind the winner
    closest: Extreme | None = None  # with one winner, who was least ahead of it or it of the next

    @property
    def by_kind(self) -> "list[tuple[ExtremeKind, Extreme]]":
        """The games that there are, with their kinds."""
        return [(kind, game) for kind, game in zip(EXTREMES, self, strict=True) if game]


def merge_bot_games(pools: Iterable[BotGames]) -> BotGames:
    """Choose the best, worst and closest of a bot's games of several pools."""
    all_of = zip(BotGames(), *pools, strict=True)
    best, worst, closest = ([one for one in kind if one] for kind in all_of)
    return BotGames(
        max(best, key=lambda one: one.weight, default=None),
        min(worst, key=lambda one: one.weight, default=None),
        min(closest, key=lambda one: abs(one.weight), default=None),
    )


class Forfeits(NamedTuple):
    """A bot's faults of one kind in a pool."""

    kind: str
    total: int
    games: tuple[tuple[str, int], ...]  # (id, seat) of the first of them, in order of id


class PoolStats(NamedTuple):
    """A pool's statistics. Bots are places in `names`. Can be pickled."""

    pool: Pool
    names: tuple[str, ...]  # in order
    low_wins: bool  # whether the lower score is the better
    seats: tuple[tuple[int, ...], ...]  # by side
    met: Sums  # (bots, bots): how often the row's bot finished ahead of the column's, a tie half
    ahead: Ints  # (bots, bots): games; the transpose has those behind
    won: Sums  # (bots, sides): how often it won from there
    points: Array  # (bots, sides): mean scores; without games, nan
    scores: Histograms  # of seats whose side did not forfeit
    extremes: tuple[BotGames, ...]  # by bot
    forfeits: tuple[tuple[Forfeits, ...], ...]  # by bot, in the order of kinds

    def records(self, bot: str) -> Iterator[Record]:
        """Yield a bot's records against the others of the pool that it met, by name."""
        number = self.names.index(bot)
        shares = map(Share, *(sums[number].tolist() for sums in self.met))
        ahead, behind = self.ahead[number].tolist(), self.ahead[:, number].tolist()
        for name, won, lost, share in zip(self.names, ahead, behind, shares, strict=True):
            if share.games:
                yield Record(name, won, int(share.games) - won - lost, lost, share)

    def by_seat(self, bot: str) -> list[Seat]:
        """List a bot's records by the side whose seats it had."""
        number = self.names.index(bot)
        out = []
        for side, seats in enumerate(self.seats):
            wins, mean = self.won.at(number, side), float(self.points[number, side])
            out.append(Seat(seats, wins, mean if wins.games else None))
        return out


def pool_stats(games: Games) -> PoolStats:
    met, ahead = _count_meetings(games)
    won, points = _by_seat(games)
    return PoolStats(
        pool=games.columns.pool,
        names=games.columns.names,
        low_wins=games.sign < 0,
        seats=tuple(tuple(seats) for seats in games.counted.seats.tolist()),
        met=met,
        ahead=ahead,
        won=won,
        points=points,
        scores=_scores(games),
        extremes=tuple(find_extremes(games, range(len(games.columns.names)))),
        forfeits=_forfeits(games),
    )


def _count_meetings(games: Games) -> tuple[Sums, Ints]:
    """Count how often bots finished ahead of each other, a tie half, and their games.

    Each two are looked at once, from the one of the lower number: of a million games every copy of
    such columns counts.
    """
    counted, bots = games.counted, len(games.columns.names)
    members = counted.bots.shape[2]
    at, values = list[Small](), list[Small]()
    for one, other in combinations(range(games.sides), 2):
        halves = 1 + np.sign(counted.ranks[:, other] - counted.ranks[:, one])
        for member, opponent in product(range(members), repeat=2):
            mine, theirs = (
                counted.bots[:, one, member],
                counted.bots[:, other, opponent],
            )
            first = mine < theirs
            place = np.where(first, mine * bots + theirs, theirs * bots + mine)
            at.append(place.astype(np.int32))
            values.append(np.where(first, halves, 2 - halves).astype(np.int8))
    decks = np.tile(games.decks.astype(np.int32), len(at))
    place, value = np.concatenate(at), np.concatenate(values)
    del at, values
    wins, losses = (np.bincount(place[value == points], minlength=bots * bots) for points in (2, 0))
    ahead, behind = wins.reshape(bots, bots), losses.reshape(bots, bots)
    half = add_up(place, value / np.float32(2), decks, (bots, bots))
    other_half = Sums(*(sums.T for sums in half.complement()))
    return half.plus(other_half), ahead + behind.T


def _by_seat(games: Games) -> tuple[Sums, Array]:
    bots, sides, members = len(games.columns.names), games.sides, games.counted.bots.shape[2]
    at = (games.counted.bots * sides + np.arange(sides)[:, None]).transpose(2, 0, 1).ravel()
    decks = np.tile(np.repeat(games.decks, sides), members)
    won = add_up(at, np.tile(games.won.ravel(), members), decks, (bots, sides))
    points = sum_by(at, np.tile(games.sign * games.scores.ravel(), members), bots * sides)
    with np.errstate(invalid="ignore"):
        return won, points.reshape(bots, sides) / won.games


def leads(games: Games) -> Array:
    """The points by which a side was ahead of the best other one: (games, sides)."""
    if games.sides < 2:
        return np.zeros(games.scores.shape)
    ordered = np.sort(games.scores, axis=1)
    best, next_best = ordered[:, -1:], ordered[:, -2:-1]
    others = np.where(games.scores == best, next_best, best)
    return games.scores - others


def find_extremes(games: Games, bots: Iterable[int]) -> Iterator[BotGames]:
    """Find the best, worst and closest game of each of these bots; of equals the lowest id."""
    lead, first, won, usual = _wins(games)
    for bot in bots:
        mine = (games.counted.bots == bot).any(axis=2) & games.clean[:, None]

        extremes = list[Extreme | None]()
        for fits, order in ((first, -lead), (~first, lead), (won, abs(lead))):
            fitting = np.where(mine & fits, order, np.inf)
            game, side = divmod(int(fitting.argmin()), games.sides) if fitting.size else (0, 0)
            if not fitting.size or np.isinf(fitting[game, side]):
                extremes.append(None)
                continue
            outcome = games.outcome(int(games.counted.games[game]))
            its_lead = float(lead[game, side])
            extremes.append(Extreme(games.columns.pool, outcome, its_lead, usual))
        yield BotGames(*extremes)


def _wins(games: Games) -> tuple[Array, Flags, Flags, float]:
    """The leads of sides, whether they came first, the games that one side won alone without a
    forfeit, and how many points these are won by in the mean: 1 where there are none.
    """
    lead, first = leads(games), games.counted.ranks == 1
    won = games.clean[:, None] & (first.sum(axis=1, keepdims=True) == 1)
    usual = float(lead[won & first].mean()) if won.any() else 0.0
    return lead, first, won, usual or 1.0


def find_lost(games: Games, bot: int) -> Iterator[Extreme]:
    """The games without a forfeit that a bot did not win, farthest behind the winner first; of
    equals the lowest id first.
    """
    lead, first, _, usual = _wins(games)
    mine = (games.counted.bots == bot).any(axis=2)
    lost = (mine.any(axis=1) & ~(mine & first).any(axis=1) & games.clean).nonzero()[0]
    best = np.where(mine, lead, -np.inf).max(axis=1)
    for game in lost[np.argsort(best[lost], kind="stable")].tolist():
        outcome = games.outcome(int(games.counted.games[game]))
        yield Extreme(games.columns.pool, outcome, float(best[game]), usual)


def _scores(games: Games) -> Histograms:
    number, seats, bots, _ = games.counted
    by_seat = games.columns.scores[number][:, seats]  # (games, sides, seats of a side)
    points = np.rint(by_seat.mean(axis=2)).astype(np.int64)
    fair = np.ones(games.columns.scores.shape, dtype=bool)
    for game, seat, _ in games.forfeits:
        fair[game, seat] = False
    played = fair[number][:, seats].all(axis=2)
    by_bot = (points[played & (bots == bot).any(axis=2)] for bot in range(len(games.columns.names)))
    return draw_histograms(points[played], by_bot)


def _forfeits(games: Games) -> tuple[tuple[Forfeits, ...], ...]:
    by_bot: list[dict[str, list[tuple[str, int]]]] = [{} for _ in games.columns.names]
    for game, seat, kind in games.forfeits:
        by_kind = by_bot[int(games.columns.bots[game, seat])]
        by_kind.setdefault(kind, []).append((games.ids[game], seat))
    return tuple(
        tuple(
            Forfeits(kind, len(by_kind[kind]), tuple(by_kind[kind][:LISTED]))
            for kind in KINDS
            if kind in by_kind
        )
        for by_kind in by_bot
    )
