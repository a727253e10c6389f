"""Numbers as they are published: with three decimals, and never -0.0. Pure."""

DIGITS = 3


def rounded(value: float) -> float:
    """Return the number as it is published."""
    return round(value, DIGITS) + 0.0


def rounded_if_any(value: float | None) -> float | None:
    """Return the number as it is published, None for none."""
    return None if value is None else rounded(value)


def mean(total: float, count: int) -> float | None:
    """Return the mean as it is published, None of nothing."""
    return rounded(total / count) if count else None


def interval(low: float, high: float) -> tuple[float, float]:
    """Return both ends as they are published."""
    return rounded(low), rounded(high)
