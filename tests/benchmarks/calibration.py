"""`python -m tests.benchmarks.calibration [LEAGUES]`: is what is said to be likely as likely?

Plays leagues of two-sided games, 8 decks a pair (errors of a difference about 1 mu), of 7 and of 12
bots whose true skills are drawn with a spread of 0, 0.3, 1, 3 and 9 mu. Prints, for each field and
over all, how often a bot was said to be better than the next in the table, and how often it was: in
bins, in percent, with twice the standard error (leagues are independent, the bots of one are not)
and the number of claims. Of two bots of equal skill either is better in half. `next` is the chance
to be better than the next bot, `first` that to be the best of all.
"""

import sys
from typing import NamedTuple

import numpy as np

from arena.rating.posterior import estimate_chances
from arena.rating.rate import rate_bots
from tests.simulated import World, merge_league

LEAGUES = 300  # of each field
BOTS, SPREADS = (7, 12), (0.0, 0.3, 1.0, 3.0, 9.0)
DEALS = 8
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SEED = 15


class Claim(NamedTuple):
    """What was said, and whether it was right; between equals half."""

    league: int
    said: float
    right: float


Claims = dict[str, list[Claim]]  # by method


class Bin(NamedTuple):
    """Claims of one size."""

    said: float
    right: float
    error: float  # standard error of right less said
    claims: int


def claims(bots: int, spread: float, leagues: int, rng: np.random.Generator) -> Claims:
    """What is said of so many leagues of a field."""
    out: Claims = {"next": [], "first": []}
    for league in range(leagues):
        skills = np.array([25.0 + spread * rng.standard_normal() for _ in range(bots)])
        names = [f"bot{number:02}" for number in range(bots)]
        rates = rate_bots(names, merge_league(World(tuple(skills), seats=2, deals=DEALS), rng))
        order = np.argsort(-rates.mu, kind="stable")
        best, skills = skills.max(), skills[order]
        covariance = rates.covariance[np.ix_(order, order)]
        said = estimate_chances(
            rates.mu[order].tolist(), covariance, rates.freedom[order], rates.shrinkage[order]
        )
        rights = [1.0 if gap > 0 else 0.0 if gap < 0 else 0.5 for gap in -np.diff(skills)]
        betters = [chance for chance in said.next if chance is not None]
        out["next"] += map(Claim, [league] * bots, betters, rights)
        firsts = ((skills == best) / (skills == best).sum()).tolist()
        out["first"] += map(Claim, [league] * bots, [top[0] for top in said.top if top], firsts)
    return out


def binned(claims: list[Claim], least: float, most: float) -> Bin:
    """The claims that say `least` or more, and less than `most`."""
    own = [claim for claim in claims if least <= claim.said < most]
    if not own:
        return Bin(0.0, 0.0, 0.0, 0)
    league, said, right = (np.array(column) for column in zip(*own, strict=True))
    off = np.bincount(league, right - said - (right - said).mean())
    error = float(np.sqrt((off**2).sum())) / len(own)
    return Bin(float(said.mean()), float(right.mean()), error, len(own))


def line(claims: list[Claim]) -> str:
    cells = []
    for least, most in ((0.0, 1.1), *zip(BINS, (*BINS[1:-1], 1.1), strict=False)):
        found = binned(claims, least, most)
        cell = f"{100 * found.said:.0f}: {100 * found.right:.0f}±{200 * found.error:.0f}"
        cells.append(f"{cell} ({found.claims})" if found.claims else "")
    return "".join(f"{cell:>18}" for cell in cells)


def main(leagues: int) -> None:
    print(f"seed {SEED}, {leagues} leagues of each field; said: right ± 2 errors (claims)")
    heads = ["all", *(f"{100 * least:.0f} on" for least in BINS[:-1])]
    print(f"{'bots':>4}{'spread':>7} {'':9}" + "".join(f"{head:>18}" for head in heads))
    for bots in BOTS:
        rng = np.random.default_rng([SEED, bots])
        everything: Claims = {}
        for number, spread in enumerate(SPREADS):
            for method, own in claims(bots, spread, leagues, rng).items():
                print(f"{bots:4}{spread:7} {method:9}" + line(own), flush=True)
                moved = [claim._replace(league=claim.league + number * leagues) for claim in own]
                everything.setdefault(method, []).extend(moved)
        for method, own in everything.items():
            print(f"{bots:4}{'all':>7} {method:9}" + line(own), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LEAGUES)
