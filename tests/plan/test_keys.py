"""Keys of a config: their values, old names, tables in README, and JSON Schema."""

import json
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from arena.errors import UsageError
from arena.plan.config import load_config
from arena.plan.keys import (
    RENAMED,
    TABLES,
    FileKeys,
    GameKeys,
    LimitsKeys,
    Takes,
    UnrankedKeys,
)
from arena.typed_json import schema_of
from tests.places import ROOT

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'


@pytest.fixture(autouse=True)
def _league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)


def config(text: str) -> FileKeys:
    Path("cup.toml").write_text(text)
    return load_config(Path("cup.toml")).keys


def errors(text: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        config(text)
    return str(caught.value).splitlines()


def test_who_is_shown_is_out_or_a_guest_and_when_it_closes() -> None:
    plain = config(NO_THANKS)
    assert (plain.show_authors, plain.unranked, plain.entries_close, plain.house_bots) == (
        [],
        [],
        None,
        "ranked",
    )
    full = config(
        'show_authors = ["*", "!kim"]\nhouse_bots = "guests"\n'
        "entries_close = 2026-12-01 18:00:00Z\n"
        'unranked = [{ bot = "a", reason = "b", until = 2026-12-01 }]\n' + NO_THANKS
    )
    assert (full.show_authors, full.house_bots) == (["*", "!kim"], "guests")
    assert full.unranked == [UnrankedKeys(bot="a", reason="b", until=date(2026, 12, 1))]
    assert full.entries_close == datetime(2026, 12, 1, 18, tzinfo=UTC)
    assert config("show_authors = true\n" + NO_THANKS).show_authors == ["*"]
    assert config(NO_THANKS + '[[unranked]]\nbot = "a"\nreason = "b"\n').unranked[0].until is None


OUT = 'unranked = [{ bot = "a", reason = "b"'
BOTS = "true, false or a list of bots"
OFFSET = "a day and time with an offset, such as 2026-12-01T18:00:00+01:00"
A_TABLE = "found a table; write [[unranked]], in double brackets, before each bot"
A_BOT = 'set a bot and why, such as unranked = [{ bot = "haggler", reason = "it plays twice" }]'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("show_authors = 3", f"1: show_authors: found 3; expected {BOTS}"),
        ('show_authors = ["*",\n3]', "2: show_authors[1]: found 3; expected a text in quotes"),
        ('show_authors = ["!a"]', "1: show_authors: the list only excludes; start the list with a "
         "pattern that includes bots, such as '*'"),
        ("unranked = 3", f"1: unranked: found 3; {A_BOT}"),
        ("[unranked]\nbot = 3", f"1: unranked: {A_TABLE}"),
        ('unranked = { bot = "a", reason = "b" }', f"1: unranked: {A_TABLE}"),
        ('unranked = ["a"]', f"1: unranked[0]: found 'a'; {A_BOT}"),
        ('unranked = [\n{ bot = "a" }]', f"2: unranked[0].reason is missing; {A_BOT}"),
        ('unranked = [{ reason = "a" }]', f"1: unranked[0].bot is missing; {A_BOT}"),
        (f"{OUT}, untill = 1 }}]", "1: unranked[0].untill: unknown key, did you mean 'until'?"),
        ('[[unranked]]\nbot = "a"\nreason = "b"\nuntil = 2026-12-01T10:00:00', 
         "4: unranked[0].until: found 2026-12-01T10:00:00; expected a day, such as 2026-12-01"),
        ('unranked = [{ bot = "a", reason = "" }]',
         "1: unranked[0].reason: found ''; expected 1 to 200 printable characters"),
        (f'unranked = [{{ bot = "a", reason = "{"b" * 201}" }}]', f"1: unranked[0].reason: found "
         f"'{'b' * 56}...; expected 1 to 200 printable characters"),
        (f'{OUT} }}, {{ bot = "a", reason = "c" }}]',
         "1: unranked[1].bot: found 'a' twice; remove one"),
        ("entries_close = 2026-12-01T18:00:00", "1: entries_close: found 2026-12-01T18:00:00; "
         f"expected {OFFSET}"),
        ("entries_close = 2026-12-01", f"1: entries_close: found 2026-12-01; expected {OFFSET}"),
        ('entries_close = "soon"', f"1: entries_close: found 'soon'; expected {OFFSET}"),
        ('house_bots = "guest"', "1: house_bots: found 'guest', did you mean 'guests'?"),
    ],
)  # fmt: skip
def test_each_error_of_who_and_when_says_place_finding_and_remedy(text: str, error: str) -> None:
    lines = errors(f"{NO_THANKS}{text}\n" if text.startswith("[") else f"{text}\n{NO_THANKS}")
    if text.startswith("["):
        line, rest = error.split(":", 1)
        assert lines == [f"cup.toml:{int(line) + 4}:{rest}"]
    else:
        assert lines == [f"cup.toml:{error}"]


