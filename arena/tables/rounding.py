"""Numbers as they are published: with three decimals, and never -0.0. Pure."""

from collections.abc import Sequence

DIGITS = 3


def rounded(value: float) -> float:
    """Return the number as it is published."""
    return round(value, DIGITS) + 0.0


def rounded_if_any(value: float | None) -> float | None:
    """Return the number as it is published, None for none."""
    return None if value is None else rounded(value)


def drawn(share: float) -> float:
    """Return a share of `comparisons.LEAST_DRAWS` draws or more as it is published: with two
    decimals, below 0.01 and above 0.99 with three. Its standard error is one unit of the last
    decimal at most.
    """
    return round(share, DIGITS if min(share, 1 - share) < 0.01 else DIGITS - 1) + 0.0


def mean(total: float, count: int) -> float | None:
    """Return the mean as it is published, None of nothing."""
    return rounded(total / count) if count else None


def interval(low: float, high: float) -> tuple[float, float]:
    """Return both ends as they are published."""
    return rounded(low), rounded(high)


def adding_up(shares: Sequence[float]) -> list[float]:
    """Return shares of one whole in tenths of a percent that add up to it, by largest remainders
    (Hamilton's method; Balinski and Young 1982): of equal remainders the first are rounded up.

    The sum of the shares, above 0, is taken for the whole: they may be rounded themselves.
    """
    parts = [1000 * share / sum(shares) for share in shares]
    whole = [int(part) for part in parts]
    order = sorted(range(len(parts)), key=lambda at: whole[at] - round(parts[at], 9))
    for at in order[: 1000 - sum(whole)]:
        whole[at] += 1
    return [part / 1000 for part in whole]


def interval_if_any(
    ends: tuple[float | None, float | None] | None,
) -> tuple[float | None, float | None] | None:
    """Return both ends as they are published, None for one that is open; None for none."""
    return ends and (rounded_if_any(ends[0]), rounded_if_any(ends[1]))
