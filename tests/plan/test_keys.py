"""The keys of who is shown, out or a guest, and of when a league closes."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.plan.config import Config, load_config
from arena.plan.keys import OutKeys

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'


@pytest.fixture(autouse=True)
def _league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)


def config(text: str) -> Config:
    Path("cup.toml").write_text(text)
    return load_config(Path("cup.toml"))


def errors(text: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        config(text)
    return str(caught.value).splitlines()


def test_who_is_shown_is_out_or_a_guest_and_when_it_closes() -> None:
    plain = config(NO_THANKS)
    assert (plain.authors, plain.out, plain.closes, plain.house) == ((), (), None, "ranked")
    full = config(
        'authors = ["*", "!kim"]\nhouse = "guests"\ncloses = 2026-12-01 18:00:00Z\n'
        'out = [{ bot = "a", because = "b", until = 2026-12-01 }]\n' + NO_THANKS
    )
    assert (full.authors, full.house) == (("*", "!kim"), "guests")
    assert full.out == (OutKeys(bot="a", because="b", until=date(2026, 12, 1)),)
    assert full.closes == datetime(2026, 12, 1, 18, tzinfo=UTC)
    assert config("authors = true\n" + NO_THANKS).authors == ("*",)
    assert config(NO_THANKS + '[[out]]\nbot = "a"\nbecause = "b"\n').out[0].until is None


OUT = 'out = [{ bot = "a", because = "b"'
BOTS = "true, false or a list of bots"
OFFSET = "a day and time with an offset, such as 2026-12-01T18:00:00+01:00"
A_TABLE = "found a table; write [[out]], in double brackets, before each bot"
A_BOT = 'set a bot and why, such as out = [{ bot = "haggler", because = "it plays twice" }]'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("authors = 3", f"1: authors: found 3; expected {BOTS}"),
        ('authors = ["*",\n3]', "2: authors[1]: found 3; expected a text in quotes"),
        ('authors = ["!a"]', "1: authors: the list only excludes; start the list with a pattern "
         "that includes bots, such as '*'"),
        ("out = 3", f"1: out: found 3; {A_BOT}"),
        ("[out]\nbot = 3", f"1: out: {A_TABLE}"),
        ('out = { bot = "a", because = "b" }', f"1: out: {A_TABLE}"),
        ('out = ["a"]', f"1: out[0]: found 'a'; {A_BOT}"),
        ('out = [\n{ bot = "a" }]', f"2: out[0].because is missing; {A_BOT}"),
        ('out = [{ because = "a" }]', f"1: out[0].bot is missing; {A_BOT}"),
        (f"{OUT}, untill = 1 }}]", "1: out[0].untill: unknown key, did you mean 'until'?"),
        ('[[out]]\nbot = "a"\nbecause = "b"\nuntil = 2026-12-01T10:00:00', "4: out[0].until: found "
         "2026-12-01T10:00:00; expected a day, such as 2026-12-01"),
        ('out = [{ bot = "a", because = "" }]',
         "1: out[0].because: found ''; expected 1 to 200 printable characters"),
        (f'out = [{{ bot = "a", because = "{"b" * 201}" }}]', f"1: out[0].because: found "
         f"'{'b' * 56}...; expected 1 to 200 printable characters"),
        (f'{OUT} }}, {{ bot = "a", because = "c" }}]',
         "1: out[1].bot: found 'a' twice; remove one"),
        ("closes = 2026-12-01T18:00:00", "1: closes: found 2026-12-01T18:00:00; expected "
         f"{OFFSET}"),
        ("closes = 2026-12-01", f"1: closes: found 2026-12-01; expected {OFFSET}"),
        ('closes = "soon"', f"1: closes: found 'soon'; expected {OFFSET}"),
        ('house = "guest"', "1: house: found 'guest', did you mean 'guests'?"),
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
        (NO_THANKS + "[limits]\nsettle = 0.9", f"6: limits.settle {TOP} or in [[games]]"),
        (NO_THANKS + "bonus = true", "5: games[0].bonus belongs in options = { bonus = true }"),
        (f'[tournament]\nname = "cup"\n{NO_THANKS}',
         f"1: tournament is not a table of this file; its keys {TOP.replace('belongs', 'belong')}"),
        ('bot = "bots/*"\n' + NO_THANKS, "1: bot: unknown key, did you mean 'bots'?"),
        ('because = "copied"\n' + NO_THANKS, "1: because belongs in `out`"),
        (NO_THANKS + "rating = 25", "5: games[0].rating belongs in `anchor`"),
        (NO_THANKS + 'options = { house = "guests" }', f"5: games[0].options.house {TOP}"),
    ],
)  # fmt: skip
def test_a_key_at_the_wrong_level_is_told_where_it_belongs(text: str, error: str) -> None:
    assert errors(text) == [f"cup.toml:{error}"]
