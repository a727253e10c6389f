"""Amounts as people read them, where they may be beyond all bounds. Pure."""

EXACT = 10**10


def size(number: float) -> str:
    """Return so many bytes in two digits or more: `740 bytes`, `1.2 MB`, `340 PB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if number < 999.5:
            whole = number >= 9.95 or unit == "bytes"
            return f"{number:,.0f} {unit}" if whole else f"{number:.1f} {unit}"
        number /= 1000
    return f"{short(number)} EB"


def short(number: float) -> str:
    """Return a number with its thousands apart, below 10 with one decimal if it is no whole one;
    from 11 digits on two of them: `1.2e16`.
    """
    if number >= EXACT:
        digits, power = f"{number:.1e}".split("e+")
        return f"{digits}e{int(power)}"
    return f"{number:,.0f}" if number >= 9.95 or number == int(number) else f"{number:.1f}"


def duration(seconds: float) -> str:
    """Return a length of time as people say it: `45 s`, `3 min`, `2 h 10 min`, `12 days`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    days = round(minutes / (24 * 60))
    return f"{days} days" if days < 2 * 365 else f"{short(round(days / 365.25))} years"
