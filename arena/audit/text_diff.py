"""Comparing two printed texts number by number. Pure."""

import re
from itertools import zip_longest

_NUMBER = re.compile(r"((?<!\d)-?\d++\.\d++)")  # each digit is looked at once
LONGEST = 15  # digits after the point that are compared as numbers


def differences(published: str, made: str, units: int) -> str:
    """Return where two texts differ first, in words; an empty string if nowhere.

    Numbers with decimals may differ by so many units in their last place.
    """
    lines = zip_longest(published.splitlines(), made.splitlines())
    for number, (there, here) in enumerate(lines, 1):
        if there is None or here is None:
            return f"line {number}: it has {'no' if there is None else 'one'} such line"
        if there != here and not _alike(there, here, units):
            return f"line {number}: it has {_short(there)}, they give {_short(here)}"
    return "" if units or published == made else "the ends of its lines"


def _alike(there: str, here: str, units: int) -> bool:
    theirs, ours = _NUMBER.split(there), _NUMBER.split(here)
    if theirs[::2] != ours[::2]:
        return False
    return all(_close(a, b, units) for a, b in zip(theirs[1::2], ours[1::2], strict=True))


def _close(a: str, b: str, units: int) -> bool:
    places = max(len(text.partition(".")[2]) for text in (a, b))
    if places > LONGEST or max(map(len, (a, b))) > 2 * LONGEST:
        return a == b
    scale = 10.0**places
    return abs(round(float(a) * scale) - round(float(b) * scale)) <= units


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
