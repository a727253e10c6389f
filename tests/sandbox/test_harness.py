"""What is written out by hand where it is hot says the same as the function it stands for."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.sandbox import wire
from arena.sandbox.capture import LONGEST, Output, is_word, plain
from arena.sandbox.harness import Server
from arena.sandbox.randomness import Generators


class Word(str):
    """A str that could answer differently each time it is looked at, and must not be asked."""

    def __str__(self) -> str:
        return "pass"


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("take", True), ("", True), ("x" * LONGEST, True), ("x" * (LONGEST + 1), False),
        ("tak\u00e9", False), ("\udc80", False), (Word("take"), True), (Word("tak\u00e9"), False),
        (b"take", False), (None, False), (["take"], False),
    ],
)  # fmt: skip
def test_a_decision_is_taken_for_one_where_is_word_says_so(value: Any, is_one: bool) -> None:
    generators, failures = Generators(), list[wire.Failure]()
    line: Any = SimpleNamespace(word=[0])
    server = Server("decide", None, generators, line, Output(generators, 0))
    decisions = server._one_by_one(lambda view: value, [SimpleNamespace(table=7)], failures)
    assert is_word(plain(value)) == is_one
    assert ([failure.kind for failure in failures] == []) == is_one
    assert decisions == [value if is_one else ""]
    assert type(decisions[0]) is str
