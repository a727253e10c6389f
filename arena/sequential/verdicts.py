"""Sequential tests: looking several times while playing, without being wrong more often.

README.md beside this file says how a test is designed. Pure; differences and their standard errors
come from the rating.

Sources: Jennison and Turnbull, Group Sequential Methods (2000), 4.4 Student's t, 9.2 repeated
confidence intervals; Van den Bergh, Normalized Elo (2020), the effect size.
"""

from math import erfc, expm1, inf, log1p, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

from arena.rating.p_values import (
    BAND_MU,
    incomplete_beta,
    is_negligible,
    t_above,
    t_critical,
    t_tail,
)

LEAST_CLUSTERS = 20
"""A look at fewer, or at fewer that differ, says nothing. Of 8 games, one of two equals wins all in
one test of 128, and a spread of nothing passes every limit; of 20, even 19 or more come once in
24,000 tests."""
_CLOSE = 1e-6  # shares of clusters that are no further apart are the same
MOST_TIMES = 20  # the games so far: further ahead nothing is forecast

VerdictWord = Literal["better", "worse", "equal", "not worse", "open"]
"""Of two bots: the first is better than the second, worse, equal within the band, no more than the
band behind (where nothing else is asked), or not known."""


class Design(NamedTuple):
    """A sequential test, as planned."""

    stages: tuple[int, ...]  # deals at each look, growing
    error: float  # how often two equal bots may be told apart, at any look


class Evidence(NamedTuple):
    """Evidence of two bots' difference."""

    difference: float  # in mu
    se: float  # its standard error
    clusters: int  # independent ones of games, that it rests on
    freedom: int  # degrees of freedom of `se`
    decisive: int | None = None  # clusters that are not even between the two; None: not counted
    uneven_mu: float = inf  # how far apart the two could be if no cluster were even

    @property
    def informative(self) -> int:
        """The clusters that tell of the difference: an even one tells as little as one not played.

        Versions of a bot that share decks and dice are even on most of them.
        """
        return self.clusters if self.decisive is None else self.decisive

    @property
    def spread_freedom(self) -> int:
        """The degrees of freedom of `se`, at most those of the clusters that tell of it."""
        return min(self.freedom, self.informative - 1)

    @property
    def effect(self) -> float | None:
        """The difference in standard deviations of a cluster: how plain one deck makes it.

        None if nothing varies.
        """
        return self.difference / (self.se * sqrt(self.clusters)) if self.se else None


class Verdict(NamedTuple):
    """The answer of a look at two bots, and how far it is from both ends."""

    answer: VerdictWord
    low: float  # of the interval that holds the difference at all looks at once, mu
    high: float
    progress_different: float  # 0 to 1: the square of |z| over its limit
    progress_equal: float  # 0 to 1: the same of z from the nearer edge of the band


NOTHING = Verdict("open", -inf, inf, 0.0, 0.0)
SAME = Verdict("equal", 0.0, 0.0, 0.0, 1.0)
"""Of two bots of the same files, whatever their games."""


def judge_pair(design: Design, look: int, evidence: Evidence, pairs: int = 1) -> Verdict:
    """Judge two bots at a look, 0 the first.

    If they are one of several `pairs`, the planned error is that of all together (Sidak's
    inequality: whatever their correlation). Student's t takes the place of the normal distribution,
    at equal probability. Two that end level on nearly all clusters are equal by their number alone.
    """
    from arena.sequential import limits  # it loads numpy

    difference, se = evidence.difference, evidence.se
    if abs(difference) <= (worst := _find_worst(design, look, evidence, pairs)) <= BAND_MU:
        return Verdict("equal", -worst, worst, 0.0, 1.0)
    if evidence.informative < LEAST_CLUSTERS:
        return NOTHING
    limit = limits.find_limits(design.stages, -expm1(log1p(-design.error) / pairs))[look]
    t = t_critical(erfc(limit / sqrt(2)), evidence.spread_freedom)
    reach = (t + _continuity(evidence.informative)) * se
    low, high = difference - reach, difference + reach
    answer: VerdictWord = "better" if low > 0 else "worse" if high < 0 else "open"
    if low >= -BAND_MU and high <= BAND_MU:
        answer = "equal"
    elif is_negligible(difference, reach):
        answer = "open"
    to_edge = max(BAND_MU - abs(difference), 0.0)
    return Verdict(answer, low, high, _way(abs(difference), reach), _way(to_edge, reach))


