"""JSON that a stranger may have written, read as what it is to be."""

from typing import TypeVar

import msgspec

T = TypeVar("T")


def decoded(text: str | bytes, form: type[T]) -> T:
    """Return what JSON says, in its form.

    Raises ValueError where it is not of that form, and for all else that decoders raise by what
    they are given: RecursionError of lists a thousand deep, even in what is skipped, and TypeError
    of what is no text, as SQLite may have kept.
    """
    try:
        return msgspec.json.decode(text, type=form)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except TypeError:
        raise ValueError(f"it is {type(text).__name__}, no text") from None
