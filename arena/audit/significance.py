"""Which pairs of bots an audit names, and what lean it could have found.

All pairs of all pools are judged together: of twenty comparisons between honest bots one comes out
at 5 % by luck, whatever pools they are in. A pair that is not named has not been cleared: so each
comes with the least lean that so many games would have shown. Pure.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec.structs import asdict

from arena.audit.collusion import WAYS, Lean
from arena.model import Pool
from arena.rating import p_values
from arena.typed_json import means

LEVEL = 0.05
"""How often an audit of bots that do not help each other may name a pair."""
POWER = 0.8
"""How often the least lean is found: as often as is usual in planning (Cohen 1988, 2.4)."""
MOST_LEAN = 200.0  # both always ahead with each other, and never without


class Judged(Lean, frozen=True):
    """A pair's lean, judged beside all others of the audit."""

    pool: Annotated[str, means("Its title.")]
    p_holm: Annotated[
        float, means("That luck or style gives any pair of the audit as little a p, by Holm.")
    ]
    beyond_chance: Annotated[bool, means(f"Whether p_holm is {LEVEL} or less.")]
    least_lean: Annotated[
        float | None,
        means(f"That {POWER:.0%} of such audits would have found; null where none could be."),
    ]


def judge_leans(pools: Sequence[tuple[Pool, Sequence[Lean]]]) -> list[list[Judged]]:
    """Judge leans; pools and leans stay in the order in which they are given.

    A pair's least lean is by the level that its p was compared with. To be named, a lean must reach
    t times its standard error, of luck and of style; so the least that does in four audits of five
    lies above it by the error times the t that is exceeded in one of five (the minimum detectable
    effect: Bloom 1995, Evaluation Review 19). The error is that of this audit.
    """
    pairs = sorted(
        (lean.p, at, place) for at, (_, own) in enumerate(pools) for place, lean in enumerate(own)
    )
    by_holm = p_values.adjust_by_holm([p for p, _, _ in pairs])
    found: dict[tuple[int, int], Judged] = {}
    before = 0  # pairs that are named: they are compared with no more
    for (_, at, place), p in zip(pairs, by_holm, strict=True):
        lean = pools[at][1][place]
        least = find_least_lean(lean, LEVEL / (len(pairs) - before))
        title = pools[at][0].title
        found[at, place] = Judged(
            **asdict(lean), pool=title, p_holm=p, beyond_chance=p <= LEVEL, least_lean=least
        )
        before += p <= LEVEL
    return [[found[at, place] for place in range(len(own))] for at, (_, own) in enumerate(pools)]


def find_least_lean(pair: Lean, level: float) -> float | None:
    """The least true lean, in points, that is found as often as `POWER` if the pair's p must come
    to `level`; None where not even the largest is.
    """
    noises = [(pair.lean_se, pair.lean_freedom), (pair.style_se, pair.style_freedom)]
    if not all(freedom for _, freedom in noises):
        return None
    needed = max(se * p_values.t_critical(2 * level / WAYS, freedom) for se, freedom in noises)
    missed = max(se * p_values.t_critical(2 * (1 - POWER), freedom) for se, freedom in noises)
    least = needed + missed
    return least if least <= MOST_LEAN else None
