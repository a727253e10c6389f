"""Documents against their published JSON Schema, as others' tools would check them."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from arena.author import check_document
from arena.tables.document import SCHEMA_FILE
from tests.places import ROOT

STANDINGS_SCHEMA = ROOT / "arena" / "tables" / SCHEMA_FILE
CHECK_SCHEMA = ROOT / "arena" / "author" / check_document.SCHEMA_FILE


@cache
def _standings() -> Draft202012Validator:
    return Draft202012Validator(json.loads(STANDINGS_SCHEMA.read_text("utf-8")))


def wrong_in_standings(document: Any) -> list[str]:
    """Return where a standings document breaks its schema, as JSON paths in order; none if it is
    valid.
    """
    return sorted(error.json_path for error in _standings().iter_errors(document))


def wrong_in_check(document: Any) -> list[str]:
    """Return where the JSON of a check breaks its schema; none if it is valid."""
    validator = Draft202012Validator(json.loads(CHECK_SCHEMA.read_text("utf-8")))
    return sorted(error.json_path for error in validator.iter_errors(document))
