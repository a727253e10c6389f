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

ENDS: Final = np.array([(2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 2, 0), (0, 1, 1), (0, 0, 2)])
"""Games of a deck that the first bot won, tied and lost."""
EVEN = ENDS[:, 0] == ENDS[:, 2]
SCORES = (ENDS[:, 0] + ENDS[:, 1] / 2) / 2  # of a deck, 0 to 1
MU = sqrt(2) * BETA  # the lead in mu that is one deviation of a game's difference


class Truth(NamedTuple):
    """How two bots' games end."""

    share: float = 0.5  # that the first wins, a tie half
    rho: float = 0.0  # correlation of the two games of a deck, seen from the first bot
    ties: float = 0.0  # share of games that tie


class Verdicts(NamedTuple):
    """How simulated matches ended."""

    answers: list[str]
    games: Ints  # (matches,)


def lead(truth: Truth) -> tuple[float, float]:
    """Return the lead and the margin of ties that a truth comes to, in deviations of a game."""
    margin, low, high = 0.0, 0.0, 6.0
    for _ in range(100):
        middle = (low + high) / 2
        win, lose = normal_cdf(np.array((middle - margin, -middle - margin)))
        low, high = (low, middle) if win + (1 - win - lose) / 2 > truth.share else (middle, high)
        margin = _margin(truth.ties, middle)
    return middle, margin


def _margin(ties: float, at: float) -> float:
    low, high = 0.0, 12.0
    for _ in range(50):
        middle = (low + high) / 2
        up, down = normal_cdf(np.array((middle - at, -middle - at)))
        low, high = (low, middle) if up - down > ties else (middle, high)
    return low


def chances(truth: Truth) -> Array:
    """Return how likely each of `ENDS` is: games end by normal differences, correlated on a deck.

    By quadrature over the difference of the first game.
    """
    at, margin = lead(truth)
    steps = np.linspace(-9, 9, 36_001)
    weights = np.exp(-(steps**2) / 2)
    weights /= weights.sum()
    apart = sqrt(1 - truth.rho**2)
    win = 1 - normal_cdf((margin - at - truth.rho * steps) / apart)
    lose = normal_cdf((-margin - at - truth.rho * steps) / apart)
    second = np.array((win, 1 - win - lose, lose))
    won, lost = steps + at > margin, steps + at < -margin
    first = np.array((won, ~(won | lost), lost))
    both = np.einsum("is,js,s->ij", first, second, weights)
    both = (both + both.T) / 2
    found = [both[0, 0], 2 * both[0, 1], 2 * both[0, 2], both[1, 1], 2 * both[1, 2], both[2, 2]]
    likely: Array = np.maximum(found, 0.0) / sum(found)
    return likely


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
    two bots the sandwich comes to a formula. The margin of ties is that of all matches.
    """
    matches = len(counts)
    games = counts @ ENDS  # won, tied, lost
    match, end = np.nonzero(games)
    first = 2 * match + (end == 2)
    bots = np.stack([first, 4 * match + 1 - first])[:, None]
    sites = Sites(bots, (end == 1)[None], *[games[match, end]] * 2)
    fitted = fit_sites(sites, 2 * matches)
    scores = _scores(sites, fitted)
    pull = np.zeros((matches, 3))  # of a game on the first bot
    pull[match, end] = np.where(end == 2, scores[1], scores[0])
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
        mattering = counts[going] if every else counts[going][:, ~EVEN]
        differing = mattering.sum(axis=1).tolist()
        mus, errors, uneven = evidence(counts[going])
        uneven = inf if every else uneven
        told = [
            judge_pair(design, look, Evidence(mu, se, stage, stage - 1, n, uneven)).answer
            for mu, se, n in zip(mus.tolist(), errors.tolist(), differing, strict=True)
        ]
        for match, answer in zip(going, told, strict=True):
            if answer != "open":
                answers[match], games[match] = answer, 2 * stage
        going = going[[answer == "open" for answer in told]]
        if not len(going):
            break
    return Verdicts(answers, games)


BOUND = log(0.95 / 0.05)  # 2.94: errors of .05 on both sides
HYPOTHESES = (0.5, 0.53)
LEAST_PAIRS = 10  # of fewer, the variance says nothing
REGULAR = 1e-3  # fishtest's, in place of a count of 0


def gsprt(ends: Ints) -> Verdicts:
    """Return how fishtest's kind of test ends on these decks, looking after each.

    The generalised sequential probability ratio test on pairs of games (pentanomial), with the
    likelihood ratio of a normal mean whose variance is estimated: Van den Bergh, A practical
    introduction to the GSPRT (2019). `better` is the hypothesis of 53 %, `equal` that of 50 %.
    """
    matches, decks = ends.shape
    n = np.arange(1, decks + 1)
    places = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    score = (4 * SCORES[ends]).astype(np.int8)
    total, first, second = np.zeros((3, matches, decks))
    for number, place in enumerate(places):
        count = np.maximum((score == number).cumsum(axis=1), REGULAR)
        total += count
        first += count * place
        second += count * place**2
    mean = first / total
    variance = second / total - mean**2
    low, high = HYPOTHESES
    ratio = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    over = (np.abs(ratio) >= BOUND) & (n >= LEAST_PAIRS)
    over[:, -1] = True
    at = over.argmax(axis=1)
    last = ratio[np.arange(matches), at]
    answers = [
        "better" if each >= BOUND else "equal" if each <= -BOUND else "open"
        for each in last.tolist()
    ]  # fmt: skip
    return Verdicts(answers, 2 * (at + 1))


def share_of(verdicts: Verdicts, *answers: str) -> float:
    """Return the share of matches that ended with one of these answers."""
    return sum(answer in answers for answer in verdicts.answers) / len(verdicts.answers)


def told_apart(verdicts: Verdicts) -> float:
    """Return the share of matches in which one bot was called better."""
    return share_of(verdicts, "better", "worse")


def match_design(decks: int = 2500, error: float = 0.05) -> Design:
    """Return the test of a match of two bots."""
    return Design(make_looks(20, decks), error)
