"""The types of `arena check --json`, and their published schema."""

import json

from jsonschema import Draft202012Validator

from arena.author.check_document import schema
from tests.leagues import main
from tests.places import ROOT
from tests.schemas import CHECK_SCHEMA


def test_the_schema_in_the_package_is_that_of_the_types() -> None:
    anew = f"python -m arena.author.check_document > {CHECK_SCHEMA.relative_to(ROOT)}"
    assert CHECK_SCHEMA.read_text("utf-8") == schema(), f"to write it anew: {anew}"


def test_the_schema_is_one_of_draft_2020_12_and_describes_every_part() -> None:
    told = json.loads(schema())
    Draft202012Validator.check_schema(told)
    assert all(part["description"] for part in told["$defs"].values())


def test_the_command_line_prints_the_schema_without_a_bot() -> None:
    done = main("check", "--schema")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == CHECK_SCHEMA.read_bytes()
