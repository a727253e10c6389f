"""JSON of strangers: whatever it is, it is its form or a ValueError."""

import msgspec
import pytest

from arena.typed_json import decode


class Form(msgspec.Struct):
    name: str


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", '{"name": 1}', '{"a":' * 50_000, b"\xff", '{"name": "\ud800"}', None, 1, 1.5,
     '{"name": "x", "more": ' + "[" * 50_000],  # skipped, and deep all the same
    ids=lambda text: f"{text!r:.20}",
)  # fmt: skip
def test_what_is_not_of_the_form_is_a_value_error_with_words(text: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(text, Form)  # type: ignore[arg-type]  # what SQLite may hold
    assert decode('{"name": "x", "more": [1]}', Form) == Form("x")
    assert decode(b"[1, 2]", tuple[int, ...]) == (1, 2)
