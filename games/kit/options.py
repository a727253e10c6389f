"""Rule options as a config or a record has them: built, checked, and given back.

A game's `Options` is a frozen dataclass whose every field has a default; what may be given follows
from the fields' types, and from what its `__post_init__` refuses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from difflib import get_close_matches
from types import UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints


class OptionsError(ValueError):
    """Rule options that cannot be; `problems` holds (option's name, what is wrong and would do)."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{name}: {what}" for name, what in problems))
        self.problems = tuple(problems)


_O = TypeVar("_O")

MOST_PROBLEMS = 20  # that are told of: a record may have 100,000 options that there are not


def parse_options(cls: type[_O], given: Mapping[str, Any]) -> _O:
    """Return `cls` (a game's `Options`) with the given values, as a config or record has them.

    Raises OptionsError with every wrong name and value at once, as far as one would read them. A
    wrong type is wrong: 1 is no switch, and true is no number.
    """
    hints = get_type_hints(cls)
    problems, values = list[tuple[str, str]](), dict[str, Any]()
    for name, value in given.items():
        if len(problems) >= MOST_PROBLEMS:
            break
        if name not in hints:
            near = get_close_matches(name, hints, 1, 0.5)
            there = f"expected {_any_of(list(hints))}" if hints else "the game has no options"
            hint = f"did you mean {near[0]}?" if near else there
            problems.append((name, f"no such option; {hint}"))
            continue
        try:
            values[name] = _value(hints[name], value)
        except OptionsError as error:
            problems += [(f"{name}.{inner}", what) for inner, what in error.problems]
        except ValueError as error:
            problems.append((name, str(error)))
    if not problems:
        try:
            return cls(**values)
        except OptionsError as error:
            problems += error.problems
    raise OptionsError(problems)


def changed_options(options: Any) -> dict[str, Any]:
    """Return the options that differ from their default, as a record keeps them."""
    default = type(options)()
    out: dict[str, Any] = {}
    for name in get_type_hints(type(options)):
        value = getattr(options, name)
        if value != getattr(default, name):
            out[name] = asdict(value) if hasattr(value, "__dataclass_fields__") else value
    return out


def _value(hint: Any, value: object) -> Any:
    """Return `value` if the hint allows it, a group of options built. Raises ValueError."""
    if is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise ValueError(f"found {value!r}; expected a table")
        return parse_options(cast(type, hint), value)
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        if not any(type(value) is type(a) and value == a for a in allowed):
            near = get_close_matches(str(value), [str(a) for a in allowed], 1, 0.5)
            hint_ = f"; did you mean {near[0]!r}?" if near else f"; expected {_any_of(allowed)}"
            raise ValueError(f"found {value!r}{hint_}")
        return value
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if type(value) not in kinds:
        words = {bool: "true or false", int: "a whole number"}
        wanted = " or ".join(words.get(k, k.__name__) for k in kinds if k is not type(None))
        raise ValueError(f"found {value!r}; expected {wanted}")
    return value


def _any_of(values: Sequence[object]) -> str:
    """Return the values as one phrase: `a, b or c`."""
    words = [v if isinstance(v, str) else repr(v) for v in values]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
