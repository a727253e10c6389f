"""What tables take over from a store: authors, of a public copy that a stranger may have made."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.model import WALLS, Author, Bot, Entry, Limits, Pool, StoredPlan
from arena.store.public import AUTHORS
from arena.tables.results import find_authors
from arena.typed_json import encode

ANN, BOB = Bot("ann", "a"), Bot("bob", "b")
ENTRY = Entry(Pool("sixteen", 2, "{}", ""), (ANN, BOB), 1, "auto", True)
PLAN = StoredPlan("cup", False, WALLS, Limits(), (ENTRY,), show_authors=("ann",))


def found(kept: object) -> dict[str, Author]:
    """The authors of a published copy that has this of them."""
    store: Any = SimpleNamespace(public=True, meta={AUTHORS: kept}.get)
    return find_authors(store, PLAN)


def test_the_longest_author_that_is_written_is_read() -> None:
    """Characters that JSON in ASCII writes with the most of its own."""
    wide = "\U0001f600"
    longest = Author(wide * 80, wide * 80, wide * 80, wide * 80, wide * 200)
    assert found(encode({"ann": longest, "bob": longest})) == {"ann": longest}


@pytest.mark.parametrize(
    "kept",
    [
        encode({"ann": {"author": "a" * 81}}),
        encode({"ann": {"sentence": "a" * 201}}),
        encode({"ann": {"licence": 3}}),
        encode({"ann": Author("Ann")}) + " " * 20_000,
        "[" * 9000,
        b'{"ann": {"author": "Ann"}}',
        3,
        None,
    ],
    ids=["author", "sentence", "type", "all", "depth", "bytes", "number", "none"],
)
def test_what_arena_does_not_write_of_authors_is_not_read(kept: object) -> None:
    assert found(kept) == {}
