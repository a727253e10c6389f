"""The standings' types: what they encode to is what their JSON Schema says, and nothing else."""

import json
from typing import Any

import pytest

from arena.tables import formats
from arena.tables.document import Standings
from arena.typed_json import schema_of
from tests.documents import example
from tests.schemas import wrong_in


def test_a_document_keeps_to_the_schema_whose_parts_are_all_described() -> None:
    document = json.loads(formats.json(example()))
    assert wrong_in("standings", document) == []
    assert wrong_in("standings", document | {"venue": "Turin"}) == []  # a key of a later arena
    assert all(part["description"] for part in json.loads(schema_of(Standings))["$defs"].values())


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("pools", 0, "seats"), None, "$.pools[0].seats"),
        (("version",), 1, "$.version"),
        (("seed",), "5", "$.seed"),
        (("bots",), {}, "$.bots"),
        (("overall", 0, "wins"), 1.5, "$.overall[0].wins"),
        (("overall", 0, "place"), 0, "$.overall[0].place"),
        (("overall", 0, "interval"), [1.0], "$.overall[0].interval"),
        (("overall", 0, "mu"), "29.374", "$.overall[0].mu"),
        (("overall", 0, "faults"), {"time": 0}, "$.overall[0].faults.time"),
        (("pools", 0, "partners"), "some", "$.pools[0].partners"),
        (("pools", 0, "crosstable", "win_share", 0, 1), 2,
         "$.pools[0].crosstable.win_share[0][1]"),
        (("pools", 1, "sequential_test"), False, "$.pools[1].sequential_test"),
        (("faults", 0, "total"), -1, "$.faults[0].total"),
    ],
)  # fmt: skip
def test_a_wrong_document_breaks_the_schema_and_where_is_said(
    path: tuple[Any, ...], value: object, where: str
) -> None:
    document = part = json.loads(formats.json(example()))
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert wrong_in("standings", document) == [where]
    if path == ("version",):
        del document["version"], document["overall"][2]["mu"]
        assert wrong_in("standings", document) == ["$", "$.overall[2]"]
