"""The keys of who is shown, out or a guest, and of when a league closes."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.plan.config import load_config
from arena.plan.keys import RENAMED, TABLES, FileKeys, UnrankedKeys

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


TOP = "belongs at the top of the file, before the first table"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("deals = 3\n" + NO_THANKS, "1: deals belongs in [[games]]"),
        ("deal = 3\n" + NO_THANKS,
         "1: deal: unknown key, did you mean 'deals'? It belongs in [[games]]"),
        ("cpu_ms = 5\n" + NO_THANKS, "1: cpu_ms belongs in [limits]"),
        (NO_THANKS + 'name = "cup"', f"5: games[0].name {TOP}"),
        (NO_THANKS + "[limits]\nseed = 3", f"6: limits.seed {TOP}"),
        (NO_THANKS + "[limits]\ngoal = 3", f"6: limits.goal {TOP} or in [[games]]"),
        (NO_THANKS + "bonus = true", "5: games[0].bonus belongs in options = { bonus = true }"),
        (f'[tournament]\nname = "cup"\n{NO_THANKS}',
         f"1: tournament is not a table of this file; its keys {TOP.replace('belongs', 'belong')}"),
        ('bot = "bots/*"\n' + NO_THANKS, "1: bot: unknown key, did you mean 'bots'?"),
        ('reason = "copied"\n' + NO_THANKS, "1: reason belongs in `unranked`"),
        (NO_THANKS + "rating = 25", "5: games[0].rating belongs in `anchor`"),
        (NO_THANKS + 'options = { house_bots = "guests" }',
         f"5: games[0].options.house_bots {TOP}"),
    ],
)  # fmt: skip
def test_a_key_at_the_wrong_level_is_told_where_it_belongs(text: str, error: str) -> None:
    assert errors(text) == [f"cup.toml:{error}"]


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_of_a_key_gives_the_new_one(old: str) -> None:
    text = f"{NO_THANKS}[limits]\n{old} = 1"
    assert errors(text) == [f"cup.toml:6: limits.{old} is now called {RENAMED[old]}; rename it"]
    keys = {*UnrankedKeys.model_fields}.union(*(table.model_fields for table in TABLES.values()))
    assert RENAMED[old] in keys
