"""Whether a cluster's hosts played alike: CPU time, faults of time, and results.

CPU time is compared by each host's clock. Each bot in each pool is compared with itself on other
hosts, so that it matters little which bots a host played. Any further difference is the host's own:
on one that takes much more, a limit of CPU time means less work.

For faults and results, the games of a line-up are dealt out to hosts without a look at the bots,
and a bot is compared with itself in the other games of the same line-up. If it does not matter
where games are played, those that a host has are a random draw from them, without replacement: what
the draw holds has the mean and the variance that Cochran 1977, 2.5 gives, added up over line-ups as
by Mantel and Haenszel 1959. Where decks are shared, a deck's games go to different hosts, which
makes them more alike than that.

Pure; numpy takes its time to load, so import this where it is used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import erfc, exp, lgamma, log, sqrt
from typing import Annotated, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from arena.model import Outcome
from arena.rating import adjust_by_holm
from arena.typed_json import means

HOME = "this machine"
APART = 1.25  # times the CPU time of other hosts: beyond that a host is named
LEVEL = 0.05
"""How often an audit may name a host where none matters: for faults, and for results."""
LEAST = 30
"""Games of a bot there, and elsewhere, in line-ups of both: no figure of its results on fewer."""
LARGE = 25.0
"""A variance of counted faults from which they are as good as normally distributed."""

TIME, STRUCK_OUT = "time", "strikes"  # kinds of faults

Array = npt.NDArray[np.float64]


class Spent(NamedTuple):
    """What a bot used in a session."""

    host: str  # "" for the coordinator's machine
    clock: str  # as it is kept
    work: tuple[str, str]  # the pool's title, and the bot
    decisions: int
    cpu_s: float  # by the coordinator's clock


class Residual(Struct, frozen=True):
    """What a host took beside the others."""

    host: str
    clocks: Annotated[tuple[str, ...], means("All clocks that were measured for it.")]
    sessions: Annotated[int, means("Sessions of bots.")]
    ratio: Annotated[
        float | None,
        means("CPU time per decision relative to other hosts; null if no other host played."),
    ]
    apart: Annotated[
        bool, means("Whether the ratio is larger than clocks of one league should differ.")
    ]


class Faults(Struct, frozen=True):
    """Faults of time on a host, in games that others played too."""

    seats: int
    faults: int
    expected: Annotated[
        float, means("Expected from the same bots' faults in all games of these line-ups.")
    ]
    p: Annotated[float, means("Probability of as many by luck; exact for small numbers.")]
    p_holm: Annotated[float, means("The same, corrected for all hosts of the audit.")] = 1.0
    apart: Annotated[bool, means("Whether it is significant.")] = False


class Gain(Struct, frozen=True):
    """How much better a bot did on a host than in the same line-ups elsewhere."""

    pool: Annotated[str, means("Its title.")]
    bot: str
    games: Annotated[int, means("Games there of line-ups that other hosts played too.")]
    points: Annotated[
        float, means("Points of 100 for finishing ahead of all others; negative: worse there.")
    ]
    points_se: float
    p: Annotated[float, means("Probability of as large a difference by luck, two-sided.")]
    p_holm: Annotated[float, means("The same, corrected for all bots and hosts of the audit.")] = (
        1.0
    )
    apart: Annotated[bool, means("Whether it is significant.")] = False


class OnHost(Struct, frozen=True):
    """How the games of a host ended beside the others'."""

    host: str
    faults: Annotated[Faults | None, means("Null if no other host played its line-ups.")]
    furthest: Annotated[
        Gain | None, means("The bot with the least likely results; null with too few games.")
    ]

    @property
    def apart(self) -> bool:
        """Whether more than luck is in either."""
        return any(each is not None and each.apart for each in (self.faults, self.furthest))


class _Played(NamedTuple):
    """A bot's games in a line-up on a host."""

    games: int
    points: float
    squares: float  # of the points
    faults: int  # of time


