"""What commands print as JSON against its JSON Schema, as others' tools would check it."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from arena.cli.documents import load_type
from arena.typed_json import schema_of


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_of(load_type(name))))


def wrong_in(name: str, document: Any) -> list[str]:
    """Return where a document breaks the schema of its name, as JSON paths in order."""
    return sorted(error.json_path for error in _validator(name).iter_errors(document))


def wrong_in_printed(words: Sequence[str], printed: bytes) -> list[str]:
    """Return where what a command printed breaks the schema that `arena schema` has of it."""
    if "--json" not in words or not printed:
        return []
    name = words[0]
    if name == "explain" and b'"advice": [' in printed[:40]:  # of a bot
        name = "advice"
    elif name == "replay" and "--at" in words:
        name = "position"
    elif name == "standings" and "--short" in words:
        name = "short"
    elif name == "tournament":
        name = "dry-run" if "--dry-run" in words else "standings"
    by_line = name in ("check", "judge")  # a document for each bot, each record
    documents = printed.splitlines() if by_line else [printed]
    return [path for document in documents for path in wrong_in(name, json.loads(document))]
