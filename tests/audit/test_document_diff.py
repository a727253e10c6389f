"""Which differences of two standings are rounding, and which are not."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from arena.audit.document_diff import find_differences
from arena.tables.document import Standings
from tests.site.documents import kept

Change = Callable[[Any], object]


def changed(change: Change) -> Standings:
    """The kept document, once something in it was changed as in JSON."""
    document = msgspec.json.decode(msgspec.json.encode(kept()))
    change(document)
    return msgspec.convert(document, Standings)


def raise_mu(row: dict[str, Any], by: float) -> None:
    row["mu"] = round(row["mu"] + by, 3)
    row["low"] = round(row["mu"] - 3 * row["sigma"], 3)


def add(part: Any, key: Any, by: float) -> None:
    part[key] = round(part[key] + by, 6)


def test_a_document_is_itself() -> None:
    assert find_differences(kept(), kept()) == ([], 0)


@pytest.mark.parametrize("change", [
    lambda doc: raise_mu(doc["overall"][0], 0.001),
    lambda doc: raise_mu(doc["pools"][0]["table"][0], -0.001),
    lambda doc: add(doc["overall"][0]["interval"], 0, 0.001),
    lambda doc: add(doc["overall"][1], "better_than_next", -0.001),
    lambda doc: add(doc["overall"][0]["top"], 0, -0.001),
    lambda doc: add(doc["pools"][0]["comparisons"]["better"][0], 1, -0.001),
    lambda doc: add(doc["pools"][0]["fit"], "p", 1e-6),
    lambda doc: add(doc["pools"][0]["fit"]["residuals"][0], "expected", 0.001),
])  # fmt: skip
def test_one_unit_of_what_is_computed_is_rounding(change: Change) -> None:
    found = find_differences(changed(change), kept())
    assert not found.wrong
    assert found.rounding in (1, 2)  # mu takes low along


@pytest.mark.parametrize(("change", "where"), [
    (lambda doc: raise_mu(doc["overall"][0], 0.002), "overall, abacus, mu: it has"),
    (lambda doc: add(doc["overall"][0], "low", 0.001), "overall: abacus: low"),
    (lambda doc: add(doc["overall"][0], "wins", 0.001), "overall, abacus, wins: it has"),
    (lambda doc: add(doc["pools"][0]["table"][0], "score", 0.001), "abacus, score: it has"),
    (lambda doc: add(doc["overall"][0], "games", 1), "overall, abacus, games: it has"),
    (lambda doc: add(doc["overall"][3], "place", -1), "drifter: place 3, by the ratings it is 4"),
    (lambda doc: doc["overall"].reverse(), "overall: its bots are not in the order"),
    (lambda doc: add(doc["overall"][0]["top"], 0, -0.02), "overall, abacus, top, 0: it has"),
    (lambda doc: add(doc["pools"][0]["comparisons"]["better"][0], 1, -0.002), "better of"),
    (lambda doc: add(doc["pools"][0]["crosstable"]["wins"][0], 1, 0.001), "wins of abacus and"),
    (lambda doc: add(doc["pools"][0]["fit"], "p", 2e-6), "fit, p: it has"),
    (lambda doc: add(doc["pools"][0]["fit"]["residuals"][0], "observed", 0.001), "observed: it"),
    (lambda doc: doc["overall"][0].update(interval=None), "overall, abacus, interval: it has"),
    (lambda doc: doc["bots"][0].update(hash="f" * 64), "bots, abacus, hash: it has"),
    (lambda doc: doc["faults"].pop(), "faults: it has"),
    (lambda doc: add(doc["orders"][0], "place", 1), "orders: they are not those"),
    (lambda doc: doc["pools"].reverse(), "pools: it has"),
    (lambda doc: doc["pools"][0]["fit"]["residuals"].reverse(), "fit, residuals: it has"),
    (lambda doc: doc["overall"][0].update(duel=doc["overall"][0]["duel"] - 1e-9), "duel: it has"),
    (lambda doc: add(doc["overall"][0]["interval"], 0, 0.0014), "interval, 0: it has"),
    (lambda doc: doc["overall"][1]["places"].reverse(), "are no range"),
    (lambda doc: doc["overall"].append(doc["overall"][0]), "overall: it has"),
    (lambda doc: doc["pools"][0]["crosstable"]["bots"].reverse(), "its crosstable is not in"),
])  # fmt: skip
def test_anything_else_is_named(change: Change, where: str) -> None:
    found = find_differences(changed(change), kept())
    assert any(where in each for each in found.wrong), found.wrong


def test_bots_of_one_rating_may_change_places_where_a_digit_turns() -> None:
    """Two neighbours a unit apart, here; there, level, and so by name."""

    def level(document: Any, gap: float) -> None:
        rows = document["overall"]
        rows[1]["bot"], rows[2]["bot"] = rows[2]["bot"], rows[1]["bot"]
        raise_mu(rows[2], rows[1]["mu"] - gap - rows[2]["mu"])

    def even(document: Any) -> None:
        level(document, 0.0)
        rows = document["overall"]
        rows[1], rows[2] = rows[2], rows[1]
        for number, row in enumerate(rows, 1):
            row["place"] = min(number, 2) if number < 4 else 4
        document["overall_comparisons"] = None

    def parted(document: Any) -> None:
        level(document, 0.001)
        document["overall_comparisons"] = None

    found = find_differences(changed(even), changed(parted))
    assert not [each for each in found.wrong if each.startswith("overall")], found.wrong


def test_a_place_may_be_one_off_for_each_level_that_is_close_to_the_limit() -> None:
    def close(document: Any) -> None:
        document["overall_comparisons"]["level"][1][2] = 0.95

    def one_more(document: Any, by: int = 1) -> None:
        close(document)
        document["overall"][1]["places"][1] += by

    assert find_differences(changed(one_more), changed(close)) == ([], 1)
    assert find_differences(changed(lambda doc: one_more(doc, 2)), changed(close)).wrong

    def of_another(document: Any) -> None:
        close(document)
        document["overall"][3]["places"][1] += 1

    assert find_differences(changed(of_another), changed(close)).wrong