class _Stratum(NamedTuple):
    """A bot's games in a line-up that a host and others played."""

    bot: str
    here: _Played
    all: _Played

    @property
    def expected(self) -> float:
        """Points here, if it does not matter who plays."""
        return self.here.games * self.all.points / self.all.games

    @property
    def variance(self) -> float:
        """The variance of these points: of a draw without replacement."""
        here, games = self.here.games, self.all.games
        squares = self.all.squares - self.all.points**2 / games
        return max(0.0, squares) * here * (games - here) / (games * (games - 1))

    @property
    def weight(self) -> float:
        """The games that a difference of the two means rests on."""
        return self.here.games * (self.all.games - self.here.games) / self.all.games


_Strata = dict[str, list[_Stratum]]  # by host


def find_residuals(sessions: Iterable[Spent]) -> list[Residual]:
    """Compare each host's CPU time with all others', by host's name; none where all was played on
    one.
    """
    taken: dict[tuple[str, str], dict[str, tuple[int, float]]] = {}
    clocks: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for each in sessions:
        decisions, cpu_s = taken.setdefault(each.work, {}).get(each.host, (0, 0.0))
        taken[each.work][each.host] = decisions + each.decisions, cpu_s + each.cpu_s
        clocks.setdefault(each.host, set()).add(each.clock)
        counts[each.host] = counts.get(each.host, 0) + 1
    if len(counts) < 2:
        return []
    ratios = {host: _ratio(host, taken) for host in sorted(counts)}
    return [
        Residual(
            host or HOME,
            tuple(sorted(clocks[host])),
            counts[host],
            ratio,
            apart=ratio is not None and not 1 / APART <= ratio <= APART,
        )
        for host, ratio in ratios.items()
    ]


def _ratio(
    host: str, taken: Mapping[tuple[str, str], Mapping[str, tuple[int, float]]]
) -> float | None:
    """How a host's CPU time a decision compares with that of others for the same work: the
    geometric mean of the ratios, weighed by decisions. None where no work was shared.
    """
    weights = total = 0.0
    for by_host in taken.values():
        decisions, cpu_s = by_host.get(host, (0, 0.0))
        rest = [spent for other, spent in by_host.items() if other != host]
        theirs, theirs_s = sum(spent[0] for spent in rest), sum(spent[1] for spent in rest)
        if decisions and theirs and cpu_s > 0 and theirs_s > 0:
            weight = min(decisions, theirs)
            weights += weight
            total += weight * log((cpu_s / decisions) / (theirs_s / theirs))
    return exp(total / weights) if weights else None


def compare_hosts(pools: Iterable[tuple[str, Iterable[tuple[Outcome, str]]]]) -> list[OnHost]:
    """How each host's games ended compared with the others', by the host's name. Given are pools by
    title with each game's host, "" for the coordinator's machine. Empty where all was played on one
    machine.

    Games in which a bot was struck out are left out: that depends on what came before in its
    session.
    """
    played, by_pool = set[str](), list[tuple[str, _Strata]]()
    for pool, games in pools:
        played_here, strata = _strata_of(games)
        played |= played_here
        by_pool.append((pool, strata))
    if len(played) < 2:
        return []
    hosts = sorted(played)
    faults = [_faults([each for _, strata in by_pool for each in strata.get(host, ())])
              for host in hosts]  # fmt: skip
    gains = [
        [each for pool, strata in by_pool for each in _gains(pool, strata.get(host, ()))]
        for host in hosts
    ]
    by_holm = iter(adjust_by_holm([each.p for each in faults if each]))
    judged = [each and _judged(each, next(by_holm)) for each in faults]
    of_all = iter(adjust_by_holm([each.p for of_host in gains for each in of_host]))
    furthest = [
        min(
            (_judged(each, next(of_all)) for each in of_host),
            key=lambda each: (each.p, -abs(each.points)),
            default=None,
        )
        for of_host in gains
    ]
    rows = zip(hosts, judged, furthest, strict=True)
    return [OnHost(host or HOME, late, other) for host, late, other in rows]


Compared = TypeVar("Compared", Faults, Gain)


def _judged(found: Compared, p_holm: float) -> Compared:
    return replace(found, p_holm=p_holm, apart=p_holm <= LEVEL)


