"""`arena schema`. That commands keep to it, `tests.leagues.main` holds whatever a test runs."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import typer
from jsonschema import Draft202012Validator

import games
from arena.cli.app import app
from arena.cli.documents import DOCUMENTS
from tests.format_page import make_page
from tests.games.playing import new, steps
from tests.leagues import main
from tests.places import ROOT
from tests.schemas import wrong_in


def parts(name: str) -> dict[str, dict[str, str]]:
    done = main("schema", name)
    assert (done.returncode, done.stderr) == (0, b"")
    schema = json.loads(done.stdout)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    found: dict[str, dict[str, str]] = schema.get("$defs", {"itself": schema})
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_schema_is_one_of_draft_2020_12_and_describes_every_part(name: str) -> None:
    for part in parts(name).values():
        assert part["description"]
        assert "\n" not in part["description"]


def test_every_command_that_prints_json_has_a_schema() -> None:
    commands = typer.main.get_command(app).commands.values()  # type: ignore[attr-defined]
    prints = {each.name for each in commands if any("--json" in p.opts for p in each.params)}
    assert {told.split()[0] for each in DOCUMENTS.values() for told in each.commands} == prints


@pytest.mark.parametrize("name", games.names())
def test_the_schema_of_a_position_has_all_keys_of_a_state(name: str) -> None:
    game, keys = games.load(name), parts("position")[f"{name}_state"]["properties"]
    state = new(game, game.Options(), 4, Random(1))
    dumps = [state.dump() for _ in steps(state, 4, Random(1))] + [state.dump()]
    for dump in dumps[::7] + dumps[-1:]:
        assert dump.keys() == {*keys}
        assert wrong_in("position", {"version": 1, "state": dump}) == []
        assert wrong_in("judge", {"line": 1, "valid": True, "state": dump}) == []
        for key in dump:
            rest = {name: value for name, value in dump.items() if name != key}
            assert wrong_in("position", {"state": rest}) == ["$.state"]


def test_all_keys_and_columns_are_in_the_kept_page_of_formats(
    check_kept: Callable[[str, Path], None],
) -> None:
    check_kept(make_page(), ROOT / "results" / "FORMAT.md")
