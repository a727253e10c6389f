"""Results of a pool's games: in columns; merged for ratings; and counted by bot, pair and seat.

A million games of a dozen bots merge into some thousands of sites, games that ended alike, and
their order is lost on the way: sites stand in an order of their own, by the bots' names. Shares of
wins are kept in units that make them whole, so that sums are exact and depend on no order. Pure;
numpy takes its time to load, so import this where it is used.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import permutations, product
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import games
from arena.model import Mirrored, Outcome, Pool, Sharing
from arena.rating.gaussian import Array, Flags

Ints = npt.NDArray[np.int64]
Weights = Mapping[tuple[str, ...], float]  # of a game, by its bots in order


class GameColumns(NamedTuple):
    """Results of a pool's games. Bots are numbers: places in `names`."""

    pool: Pool
    names: tuple[str, ...]  # in order
    bots: Ints  # (games, seats)
    ranks: Ints  # (games, seats): 1 is best, equal is shared
    scores: Ints  # (games, seats)
    deals: Ints  # (games,)
    faults: Counter[tuple[str, str]]  # by bot and kind


class CountedGames(NamedTuple):
    """The games that count: their numbers, and the bots and rank of each side."""

    games: Ints  # (games that count,): their numbers in the columns
    seats: Ints  # (sides, seats of a side), sides by their first seat
    bots: Ints  # (games that count, sides, members of a side): each bot once, ascending
    ranks: Ints  # (games that count, sides)


class Sites(NamedTuple):
    """Different endings, in canonical order."""

    bots: Ints  # (places, members of a side, sites): best first, a shared place by seat
    ties: Flags  # (places - 1, sites): whether a place is shared with the next
    counts: Ints  # (sites,): games that ended so
    evidence: Array  # (sites,): the same, weighted; all games weigh 1 on average


class MergedGames(NamedTuple):
    """The games that count, merged: what ratings take of them."""

    sites: Sites
    site: Ints  # (games that count,)
    cluster: Ints  # (games that count,): equal for games that share their deck
    line_ups: Ints  # (bots at a table, clusters): ascending
    strata: tuple[Ints, ...] = ()  # (clusters,) each, finest first: of decks played alike
    seats: Ints | None = None  # where each of `line_ups` sat first; None where all are played
    twins: Ints | None = None  # (clusters,): the one with the other bot on the same deck, or -1

    @property
    def decks(self) -> int:
        """The number of decks that were played: twins are one."""
        shared = 0 if self.twins is None else int((self.twins >= 0).sum()) // 2
        return int(self.line_ups.shape[1]) - shared


def make_columns(
    pool: Pool, names: Iterable[str], games: Iterable[tuple[Outcome, int]]
) -> GameColumns:
    """Put games in columns, in the order given; each comes with the number of its deal.

    `names` holds all bots that play in them, and maybe more.
    """
    names = sorted(names)
    number = {name: index for index, name in enumerate(names)}
    bots, ranks, scores, deals = array("q"), array("q"), array("q"), array("q")
    faults: Counter[tuple[str, str]] = Counter()
    for outcome, deal in games:
        bots.extend([number[bot] for bot in outcome.bots])
        ranks.extend(outcome.ranks)
        scores.extend(outcome.scores)
        deals.append(deal)
        if any(outcome.faults):
            faults.update((b, f) for b, f in zip(outcome.bots, outcome.faults, strict=True) if f)
    seats = [np.array(column).reshape(-1, pool.players) for column in (bots, ranks, scores)]
    return GameColumns(
        pool=pool,
        names=tuple(names),
        bots=seats[0],
        ranks=seats[1],
        scores=seats[2],
        deals=np.array(deals),
        faults=faults,
    )


def find_seats_of_sides(pool: Pool) -> tuple[tuple[int, ...], ...]:
    """The seats of each side, sides by their first seat."""
    if not pool.partners:
        return tuple((seat,) for seat in range(pool.players))
    side = games.load(pool.game).side
    by_side: dict[int, list[int]] = {}
    for seat in range(pool.players):
        by_side.setdefault(side(seat), []).append(seat)
    return tuple(tuple(seats) for seats in by_side.values())


def select_counted(table: GameColumns) -> CountedGames:
    """Select the games that count, in the order of the columns.

    A team that is one bot twice is one competitor. A game with one bot on two sides says nothing
    and is left out.
    """
    seats = np.array(find_seats_of_sides(table.pool))
    bots = np.sort(table.bots[:, seats], axis=2)
    if table.pool.partners == "same":
        bots = bots[:, :, :1]
    everybody = np.sort(_flatten(bots), axis=1)
    counting = np.flatnonzero((np.diff(everybody, axis=1) > 0).all(axis=1))
    return CountedGames(counting, seats, bots[counting], table.ranks[counting][:, seats[:, 0]])


