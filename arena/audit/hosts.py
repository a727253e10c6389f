"""Whether a cluster's hosts measured alike: the CPU time of the same bots on each, by its clock.

Each bot in each pool is compared with itself on other hosts, so that it matters little which bots a
host played. Any further difference, its clock allowed for, is the host's own: on one that takes
much more, a limit of CPU time means less work.
"""

from collections.abc import Iterable, Mapping
from math import exp, log
from typing import Annotated, NamedTuple

from msgspec import Struct

from arena.typed_json import means

APART = 1.25  # times the CPU time of other hosts: beyond that a host is named
HOME = "this machine"


class Spent(NamedTuple):
    """What a bot used in a session."""

    host: str  # "" for the organiser's machine
    clock: str  # as it is kept
    work: tuple[str, str]  # the pool's title, and the bot
    decisions: int
    cpu_s: float  # by the organiser's clock


class Residual(Struct, frozen=True):
    """What a host took beside the others."""

    host: str
    clocks: Annotated[tuple[str, ...], means("All that it was found to have.")]
    sessions: Annotated[int, means("Of bots.")]
    ratio: Annotated[
        float | None, means("CPU time of a decision to that elsewhere; null: no other host played.")
    ]
    apart: Annotated[bool, means("Whether it is beyond what clocks of one league may differ by.")]


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
        rest = [told for other, told in by_host.items() if other != host]
        theirs, theirs_s = sum(told[0] for told in rest), sum(told[1] for told in rest)
        if decisions and theirs and cpu_s > 0 and theirs_s > 0:
            weight = min(decisions, theirs)
            weights += weight
            total += weight * log((cpu_s / decisions) / (theirs_s / theirs))
    return exp(total / weights) if weights else None
