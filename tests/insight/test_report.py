"""The results of `arena explain`, and their sentences."""

from msgspec import to_builtins

from arena.insight.report import Explained
from arena.typed_json import decode, encode


def test_a_result_is_written_and_read_again() -> None:
    found = Explained(
        game="0106", pool="No Thanks! 3p", bots=["a", "b", "c"], ranks=[1, 2, 3], worlds="fair",
        games=0, seats=[],
    )  # fmt: skip
    assert decode(encode(found), Explained) == found
    assert to_builtins(found)["version"] == 1