def merge_games(
    table: GameColumns, counted: CountedGames, shared: Sharing, drawn: Weights | None = None
) -> MergedGames:
    """Merge the games that count: those that ended alike become one site.

    `shared`: all seatings of a line-up and deal share one deck; otherwise every game has its own,
    or in a match every two in which the bots compared have exchanged their seats. A deck that these
    play apart has a cluster of each, and they are twins: a cluster has one line-up.
    `drawn`: what games weigh, where line-ups are a sample; these are no strata.
    Sides that share a place stand by seat. Of three that tie the middle one is compared twice, and
    a schedule balances seats, not names.
    """
    order = np.argsort(counted.ranks, axis=1, kind="stable")
    bots = np.take_along_axis(counted.bots, order[:, :, None], axis=1)
    ties = np.diff(np.take_along_axis(counted.ranks, order, axis=1), axis=1) == 0
    site, first = number_rows(np.hstack([_flatten(bots), ties]))
    line_up, counts = np.sort(_flatten(bots), axis=1), np.bincount(site, minlength=len(first))
    weighed = counts * np.ones(len(counts))
    if drawn is not None:
        weighed *= [drawn[tuple(table.names[bot] for bot in row)] for row in line_up[first]]
    sites = Sites(
        np.ascontiguousarray(bots[first].transpose(1, 2, 0)),
        np.ascontiguousarray(ties[first].T),
        counts,
        weighed * (len(site) / (weighed.sum() or 1)),
    )
    seated, deals = table.bots[counted.games], table.deals[counted.games]
    if isinstance(shared, Mirrored):  # they count as one bot, which none is
        two = [table.names.index(bot) for bot in shared.bots]
        seated = np.where(np.isin(seated, two), len(table.names), seated)
    cluster, first = number_rows(
        np.hstack([line_up, deals[:, None], *([] if shared is True else [seated])])
    )
    line_ups = line_up[first]
    if drawn is not None:
        return MergedGames(sites=sites, site=site, cluster=cluster, line_ups=line_ups.T)
    by_line_up, _ = number_rows(line_ups)
    if shared is True:
        return MergedGames(
            sites=sites, site=site, cluster=cluster, line_ups=line_ups.T, strata=(by_line_up,)
        )
    if isinstance(shared, Mirrored):
        strata = (number_rows(np.hstack([line_ups, seated[first]]))[0], by_line_up)
        twins = None
        if shared.never_meet:
            twins = _find_twins(np.hstack([deals[first, None], seated[first]]))
        return MergedGames(
            sites=sites, site=site, cluster=cluster, line_ups=line_ups.T, strata=strata, twins=twins
        )
    # A number for each row sorts faster; 64 bits hold 10^18, a thousand bots in six seats.
    seating = seated[first] @ len(table.names) ** np.arange(seated.shape[1])[::-1]
    strata = (number_rows(seating[:, None])[0], by_line_up)
    seats = (seated[first][:, :, None] == line_ups[:, None, :]).argmax(axis=1)
    return MergedGames(
        sites=sites, site=site, cluster=cluster, line_ups=line_ups.T, strata=strata, seats=seats.T
    )


def _find_twins(decks: Ints) -> Ints:
    """The other cluster whose row is the same, by cluster; -1 if there is none."""
    deck, _ = number_rows(decks)
    order = np.argsort(deck, kind="stable")
    same = deck[order[1:]] == deck[order[:-1]]
    one, other = order[:-1][same], order[1:][same]
    twins = np.full(len(deck), -1)
    twins[one], twins[other] = other, one
    return twins


def _flatten(bots: Ints) -> Ints:
    return bots.reshape(len(bots), bots.shape[1] * bots.shape[2])


