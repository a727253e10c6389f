"""Documents against their published JSON Schema, as others' tools would check them."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from arena.tables.document import SCHEMA_FILE
from tests.places import ROOT

STANDINGS_SCHEMA = ROOT / "arena" / "tables" / SCHEMA_FILE


@cache
def _standings() -> Draft202012Validator:
    return Draft202012Validator(json.loads(STANDINGS_SCHEMA.read_text("utf-8")))


def wrong_in_standings(document: Any) -> list[str]:
    """Return where a standings document breaks its schema, as JSON paths in order; none if it is
    valid.
    """
    return sorted(error.json_path for error in _standings().iter_errors(document))
