"""The table of kinds: complete, and in words."""

from typing import get_args

from arena.faults.kinds import CAUSES, KINDS, CauseKind, FaultKind, name_kind


def test_every_kind_has_a_row_in_the_order_of_the_tables() -> None:
    assert tuple(KINDS) == get_args(FaultKind)
    assert CAUSES.keys() == {*KINDS, *get_args(get_args(CauseKind)[1])}


def test_a_kind_is_named_by_its_title_and_a_word_of_a_later_version_stays() -> None:
    assert [name_kind(kind) for kind in ("load", "strikes", "end", "later")] == [
        "load", "process lost", "in end", "later",
    ]  # fmt: skip