def number_rows(rows: npt.NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Number rows by value: the place of each among the distinct ones, ascending.

    The second array has the index of the first row of each.
    """
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place = np.empty(len(rows), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return place, order[new]


def find_distinct(at: Ints) -> Ints:
    """The distinct ones among numbers of 0 or more, ascending.

    `np.unique` would do as well, but loads all of numpy.ma, which takes a third of numpy's own
    time.
    """
    return np.flatnonzero(np.bincount(at.ravel()))


def sum_by(at: Ints, weights: npt.ArrayLike, size: int) -> npt.NDArray[np.float64]:
    """The sums of `weights` by number: added one after the other, so the same on any machine."""
    every = np.broadcast_to(np.asarray(weights, dtype=np.float64), at.shape)
    return np.bincount(at.ravel(), every.ravel(), size).astype(np.float64, copy=False)


class Tallies(NamedTuple):
    """Each bot's games, wins and scores, added up: (bots,) each."""

    games: Ints  # in which it had a seat
    counted: Ints  # of these, the ones that count
    wins: Array  # 1 for a win, a shared one divided among its sharers
    scores: Array  # the mean of its seats', summed over the games that count


class PairTallies(NamedTuple):
    """Games and wins of two bots at one table: (bots, bots) each, the row's bot's with the
    column's.
    """

    games: Ints  # on different sides of one table
    ahead: Array  # finished ahead of the other, a tie half
    wins: Array  # won, with the other against it
    left_games: Ints  # with the other to the left: next, clockwise
    left_wins: Array


class Seats(NamedTuple):
    """The wins of each seat, and their errors: (seats,) each."""

    wins: Array  # the share of games it won
    error: Array  # the standard error of the share, by clusters


def count_differing(counted: CountedGames, merged: MergedGames, one: int, other: int) -> int:
    """Count the decks that are not even between two bots of a match: where the places of one, over
    the deck's games, are not those of the other. A place that is shared is another place.
    """
    differ = np.zeros(merged.line_ups.shape[1], dtype=bool)
    deck = np.arange(len(differ))
    if merged.twins is not None:
        deck = np.maximum(deck, merged.twins)
    pairs = counted.ranks[:, :, None] - counted.ranks[:, None, :]
    places = np.sign(pairs).sum(axis=2)  # sides ahead less sides behind: ascending
    most = counted.ranks.shape[1] - 1
    mine, theirs = (
        np.where((counted.bots == bot).any(axis=2), places, -most - 1).max(axis=1)
        for bot in (one, other)
    )
    for place in range(-most, most + 1):
        more = (mine == place).astype(np.int64) - (theirs == place)
        differ |= sum_by(deck[merged.cluster], more, len(differ)) != 0
    return int(differ.sum())


def tally_bots(table: GameColumns, counted: CountedGames) -> Tallies:
    """Tally games, wins and scores by bot, for all of the table's names."""
    bots = len(table.names)
    seated = np.sort(table.bots, axis=1)
    first = np.ones(seated.shape, dtype=bool)
    first[:, 1:] = seated[:, 1:] != seated[:, :-1]
    scores = np.zeros(bots)
    by_side = table.scores[counted.games][:, counted.seats]
    sitting = table.bots[counted.games][:, counted.seats]
    for member in np.moveaxis(counted.bots, 2, 0):
        mine = sitting == member[:, :, None]
        scores += sum_by(member, (by_side * mine).sum(axis=2) / mine.sum(axis=2), bots)
    unit, shares = share_wins(counted)
    return Tallies(
        sum_by(seated[first], 1, bots).astype(np.int64),
        sum_by(counted.bots, 1, bots).astype(np.int64),
        sum_by(counted.bots, shares[:, :, None], bots) / unit,
        scores,
    )


def tally_pairs(table: GameColumns, counted: CountedGames) -> PairTallies:
    """Tally games and wins of every two bots, for all of the table's names."""
    bots = len(table.names)
    games, ahead, wins, left_games, left_wins = np.zeros((5, bots * bots))
    unit, shares = share_wins(counted)
    sides = counted.ranks.shape[1]
    for one, other in permutations(range(sides), 2):
        mine, theirs = counted.ranks[:, one], counted.ranks[:, other]
        halves = 2 * (mine < theirs) + (mine == theirs)
        for bot, opponent in product(counted.bots[:, one].T, counted.bots[:, other].T):
            at = bot * bots + opponent
            games += sum_by(at, 1, bots * bots)
            ahead += sum_by(at, halves, bots * bots) / 2
            wins += sum_by(at, shares[:, one], bots * bots)
            if sides > 2 and other == (one + 1) % sides:
                left_games += sum_by(at, 1, bots * bots)
                left_wins += sum_by(at, shares[:, one], bots * bots)
    square = (bots, bots)
    return PairTallies(
        games.reshape(square).astype(np.int64),
        ahead.reshape(square),
        wins.reshape(square) / unit,
        left_games.reshape(square).astype(np.int64),
        left_wins.reshape(square) / unit,
    )


def tally_seats(counted: CountedGames, merged: MergedGames) -> Seats:
    """Each seat's share of wins; both seats of a team have the team's wins.

    There are games. The error is 0 for one cluster.
    """
    unit, shares = share_wins(counted)
    games, clusters = len(shares), merged.line_ups.shape[1]
    wins, error = np.zeros((2, counted.seats.size))
    size = sum_by(merged.cluster, 1, clusters)
    for side, share in zip(counted.seats, shares.T, strict=True):
        wins[side] = mean = share.sum() / (unit * games)
        off = sum_by(merged.cluster, share, clusters) / unit - mean * size
        error[side] = np.sqrt((off**2).sum() * clusters / max(clusters - 1, 1)) / games
    return Seats(wins, error)


def share_wins(counted: CountedGames) -> tuple[int, Ints]:
    """Divide each game's win among those that share it: the units of a win, and each side's.

    The latter is (games, sides).
    """
    unit = lcm(*range(1, counted.ranks.shape[1] + 1))
    won = counted.ranks == counted.ranks.min(axis=1, keepdims=True)
    return unit, won * (unit // won.sum(axis=1, keepdims=True))
