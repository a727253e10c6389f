"""What changed between two sequences, as one splice: so many taken out at a place, others put in.

It is how a game to watch is kept small; `viewer/film.js` puts the splices back together. Pure.
"""

from collections.abc import Sequence
from typing import TypeVar

_Part = TypeVar("_Part")


def splice(before: Sequence[_Part], after: Sequence[_Part]) -> tuple[int, int, Sequence[_Part]]:
    """Return what makes `after` of `before`: a place, how many parts are taken out there, and what
    is put in; as little as one splice can be. Texts are sequences of characters.
    """
    least, start, end = min(len(before), len(after)), 0, 0
    while start < least and before[start] == after[start]:
        start += 1
    while end < least - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, len(before) - start - end, after[start : len(after) - end]