BELONGS = "belongs at the top of the file, before the first table"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("deals = 3\n" + NO_THANKS, "1: deals belongs in [[games]]"),
        ("deal = 3\n" + NO_THANKS,
         "1: deal: unknown key, did you mean 'deals'? It belongs in [[games]]"),
        ("cpu_ms = 5\n" + NO_THANKS, "1: cpu_ms belongs in [limits]"),
        (NO_THANKS + 'name = "cup"', f"5: games[0].name {BELONGS}"),
        (NO_THANKS + "[limits]\nseed = 3", f"6: limits.seed {BELONGS}"),
        (NO_THANKS + "[limits]\ngoal = 3", f"6: limits.goal {BELONGS} or in [[games]]"),
        (NO_THANKS + "bonus = true", "5: games[0].bonus belongs in options = { bonus = true }"),
        (f'[tournament]\nname = "cup"\n{NO_THANKS}',
         "1: tournament is not a table of this file; "
         f"its keys {BELONGS.replace('belongs', 'belong')}"),
        ('bot = "bots/*"\n' + NO_THANKS, "1: bot: unknown key, did you mean 'bots'?"),
        ('reason = "copied"\n' + NO_THANKS, "1: reason belongs in `unranked`"),
        (NO_THANKS + "rating = 25", "5: games[0].rating belongs in `anchor`"),
        (NO_THANKS + 'options = { house_bots = "guests" }',
         f"5: games[0].options.house_bots {BELONGS}"),
    ],
)  # fmt: skip
def test_a_key_at_the_wrong_level_is_told_where_it_belongs(text: str, error: str) -> None:
    assert errors(text) == [f"cup.toml:{error}"]


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_of_a_key_gives_the_new_one(old: str) -> None:
    keys = {length: table.model_fields for length, table in TABLES.items()}
    texts = [
        (RENAMED[old] in keys[1], f"{old} = 1\n{NO_THANKS}", f"1: {old}"),
        (RENAMED[old] in keys[2], f"{NO_THANKS}[limits]\n{old} = 1", f"6: limits.{old}"),
        (RENAMED[old] in keys[3], f"{NO_THANKS}{old} = 1", f"5: games[0].{old}"),
        (RENAMED[old] in UnrankedKeys.model_fields, f"{NO_THANKS}[[unranked]]\nbot = 'a'\n"
         f"reason = 'b'\n{old} = 1", f"8: unranked[0].{old}"),
    ]  # fmt: skip
    has_place = [(text, place) for has, text, place in texts if has]
    assert has_place
    for text, place in has_place:
        assert errors(text) == [f"cup.toml:{place} is now called {RENAMED[old]}; rename it"]


