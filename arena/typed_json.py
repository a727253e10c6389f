"""JSON by types: a stranger's JSON is read as the type it should have, results are written, and
JSON Schema describes them.

The types are `msgspec`'s: a result of a command is a frozen Struct, its fields the keys in their
order, its docstring and the `means` of its fields the words of the schema.
"""

from json import dumps
from typing import Annotated, Any, Literal, TypeVar

import msgspec

T = TypeVar("T")

Count = Annotated[int, msgspec.Meta(ge=0)]
Number = Annotated[int, msgspec.Meta(ge=1)]
First = Annotated[Literal[1], msgspec.Meta(description="Of this format.")]
"""The version of a document that has had no other."""


def decode(text: str | bytes, form: type[T]) -> T:
    """Read JSON as a value of a type, its form.

    Raises ValueError where it is not of that form, and for every other error of decoders:
    RecursionError for lists a thousand deep, even in what is skipped, and TypeError for what is no
    text, as SQLite may have kept.
    """
    try:
        return msgspec.json.decode(text, type=form)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except TypeError:
        raise ValueError(f"it is {type(text).__name__}, not text") from None


def encode(result: Any) -> str:
    """Write a result in a line of ASCII, as `--json` prints it."""
    return dumps(msgspec.to_builtins(result))


def means(words: str) -> msgspec.Meta:
    """Annotate a key with its description in the schema."""
    return msgspec.Meta(description=words)


def schema_of(form: Any) -> str:
    """The JSON Schema (draft 2020-12) of a type, as JSON."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **(form.make_schema() if hasattr(form, "make_schema") else msgspec.json.schema(form)),
    }
    for part in schema.get("$defs", {}).values():
        part["description"] = " ".join(part["description"].split())  # a docstring is indented
    return dumps(schema, indent=2) + "\n"
