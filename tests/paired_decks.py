"""Matches of two bots, simulated deck by deck: thousands at once, as arena rates them and as chess
engines are tested.

A deck is played twice, with the seats exchanged. All that either test sees of it is how its two
games ended, so a truth is how likely each of `ENDS` is.
"""

from math import inf, log, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from trueskill import BETA

from arena.rating.fit import PRIOR, fit_sites
from arena.rating.gaussian import Array, normal_cdf
from arena.rating.intervals import _STEP, _scores
from arena.rating.outcomes import Ints, Sites
from arena.sequential.stages import make_looks
from arena.sequential.verdicts import Design, Evidence, judge_pair

ENDS: Final = np.array([(2, 0), (1, 1), (0, 2)])
"""Games of a deck that the first bot won and lost."""
EVEN = 1  # of these
MU = sqrt(2) * BETA  # the lead in mu that is one deviation of a game's difference


class Truth(NamedTuple):
    share: float = 0.5  # that the first wins
    rho: float = 0.0  # correlation of the two games of a deck, seen from the first bot


class Verdicts(NamedTuple):
    answers: list[str]
    games: Ints  # (matches,)


def lead(share: float) -> float:
    return NormalDist(sigma=MU).inv_cdf(share)


def chances(truth: Truth) -> Array:
    """Return how likely each of `ENDS` is, by quadrature over the difference of the first game."""
    at = lead(truth.share) / MU
    steps = np.linspace(-9, 9, 36_001)
    weights = np.exp(-(steps**2) / 2) * (steps + at > 0)
    again = normal_cdf((at + truth.rho * steps) / sqrt(1 - truth.rho**2))
    both = truth.share * float(weights @ again / weights.sum())
    return np.array([both, 2 * (truth.share - both), 1 - 2 * truth.share + both])


def played(truth: Truth, matches: int, decks: int, rng: np.random.Generator) -> Ints:
    """Return how so many decks of each match ended: places in `ENDS`, (matches, decks)."""
    bounds = np.cumsum(chances(truth))[:-1]
    drawn: Ints = np.searchsorted(bounds, rng.random((matches, decks), np.float32)).astype(np.int8)
    return drawn


def counted(ends: Ints) -> Ints:
    """Return how often each of `ENDS` came up in each match, (matches, ends)."""
    return np.stack([(ends == end).sum(axis=1) for end in range(len(ENDS))], axis=1)


def evidence(counts: Ints) -> tuple[Array, Array, float]:
    """Return the difference of mu and its standard error as arena has them, by match, and how far
    apart two bots are that differ on every deck.

    All matches are one pool, of pairs of bots that meet nobody else: it is fitted in one go. Of
    two bots the sandwich comes to a formula.
    """
    matches = len(counts)
    games = counts @ ENDS  # won, lost
    match, end = np.nonzero(games)
    first = 2 * match + end
    bots = np.stack([first, 4 * match + 1 - first])[:, None]
    sites = Sites(bots, np.zeros((1, len(end)), dtype=bool), *[games[match, end]] * 2)
    fitted = fit_sites(sites, 2 * matches)
    scores = _scores(sites, fitted)
    pull = np.zeros((matches, 2))  # of a game on the first bot
    pull[match, end] = scores[end, np.arange(len(end))]
    rise = (_scores(sites, fitted, 0) - scores)[0] / _STEP
    slope = -np.bincount(match, rise * sites.counts, matches)
    varied = (counts * np.einsum("me,ke->mk", pull, ENDS) ** 2).sum(axis=1)
    decks = counts.sum(axis=1)
    variance = varied * (2 / (PRIOR + 2 * slope)) ** 2 * decks / (decks - 1)
    uneven = 0.5 / NormalDist(sigma=MU).pdf(fitted.margin)
    return fitted.mu[::2] - fitted.mu[1::2], np.sqrt(variance), uneven


def settled(ends: Ints, design: Design, every: bool = False) -> Verdicts:
    """Return how arena's test of a match ends on these decks, looking as designed.

    If `every`, as that of a tournament: it takes even decks for as good as any.
    """
    matches, answers = len(ends), ["open"] * len(ends)
    games = np.full(matches, 2 * design.stages[-1])
    going = np.arange(matches)
    counts, before = np.zeros((matches, len(ENDS)), np.int64), 0
    for look, stage in enumerate(design.stages):
        counts[going] += counted(ends[going, before:stage])
        before = stage
        mus, errors, uneven = evidence(counts[going])
        for match, mu, se, even in zip(
            going, mus.tolist(), errors.tolist(), counts[going, EVEN].tolist(), strict=True
        ):
            told = (stage, inf) if every else (stage - even, uneven)
            seen = Evidence(mu, se, stage, stage - 1, *told)
            if (answer := judge_pair(design, look, seen).answer) != "open":
                answers[match], games[match] = answer, 2 * stage
        going = going[[answers[match] == "open" for match in going]]
        if not len(going):
            break
    return Verdicts(answers, games)


def gsprt(ends: Ints) -> Verdicts:
    """Return how fishtest's kind of test ends on these decks, looking after each.

    The generalised sequential probability ratio test on pairs of games, with the likelihood ratio
    of a normal mean whose variance is estimated: Van den Bergh, A practical introduction to the
    GSPRT (2019). `better` is the hypothesis of 53 %, `equal` that of 50 %; of fewer than 10 decks
    the variance says nothing.
    """
    matches, decks = ends.shape
    bound, (low, high) = log(0.95 / 0.05), (0.5, 0.53)  # errors of .05 on both sides
    total, first, second = np.zeros((3, matches, decks))
    for end, place in enumerate((1.0, 0.5, 0.0)):
        count = np.maximum((ends == end).cumsum(axis=1), 1e-3)  # fishtest's, in place of 0
        total += count
        first += count * place
        second += count * place**2
    mean = first / total
    variance = second / total - mean**2
    ratio = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    over = np.abs(ratio) >= bound
    over[:, :9], over[:, -1] = False, True
    at = over.argmax(axis=1)
    last = ratio[np.arange(matches), at]
    answers = ["better" if z >= bound else "equal" if z <= -bound else "open" for z in last]
    return Verdicts(answers, 2 * (at + 1))


def share_of(verdicts: Verdicts, *answers: str) -> float:
    return sum(answer in answers for answer in verdicts.answers) / len(verdicts.answers)


def match_design(decks: int = 2500) -> Design:
    return Design(make_looks(20, decks), 0.05)