@pytest.mark.parametrize(
    ("old", "error"),
    [
        ("games", BELONGS),
        ("settle", f"is now called stop_confidence, and {BELONGS} or in [[games]]"),
    ],
)
def test_an_old_name_where_the_new_key_is_not_says_the_place(old: str, error: str) -> None:
    assert errors(f"{NO_THANKS}[limits]\n{old} = 3") == [f"cup.toml:6: limits.{old} {error}"]


TOURNAMENTS = ROOT / "tournaments"
HEAD = "| key | default | values | meaning |\n|---|---|---|---|\n"


def documented(table: type[BaseModel]) -> str:
    """A table of keys as tournaments/README.md has it."""
    rows = []
    for key, field in table.model_fields.items():
        words = next((takes.words for takes in field.metadata if isinstance(takes, Takes)), "")
        default = "required" if field.is_required() else "see below"
        if not field.is_required() and not field.default_factory:
            default = "" if field.default is None else json.dumps(field.default)
        cells = (f"`{key}`", default, words or "true or false", field.description)
        rows.append(f"| {' | '.join(map(str, cells))} |\n")
    return HEAD + "".join(rows)


@pytest.mark.parametrize(
    ("title", "table"),
    [("The file", FileKeys), ("`[limits]`", LimitsKeys), ("`[[games]]`", GameKeys)],
)
def test_the_kept_tables_of_keys_are_made_of_the_keys(
    title: str, table: type[BaseModel], request: pytest.FixtureRequest
) -> None:
    readme = TOURNAMENTS / "README.md"
    text = readme.read_text("utf-8")
    start = text.index("| key |", text.index(f"## {title}\n"))
    end = text.index("\n\n", start) + 1
    if request.config.getoption("regen_all"):
        readme.write_text(text[:start] + documented(table) + text[end:], "utf-8")
    assert text[start:end] == documented(table)


TEN_RIGHT = (
    "", "players = [3, 4]", "seatings = 'all'\nshared_decks = true", "seatings = 4",
    "stop_confidence = 0.95\ngoal = 'best'", "stop_confidence = 0.9\ngoal = 3",
    "bots = ['bots/*', '!bots/a*']\nmax_games = 9000", "anchor = { bot = 'ann', rating = -3 }",
    "options = { extended = true }",
    "[limits]\ncpu_ms = 1\n[[unranked]]\nbot = 'ann'\nreason = 'late'\nuntil = 2026-12-01",
)  # fmt: skip
TEN_WRONG = (
    "players = '3'", "seatings = 'some'", "seatings = 0", "shared_decks = 'yes'",
    "duplicate = true", "goal = 1", "stop_confidence = 95", "bots = []", "[limits]\ncpu_ms = 0",
    "[[unranked]]\nbot = 'ann'",
)  # fmt: skip
TOP = "name = 'cup'\nshow_authors = true\nentries_close = 2026-12-01T18:00:00+01:00\n"


def fits_schema(text: str) -> bool:
    """Whether a config is valid by its JSON Schema, for which days are texts."""
    values = json.loads(json.dumps(tomllib.loads(text), default=str))
    return not [*Draft202012Validator(json.loads(schema_of(FileKeys))).iter_errors(values)]


@pytest.mark.parametrize("keys", TEN_RIGHT + TEN_WRONG)
def test_the_schema_takes_what_arena_takes(keys: str) -> None:
    game = NO_THANKS.replace("players = 3\n", "") if "players" in keys else NO_THANKS
    text = f"{TOP}{game}{keys}\n"
    assert fits_schema(text) is (keys in TEN_RIGHT)
    if keys in TEN_RIGHT:
        config(text)
    else:
        assert errors(text)


def test_the_schema_lies_beside_the_tournaments_whose_first_line_names_it() -> None:
    schema = TOURNAMENTS / "config.schema.json"
    assert schema.read_text("utf-8") == schema_of(FileKeys)
    for file in TOURNAMENTS.glob("*.toml"):
        text = file.read_text("utf-8")
        assert text.startswith("#:schema config.schema.json\n")
        assert fits_schema(text)
