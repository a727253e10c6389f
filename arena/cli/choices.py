"""A person's answer in `arena play`: choice after choice, or the whole at once.

A decision has parts, as its game says (`W=G5` is `W`, `5`, `green`). A part is answered by its
first letters, or by its number in the list of what can be chosen now. Pure.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from textwrap import wrap

from arena.words import either, visible

NARROW = "\N{NO-BREAK SPACE}"
Parts = tuple[str, ...]


class Unclear(Exception):
    """No choice, or several, are meant by an answer; the message says which."""


def choose(typed: str, ways: Mapping[Parts, str], chosen: Parts) -> Parts:
    """The parts chosen after this answer, those before it included: all of a way, or its first.

    `ways` are decisions by their parts. An answer may also be a decision, or the beginning of one.
    Raises Unclear.
    """
    for way, decision in ways.items():
        if decision == typed:
            return way
    try:
        return _choose_parts(typed, ways, chosen)
    except Unclear:
        near = [way for way in ways if ways[way].lower().startswith(typed.lower())]
        if not near:
            raise
    if len(near) > 1:
        raise _several(typed, [ways[way] for way in near])
    return near[0]


def _several(typed: str, meant: Sequence[str]) -> Unclear:
    return Unclear(f"'{visible(typed)}' could be {either(meant)}; type more letters")


def _choose_parts(typed: str, ways: Collection[Parts], chosen: Parts) -> Parts:
    rest = typed
    while rest := rest.lstrip(" =:,"):
        if chosen in ways:
            raise Unclear(f"nothing can follow '{' '.join(chosen)}': remove '{visible(rest[:40])}'")
        part, rest = _match(rest, _options(ways, chosen))
        chosen = (*chosen, part)
    while chosen not in ways and len(only := _options(ways, chosen)) == 1:
        chosen = (*chosen, *only)
    return chosen


def list_choices(ways: Collection[Parts], chosen: Parts, columns: int) -> list[str]:
    """The lines that say what can be chosen now."""
    options, longest = _options(ways, chosen), max(ways, key=len)
    if _are_numbered(options):
        options = [f"{number}{NARROW}{option}" for number, option in enumerate(options, 1)]
    more = "  (Enter alone goes back)" if chosen else ""
    if not chosen and len(longest) > 1:
        more = f"  (in one go: {' '.join([longest[0], *(part[0] for part in longest[1:])])})"
    line = f"{' '.join(chosen) or 'Choose'}: {'  '.join(options)}{more}"
    return [part.replace(NARROW, " ") for part in wrap(line, columns, subsequent_indent="    ")]


def _options(ways: Collection[Parts], chosen: Parts) -> list[str]:
    """The next parts that can be chosen after these, in order."""
    at = len(chosen)
    return [*dict.fromkeys(way[at] for way in ways if way[:at] == chosen and len(way) > at)]


def _are_numbered(options: Sequence[str]) -> bool:
    """True if a number means a place in the list: not where it would mean an option, as 17."""
    return not any(option[0].isdigit() for option in options)


def _match(text: str, options: Sequence[str]) -> tuple[str, str]:
    """The option that a text begins with, and the rest of the text. Raises Unclear."""
    word = re.split(r"[\s=:,]", text)[0]
    for fold in str, str.lower:  # n3 and N3 are two cards
        if whole := [option for option in options if fold(text).startswith(fold(option))]:
            best = max(whole, key=len)
            return best, text[len(best) :]
        near = [option for option in options if fold(option).startswith(fold(word))]
        if len(near) == 1:
            return near[0], text[len(word) :]
        if near:
            raise _several(word, near)
    number = text[: len(text) - len(text.lstrip("0123456789"))]
    if 0 < len(number) < 4 and _are_numbered(options) and 1 <= int(number) <= len(options):
        return options[int(number) - 1], text[len(number) :]
    most = f" or a number up to {len(options)}" if _are_numbered(options) else ""
    raise Unclear(
        f"'{visible(word[:40])}' is not a choice here; "
        f"type {either(options)}{most}; ? shows the rules"
    )
