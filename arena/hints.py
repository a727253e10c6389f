"""How messages say what was found, and what was meant: "found x; did you mean y?"."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def shown(value: object) -> str:
    """Return a value as messages show it: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list) and not value:
        return "an empty list" if isinstance(value, list) else "an empty table"
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def amount(number: int, word: str) -> str:
    """Return so many of a thing: `1 bot`, `2,000 bots`."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def nearest(value: object, words: Iterable[str], likeness: float = 0.5) -> str | None:
    """Return the word that was most likely meant; None if none is near, or the value no text."""
    near = get_close_matches(value, list(words), 1, likeness) if isinstance(value, str) else []
    return near[0] if near else None


def not_one_of(value: object, words: Sequence[str], also: str = "") -> str:
    """Return what was found, and the nearest of the words, or all of them and `also`."""
    near = nearest(value, words)
    if near:
        return f"found {shown(value)}, did you mean {near!r}?"
    return f"found {shown(value)}; it takes {either([repr(w) for w in words])}" + (
        f", {also}" if also else ""
    )


def unknown(key: str, keys: Sequence[str]) -> str:
    """Return that a key is unknown, and the nearest right one, or all there are."""
    near = nearest(key, keys)
    hint = f"did you mean {near!r}?" if near else f"the keys are {', '.join(keys)}"
    return f"unknown key, {hint}"


def either(values: Sequence[object]) -> str:
    """Return the values as one phrase: `2, 3 or 4`."""
    words = [str(value) for value in values]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