def _strata_of(games: Iterable[tuple[Outcome, str]]) -> tuple[set[str], _Strata]:
    """The hosts that played any of a pool's games; and by host, in order of line-up and bot, the
    games of those line-ups that others played too.
    """
    tallies: dict[tuple[tuple[str, ...], str], dict[str, list[float]]] = {}
    for game, host in games:
        if STRUCK_OUT in game.faults:
            continue
        line_up = tuple(sorted(game.bots))
        late = {bot for bot, fault in zip(game.bots, game.faults, strict=True) if fault == TIME}
        for bot, points in _points(game).items():
            sums = tallies.setdefault((line_up, bot), {}).setdefault(host, [0, 0.0, 0.0, 0])
            sums[0] += 1
            sums[1] += points
            sums[2] += points * points
            sums[3] += bot in late
    hosts, strata = set[str](), _Strata()
    for key in sorted(tallies):
        by_host = dict(sorted(tallies.pop(key).items()))  # taken out: a large pool's are many
        hosts.update(by_host)
        if len(by_host) > 1:
            all = _played(map(sum, zip(*by_host.values(), strict=True)))
            for host, sums in by_host.items():
                strata.setdefault(host, []).append(_Stratum(key[1], _played(sums), all))
    return hosts, strata


def _played(sums: Iterable[float]) -> _Played:
    games, points, squares, faults = sums
    return _Played(int(games), points, squares, int(faults))


def _points(game: Outcome) -> dict[str, float]:
    """Each bot's share of the other seats that it finished ahead of, ties as half."""
    others = len(game.ranks) - 1 or 1
    return {
        bot: (sum((rank > own) + 0.5 * (rank == own) for rank in game.ranks) - 0.5) / others
        for bot, own in zip(game.bots, game.ranks, strict=True)
    }


def _faults(shared: Sequence[_Stratum]) -> Faults | None:
    if not shared:
        return None
    faults = sum(each.here.faults for each in shared)
    expected = sum(each.here.games * each.all.faults / each.all.games for each in shared)
    seats = sum(each.here.games for each in shared)
    return Faults(seats, faults, expected, _as_many(faults, expected, shared))


def _as_many(faults: int, expected: float, shared: Sequence[_Stratum]) -> float:
    """How likely luck alone gives a host as many faults of time."""
    open_ones = [each for each in shared if 0 < each.all.faults < each.all.games]
    drawn = sum(each.here.faults for each in open_ones)
    if not drawn:
        return 1.0
    variance = sum(
        each.weight * each.all.faults * (each.all.games - each.all.faults)
        / (each.all.games * (each.all.games - 1))
        for each in open_ones
    )  # fmt: skip
    if variance >= LARGE:
        return erfc((faults - expected - 0.5) / sqrt(2 * variance)) / 2
    fewer = np.ones(1)  # chances of 0, 1, ... faults, as far as those are fewer than there are
    for each in open_ones:
        fewer = np.convolve(fewer, _draws(each))[:drawn]
    return float(min(1.0, max(0.0, 1.0 - fewer.sum())))


def _draws(stratum: _Stratum) -> Array:
    """How likely 0, 1, ... of a stratum's faults come to a host: hypergeometric."""
    drawn, games, faults = stratum.here.games, stratum.all.games, stratum.all.faults
    fewest = max(0, faults + drawn - games)
    most = min(faults, drawn)
    ways = [
        _log_ways(faults, k) + _log_ways(games - faults, drawn - k) for k in range(fewest, most + 1)
    ]
    return np.array([0.0] * fewest + [exp(each - _log_ways(games, drawn)) for each in ways])


def _log_ways(of: int, taken: int) -> float:
    return lgamma(of + 1) - lgamma(taken + 1) - lgamma(of - taken + 1)


def _gains(pool: str, shared: Sequence[_Stratum]) -> Iterator[Gain]:
    by_bot: dict[str, list[_Stratum]] = {}
    for stratum in shared:
        by_bot.setdefault(stratum.bot, []).append(stratum)
    for bot, strata in sorted(by_bot.items()):
        here = sum(each.here.games for each in strata)
        elsewhere = sum(each.all.games for each in strata) - here
        variance = sum(each.variance for each in strata)
        if min(here, elsewhere) < LEAST or variance <= 0:
            continue
        more = sum(each.here.points - each.expected for each in strata)
        weight = sum(each.weight for each in strata)
        p = erfc(abs(more) / sqrt(2 * variance))
        yield Gain(pool, bot, here, 100 * more / weight, 100 * sqrt(variance) / weight, p)
