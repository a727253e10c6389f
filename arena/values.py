"""Published numbers: what kinds there are, how they are rounded, and how people read them. Pure.

All are rounded to three decimals, and never -0.0. What people read has fewer.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from arena.typed_json import Count, Number, means

DIGITS = 3


Share = Annotated[float, Meta(ge=0, le=1)]
Interval = tuple[float, float]  # its two ends, the lower one first
OpenInterval = tuple[float | None, float | None]  # the same; None for an end that is open
Counts = tuple[tuple[Count, ...], ...]  # by row and column
Shares = tuple[tuple[Share | None, ...], ...]  # by row and column; None without a game
FaultCounts = Annotated[
    dict[str, Number], means("Games forfeited, by the kind of fault; only those seen.")
]


def rounded(value: float) -> float:
    """A number as it is published."""
    return round(value, DIGITS) + 0.0


def rounded_if_any(value: float | None) -> float | None:
    """A number as it is published; None stays None."""
    return None if value is None else rounded(value)


def round_drawn(share: float) -> float:
    """A share of `comparisons.LEAST_DRAWS` draws or more as it is published: with two decimals;
    below 0.01 and above 0.99 with three. Its standard error is at most one unit of the last
    decimal.
    """
    return round(share, DIGITS if min(share, 1 - share) < 0.01 else DIGITS - 1) + 0.0


def mean(total: float, count: int) -> float | None:
    """The mean as it is published; None without values."""
    return rounded(total / count) if count else None


def interval_if_any(ends: OpenInterval | None) -> OpenInterval | None:
    """Both ends as they are published: None for one that is open; None for no interval."""
    return ends and (rounded_if_any(ends[0]), rounded_if_any(ends[1]))


def adding_up(shares: Sequence[float]) -> list[float]:
    """Round shares of one whole to tenths of a percent that add up to it, by largest remainders
    (Hamilton's method; Balinski and Young 1982): of equal remainders the first are rounded up.

    The sum of the shares, above 0, is taken for the whole, since they may be rounded themselves.
    """
    parts = [1000 * share / sum(shares) for share in shares]
    whole = [int(part) for part in parts]
    order = sorted(range(len(parts)), key=lambda at: whole[at] - round(parts[at], 9))
    for at in order[: 1000 - sum(whole)]:
        whole[at] += 1
    return [part / 1000 for part in whole]


def two(value: float | None) -> str:
    """The value with two decimals, `-` for None."""
    return "-" if value is None else f"{round(value, 2) + 0.0:.2f}"


def csv_number(value: float | None) -> str:
    """A cell of CSV: a whole number, or one with its three decimals; empty for None."""
    return f"{value:.3f}" if isinstance(value, float) else as_published(value)


def as_published(value: float | None) -> str:
    """A cell of CSV with as many decimals as JSON has, empty for None."""
    return "" if value is None else str(value)


def percent(value: float | None, digits: int = 1) -> str:
    """A share in percent, `-` for None."""
    return "-" if value is None else f"{100 * value:.{digits}f}%"


def percent_drawn(value: float | None) -> str:
    """A share of draws in percent, with the digits that it was published with."""
    return percent(value, 0 if value is not None and 0.01 <= value <= 0.99 else 1)


def in_prose(value: float | None) -> str:
    """A share in percent as sentences have it (`12.3 %`), `-` for None."""
    return "-" if value is None else f"{100 * value:.1f} %"


def count(value: int) -> str:
    """A number with its thousands apart."""
    return f"{value:,}"
