"""Releases of Arena: what each writes into standings and weeks, so that others can compare them.

`releases.json` has the keys of every release by type, and two numbers: of the rules that make
ratings from ranks, and of the layout of the tables. A test keeps the entry of the version at hand;
those of releases stay. A key that is added has a default, UNSET.
"""

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from arena import __version__
from arena.model import Week
from arena.tables.document import VERSION, Standings
from arena.typed_json import decode
from arena.words import visible

RULES = 1
"""Number of the rules of ratings, their intervals and probabilities, and places: other numbers
from the same ranks need the next one once a release has this one."""
LAYOUT = 1
"""Number of the layout of standings.md, .csv and .html, in the same way."""

Keys = Mapping[str, Collection[str]]  # by the name of their type

T = TypeVar("T")


class Release(Struct, frozen=True, kw_only=True):
    """The keys and numbers of a release. `format` is the version of its standings.json."""

    format: int
    rules: int
    layout: int
    keys: Keys


def find_release(version: str) -> Release | None:
    """A release by its version; None for one that is not known here."""
    return describe_release() if version == __version__ else _read_releases().get(version)


@cache
def describe_release() -> Release:
    """The release that this code makes, by its types."""
    _, parts = msgspec.json.schema_components((Standings, Week))
    keys = {name: [*part["properties"]] for name, part in sorted(parts.items())}
    return Release(format=VERSION, rules=RULES, layout=LAYOUT, keys=keys)


@cache
def _read_releases() -> dict[str, Release]:
    text = files("arena").joinpath("tables/releases.json").read_text("utf-8")
    return decode(text, dict[str, Release])


def find_keys(written: Any, like: Any) -> dict[str, set[str]]:
    """The keys in JSON that was read without types, by the type that `like`, a document of the
    same shape, has in their place.
    """
    keys = dict[str, set[str]]()
    if isinstance(like, Struct) and isinstance(written, dict):
        keys[type(like).__name__] = {*written}
        parts = [(part, getattr(like, key, None)) for key, part in written.items()]
    elif isinstance(like, tuple) and isinstance(written, list | tuple):
        parts = [*zip(written, like, strict=False)]
    else:
        return keys
    for part in parts:
        for name, more in find_keys(*part).items():
            keys.setdefault(name, set()).update(more)
    return keys


def list_keys(keys: Keys, known: Keys) -> str:
    """Name keys that are not among those known, five at most; "" for none."""
    names = [
        f"{kind}.{key}"
        for kind, of_kind in sorted(keys.items())
        for key in sorted({*of_kind} - {*known.get(kind, ())})
    ]
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return visible(", ".join(name[:60] for name in names[:5])) + more


def keep_keys(document: T, keys: Keys) -> T:
    """A document without the keys that a release does not write; a type that it does not name keeps
    all.
    """
    if isinstance(document, tuple):
        return tuple(keep_keys(part, keys) for part in document)  # type: ignore[return-value]
    if not isinstance(document, Struct):
        return document
    fields = document.__struct_fields__
    writes = keys.get(type(document).__name__, fields)
    parts = {name: keep_keys(getattr(document, name), keys) for name in fields if name in writes}
    return replace(document, **dict.fromkeys(fields, UNSET) | parts)
