"""What a bot's decisions cost, as far as it was kept: by session, everything in. Pure.

Of single decisions no times are kept. Of each session there are the CPU time of all of the bot's
processes, loading too, its decisions, and the batch in which decisions took longest.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.model import Pool, Timing

SHARES = (0.5, 0.9, 1.0)  # of sessions: the quantiles that are told


class Cpu(NamedTuple):
    """What a bot used in a pool, or in several. Times are of a decision, in seconds of CPU."""

    sessions: int  # with a decision
    decisions: int
    mean_s: float  # all sessions together, loading in
    means_s: tuple[float, ...]  # of sessions' means, the `SHARES`
    worst_s: tuple[float, ...]  # of sessions' worst batches, without loading, the `SHARES`


def cpu_of(sessions: Iterable[Timing]) -> Cpu | None:
    """Return what a bot's sessions used; None where it decided nothing."""
    own = [each for each in sessions if each.decisions]
    if not own:
        return None
    decisions = sum(each.decisions for each in own)
    return Cpu(
        len(own),
        decisions,
        sum(each.cpu_s for each in own) / decisions,
        _quantiles([each.cpu_s / each.decisions for each in own]),
        _quantiles([each.worst_s for each in own]),
    )


def by_bot(sessions: Iterable[Timing]) -> dict[str, dict[Pool, list[Timing]]]:
    """Return sessions by bot and pool, in their order."""
    out: dict[str, dict[Pool, list[Timing]]] = {}
    for each in sessions:
        out.setdefault(each.bot, {}).setdefault(each.pool, []).append(each)
    return out


def _quantiles(values: Sequence[float]) -> tuple[float, ...]:
    """Return the least values that so many of all are not above."""
    ordered = sorted(values)
    return tuple(
        ordered[max(-(-round(share * len(ordered) * 1e6) // 10**6), 1) - 1] for share in SHARES
    )
