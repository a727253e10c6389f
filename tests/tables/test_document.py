"""The standings' types: what they encode to is what their JSON Schema says, and nothing else."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.tables import formats
from arena.tables.document import Standings
from arena.typed_json import schema_of
from tests.documents import example
from tests.schemas import wrong_in

Document = dict[str, Any]


def kept() -> Document:
    """The example, with a pool that is to be settled, which it has not."""
    document: Document = json.loads(formats.json(example()))
    document["pools"][1]["sequential_test"] = {
        "confidence": 0.95, "equivalence_margin": 0.5, "max_deals": 200, "planned_looks": 10,
        "look": 2, "goal_reached": False, "version": 2,
        "pairs": [
            {"bot": "abacus", "other": "bold", "verdict": "open", "difference": 0.1,
             "interval": None, "error_probability": 0.4, "effect_size": None,
             "progress_different": 0.1, "progress_equal": 0.0},
        ],
    }  # fmt: skip
    return document


def test_a_document_keeps_to_the_schema() -> None:
    assert wrong_in("standings", json.loads(formats.json(example()))) == []
    assert wrong_in("standings", kept()) == []
    assert wrong_in("standings", kept() | {"venue": "Turin"}) == []  # a key of a later arena


def test_every_part_and_every_key_that_needs_it_is_described() -> None:
    parts = json.loads(schema_of(Standings))["$defs"]
    assert all(part["description"] for part in parts.values())
    plain = {
        f"{name}.{key}"
        for name, part in parts.items()
        for key, value in part["properties"].items()
        if "description" not in value
    }
    # The name says it all, or the type does: a Row, a Crosstable.
    assert plain == {
        "AnchorPoint.bot", "NotRanked.bot", "Author.author", "Author.licence", "Author.name",
        "Author.sentence", "Author.version", "BotFaults.bot", "BotFaults.total", "BotVersion.name",
        "Crosstable.bots", "GameTable.game", "GameTable.table",
        "NotLoaded.bot", "Order.bot",
        "Pair.bot", "Pair.other", "PoolTable.crosstable", "PoolTable.game", "PoolTable.games",
        "PoolTable.table", "Residual.other", "Row.bot",
    }  # fmt: skip


def inside(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def change(*path: str | int, to: object) -> Callable[[Document], None]:
    def harm(document: Document) -> None:
        inside(document, path[:-1])[path[-1]] = to

    return harm


def without(*path: str | int) -> Callable[[Document], None]:
    def harm(document: Document) -> None:
        del inside(document, path[:-1])[path[-1]]

    return harm


@pytest.mark.parametrize(
    ("harm", "where"),
    [
        (without("identical_bots"), "$"),
        (without("pools", 0, "seats"), "$.pools[0]"),
        (without("overall", 2, "mu"), "$.overall[2]"),
        (change("version", to=1), "$.version"),
        (change("seed", to="5"), "$.seed"),
        (change("bots", to={}), "$.bots"),
        (change("overall", 0, "wins", to=1.5), "$.overall[0].wins"),
        (change("overall", 0, "place", to=0), "$.overall[0].place"),
        (change("overall", 0, "place", to=1.5), "$.overall[0].place"),
        (change("overall", 0, "interval", to=[1.0]), "$.overall[0].interval"),
        (change("overall", 0, "mu", to="29.374"), "$.overall[0].mu"),
        (change("overall", 0, "faults", to={"time": 0}), "$.overall[0].faults.time"),
        (change("games", 0, "pool_count", to=None), "$.games[0].pool_count"),
        (change("pools", 0, "partners", to="some"), "$.pools[0].partners"),
        (change("pools", 0, "crosstable", "win_share", 0, 1, to=2),
         "$.pools[0].crosstable.win_share[0][1]"),
        (change("pools", 0, "seats", 0, to=0.5), "$.pools[0].seats[0]"),
        (change("pools", 1, "sequential_test", to=False), "$.pools[1].sequential_test"),
        (change("pools", 1, "sequential_test", "pairs", 0, "verdict", to="equals"),
         "$.pools[1].sequential_test"),
        (change("faults", 0, "total", to=-1), "$.faults[0].total"),
    ],
)  # fmt: skip
def test_a_wrong_document_breaks_the_schema_and_where_is_said(
    harm: Callable[[Document], None], where: str
) -> None:
    document = kept()
    harm(document)
    assert wrong_in("standings", document) == [where]