def _find_worst(design: Design, look: int, evidence: Evidence, pairs: int) -> float:
    """Largest distance of two bots, in mu, by the clusters that were even between them; infinite
    if that is not counted.

    By Clopper and Pearson's upper end (1934) of the share that is not, at half the error that the
    look spends: the other half is that of intervals within the band.
    """
    from arena.sequential import limits  # it loads numpy

    if evidence.decisive is None:
        return inf
    ends = (stage / design.stages[-1] for stage in (0, *design.stages)[look : look + 2])
    before, at = (limits.spend(design.error, share) for share in ends)
    few, many = evidence.decisive + 1.0, float(evidence.clusters - evidence.decisive)
    low, high = 0.0 if many else 1.0, 1.0
    while high - low > _CLOSE:
        share = (low + high) / 2
        rarer = incomplete_beta(1 - share, share, many, few) * pairs * 2 < at - before
        low, high = (low, share) if rarer else (share, high)
    return high * evidence.uneven_mu


def _continuity(clusters: int) -> float:
    """The standard errors by which results that come in steps pass a limit too soon.

    Half a step, where a cluster is one game that is won or lost (Yates 1934): of 20 such, 15 or
    more are won or lost in 4 of 100 tests where Student's t says 2. Finer results need less.
    """
    return 1 / sqrt(clusters)


def _way(distance: float, reach: float) -> float:
    """The share already played of the games that a distance takes to exceed its reach, from 0 to 1.

    That is if nothing else changes: z grows as the root of the games.
    """
    return 1.0 if distance > reach else (distance / reach) ** 2 if reach else 0.0


def find_least_error(design: Design, look: int, evidence: Evidence, pairs: int = 1) -> float:
    """The least planned error with which the two bots would be told apart at this look, 0 to 1.

    Below 1e-7 it may be given as 0.
    """
    from arena.sequential import limits  # it loads numpy

    difference, se = evidence.difference, evidence.se
    if evidence.informative < LEAST_CLUSTERS or not difference:
        return 1.0
    t = abs(difference) / se - _continuity(evidence.informative) if se else inf
    chance = t_tail(max(t, 0.0), evidence.spread_freedom)
    z = -NormalDist().inv_cdf(chance / 2) if chance else inf
    least = limits.find_repeated_p(design.stages, look, z)
    return -expm1(pairs * log1p(-min(least, 1 - 1e-12)))


def estimate_likely(evidence: Evidence) -> float | None:
    """The chance that the first bot is better, by this look alone, 0 to 1; None without two
    clusters that differ.

    One game's worth short of certainty, as `judge_pair` is; no prior.
    """
    if not evidence.se or evidence.informative < 2:
        return None
    t = abs(evidence.difference) / evidence.se - _continuity(evidence.informative)
    chance = t_above(max(t, 0.0), evidence.spread_freedom)
    return 1 - chance if evidence.difference > 0 else chance


def find_needed(design: Design, look: int, evidence: Evidence) -> float | None:
    """The multiple of the decks so far that would decide between the two if all stays as it is;
    None if more than `MOST_TIMES`, or nothing is known.

    Looks beyond the planned ones come as they do, with the limit of the last.
    """
    if not evidence.se or evidence.informative < 2:
        return None
    so_far = design.stages[look]
    further = list(design.stages[look + 1 :])
    while (last := max(further, default=so_far)) < MOST_TIMES * so_far:
        further.append(-(-8 * last // 7))
    for at, deals in enumerate(further, look + 1):
        times = deals / so_far
        if times > MOST_TIMES:
            break
        then = evidence._replace(
            se=evidence.se / sqrt(times),
            clusters=int(times * evidence.clusters),
            freedom=int(times * evidence.freedom),
            decisive=int(times * evidence.informative),
        )
        if judge_pair(design, min(at, len(design.stages) - 1), then).answer != "open":
            return times
    return None
