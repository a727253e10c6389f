"""A tournament's file and its keys: what they may say, and every error with its line."""

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from arena.errors import UsageError
from arena.model import Bot, Limits, Pool, SequentialTest
from arena.plan.config import Config, ConfigError, load_config
from arena.plan.keys import RENAMED, TABLES, FileKeys, GameKeys, LimitsKeys, Takes, UnrankedKeys
from arena.plan.plan import find_wanted, plan_tournament
from arena.schedule.choices import make_choices
from arena.schedule.order import Schedule, make_identity
from arena.typed_json import schema_of
from tests.house_bots import FIELD
from tests.leagues import NOW
from tests.places import EXPECTED, ROOT

TOURNAMENTS = ROOT / "tournaments"
NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
SIXTEEN = '[[games]]\ngame = "sixteen"\nplayers = 4\ndeals = 1\n'
FOUR = [Bot(f"b{n}", "") for n in range(4)]


@pytest.fixture(autouse=True)
def _league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)


def config(text: str | bytes, name: str = "cup.toml") -> Config:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_config(Path(name))


def errors(text: str | bytes, name: str = "cup.toml") -> list[str]:
    with pytest.raises(UsageError) as caught:
        config(text, name)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(("game", "shared"), [(NO_THANKS, False), (SIXTEEN, True)])
def test_decks_are_shared_where_that_makes_results_steadier(game: str, shared: bool) -> None:
    assert config(game).games[0].table.shared_decks is shared
    assert config(game + "shared_decks = false\n").games[0].table.shared_decks is False


def test_what_a_file_says_is_taken() -> None:
    full = config(
        'name = "x"\nbots = ["bots/*", "!bots/a*"]\nseed = 0\nworkers = 2\npin_cores = false\n'
        'entries_close = 2026-12-01 18:00:00Z\nhouse_bots = "guests"\nshow_authors = true\n'
        'unranked = [{ bot = "a", reason = "b", until = 2026-12-01 }]\n[limits]\nmax_restarts = 0\n'
        '[[games]]\ngame = "no_thanks"\nplayers = [6, 3]\ndeals = 7\nseatings = 5\n'
        "options = { extended = true }\n"
    )
    assert (full.name, full.keys.limits) == ("x", Limits(max_restarts=0))
    assert full.keys.model_dump(exclude={"games", "limits"}, exclude_unset=True) == {
        "name": "x", "bots": ["bots/*", "!bots/a*"], "seed": 0, "workers": 2, "pin_cores": False,
        "entries_close": datetime(2026, 12, 1, 18, tzinfo=UTC), "house_bots": "guests",
        "show_authors": ["*"],
        "unranked": [{"bot": "a", "reason": "b", "until": date(2026, 12, 1)}],
    }  # fmt: skip
    (game,) = full.games
    assert (game.table.players, game.table.deals, game.table.seatings) == ([6, 3], 7, 5)
    assert game.pools == tuple(Pool("no_thanks", n, '{"extended":true}', "") for n in (6, 3))


def test_only_sixteen_with_four_has_partners_the_same_or_mixed() -> None:
    (both,) = config(SIXTEEN.replace("= 4", "= [2, 4]")).games
    assert [pool.partners for pool in both.pools] == ["", "same"]
    games = config(SIXTEEN + SIXTEEN + "partners = 'mixed'\n").games
    pools = [pool for game in games for pool in game.pools]
    assert [pool.title for pool in pools] == ["Sixteen 2v2", "Sixteen 2v2 mixed"]
    assert [pool.entrants for pool in pools] == [2, 4]
    default = config(SIXTEEN + "options = { bonus = true, wilds = true }\n").games[0].pools[0]
    assert default.options == '{"bonus":true}'  # what is as by default makes no other pool


def test_games_buy_line_ups_at_one_deal_until_all_are_drawn_and_then_deals() -> None:
    four = NO_THANKS.replace("deals = 1", "deals = 4")
    bought = {  # of 6 seatings; 20 bots fill 1,140 line-ups, 200 bots 1,313,400
        (NO_THANKS, 20): (None, 1),
        (four + "max_games = 6\n", 20): (1, 1),
        (four + "max_games = 6840\n", 20): (1140, 1),
        (four + "max_games = 20520\n", 20): (1140, 3),
        (four + "max_games = 1_000_000_000\n", 20): (1140, 4),
        (four + "max_games = 1_000_000_000\n", 200): (100_000, 4),
        (four + "gauntlet = 'b1'\nmax_games = 2052\n", 20): (171, 2),
    }
    for (text, bots), expected in bought.items():
        (game,) = config(text).games
        assert game.buy_line_ups(game.pools[0], bots) == expected


def test_a_goal_at_the_top_is_for_all_games_that_say_nothing_of_when_to_stop() -> None:
    text = f"stop_confidence = 0.95\n{NO_THANKS}{SIXTEEN}stop_confidence = 0.8\n"
    assert [game.table.stop_confidence for game in config(text).games] == [0.95, 0.8]
    three = NO_THANKS.replace("deals = 1", "deals = 400")
    four = three.replace("players = 3", "players = 4")
    text = f"stop_confidence = 0.95\nwithin_places = 3\n{three}{SIXTEEN}goal = 'best'\n{four}"
    tests = [entry.test for entry, *_ in find_wanted(config(text + "gauntlet = 'b1'\n"), FOUR)]
    assert [(test.goal, test.within_places, test.first_deals) for test in tests if test] == [
        ("all", 3, 3), ("best", 0, 1), ("all", 0, 1)
    ]  # fmt: skip  # 40 decks a bot before the first look, if deals allow


def test_a_gauntlet_is_one_bot_s_and_a_pool_to_be_settled_begins_at_its_first_look() -> None:
    text = NO_THANKS.replace("deals = 1", "deals = 40") + "gauntlet = '%s'\n"
    ((entry, *_),) = find_wanted(config(text % "b2" + "stop_confidence = 0.95\n"), FOUR)
    assert entry.fixed_bots == ("b2",)
    assert (entry.deals, entry.test) == (2, SequentialTest(0.95, 40, 17, 2, 2))
    with pytest.raises(UsageError) as caught:
        find_wanted(config(text % "b"), FOUR)
    assert str(caught.value) == "cup.toml:5: games[0].gauntlet: found 'b', did you mean 'b3'?"


AT_THE_TOP = (  # one error each
    "pin_cores = 'no'", "workers = 0", "seed = 1.0", "seed = 9223372036854775809", "bots = 5",
    "bots = ['!bots/a']", "bots = ['!bots/a', 'bots/*']", "bots = ['../x']",
    "bots = [\n'bots/*',\n3]", "stop_confidence = 95", "within_places = 2", "anchor = 'haggler'",
    "[anchor]\nbot = 'a'\nrating = inf", "limits = 3", "name = '.x'", "show_authors = 3",
    "show_authors = ['*',\n3]", "show_authors = ['!a']", "unranked = 3",
    "unranked = { bot = 'a', reason = 'b' }", "unranked = ['a']", "unranked = [\n{ bot = 'a' }]",
    "unranked = [{ reason = 'a' }]", "unranked = [{ bot = 'a', reason = 'b', untill = 1 }]",
    "unranked = [{ bot = 'a', reason = '' }]",
    f"unranked = [{{ bot = 'a', reason = '{'b' * 201}' }}]",
    "unranked = [{ bot = 'a', reason = 'b' }, { bot = 'a', reason = 'c' }]",
    "entries_close = 2026-12-01T18:00:00", "entries_close = 2026-12-01", "entries_close = 'soon'",
    "house_bots = 'guest'", "deals = 3", "deal = 3", "cpu_ms = 5", "[tournament]\nname = 'cup'",
    "bot = 'bots/*'", "reason = 'copied'", f"workers = '{'x' * 5000}'", f"workers = 0x{'f' * 5000}",
)  # fmt: skip
IN_NO_THANKS = (
    "stop_confidence = 0.95\ngoal = 1", "stop_confidence = 0.95\ngoal = 'first'",
    "stop_confidence = 0.95\nwithin_places = 0", "goal = 'best'",
    "stop_confidence = 0.95\ngoal = 'best'\nwithin_places = 2",
    "stop_confidence = 0.95\ngoal = 3\ngauntlet = 'ann'", "stop_confidence = true", "gauntlet = 1",
    "anchor = { rating = 25 }", "[games.anchor]\nbots = 'a'\nbot = 'a'", "seatings = 7",
    "seatings = 0", "seatings = true", "shared_decks = 'yes'", "max_games = 5", "partners = 'same'",
    "[games.options]\nchips = 101", "[games.options.chips]\nx = 101", SIXTEEN + NO_THANKS,
    "game = 'no_thanks'", "seatings =", "[unranked]\nbot = 3",
    "[[unranked]]\nbot = 'a'\nreason = 'b'\nuntil = 2026-12-01T10:00:00", "name = 'cup'",
    "[limits]\nseed = 3", "[limits]\ngoal = 3", "[limits]\ngames = 3", "[limits]\nsettle = 3",
    "bonus = true", "rating = 25", "options = { house_bots = 'guests' }",
)  # fmt: skip
WHOLE: tuple[str | bytes, ...] = (
    "", "games = []", NO_THANKS.replace("[[games]]", "\n[games]"), NO_THANKS.replace("= 3", "= []"),
    NO_THANKS.replace("= 3", "= [3, 4, 3]"), NO_THANKS.replace("= 3", "= [3,\n 6]"),
    NO_THANKS.replace("= 3", "= ['x']"), NO_THANKS.replace("= 1", "= 10000001"),
    SIXTEEN + "seatings = 3", SIXTEEN + "partners = 'mixt'",
    SIXTEEN + "partners = 'mixed'\nseatings = 8", b"# fine\n" + "n = 'caf\xe9'".encode("latin-1"),
    "a = " + "[" * 5000, f"# x\n[{'a.' * 3000}a]", "a = {" + "b . 'c'.\t\"d\"." * 6 + "e = 1}",
    ("# caf\xe9\n" + NO_THANKS + "bts = 1").replace("\n", "\r\n").encode("utf-8-sig"),
)  # fmt: skip
MANY = (
    'nam = "x"\nseed = -1\nworkers = true\n[limits]\ncpu_ms = 0\nwall = 3\n'
    '[[games]]\ngame = "sixteen"\nplayers = 3\ndeals = "a"\nseatings = "al"\n'
    'options = { bonnus = true, match = 1 }\n[[games]]\ngame = "no_thank"\ndeals = 1\n',
    'bots = [\n"!bots/a",\n3,\n"bots/*",\n"/x",\n"bots/**b"]\n'
    '[[games]]\ngame = "no_thanks"\ndeals = 1\nplayers = [3,\n9,\n"x",\n3,\ntrue,\n2]\n'
    'bots = [4,\n"!a"]\n',
)


def test_kept_errors_say_place_finding_and_remedy_in_the_order_of_the_lines(
    check_kept: Callable[[str, Path], None],
) -> None:
    texts = [
        *(f"{keys}\n{NO_THANKS}" for keys in AT_THE_TOP),
        *map(NO_THANKS.__add__, IN_NO_THANKS),
    ]
    lines = [line for text in (*texts, *WHOLE) for (line,) in [errors(text)]]  # one error each
    lines += [line for text in MANY for line in ("", *errors(text))]
    check_kept("\n".join(lines) + "\n", EXPECTED / "config-errors.txt")


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


def test_the_file_s_own_name_must_do_where_there_is_no_other() -> None:
    (error,) = errors(NO_THANKS, "a cup.toml")
    why = "name is missing, and 'a cup' (from the file's name) cannot be used; set "
    assert error.startswith(f"a cup.toml:1: {why}")
    assert config('name = "a-cup"\n' + NO_THANKS, "a cup.toml").name == "a-cup"


def test_a_file_that_cannot_be_read_or_is_not_there_says_so(tmp_path: Path) -> None:
    for path, why in (
        ("bots", "is a folder; name a TOML file in it"),
        (os.devnull, "cannot be read: not a regular file"),
        ("cup.toml", "no such file; name a tournament's TOML file, such as tournaments/NAME.toml"),
    ):
        with pytest.raises(ConfigError) as caught:
            load_config(Path(path))
        assert str(caught.value) == f"{path}: {why}"
    (tmp_path / "bots").rmdir()  # which is said whatever else is missing
    Path("cups.toml").touch()
    with pytest.raises(ConfigError, match=r"^cup\.toml: no such file; did you mean cups\.toml\?$"):
        plan_tournament(Path("cup.toml"), NOW)


def test_what_is_wrong_with_bots_on_the_disk_has_its_line_too(tmp_path: Path) -> None:
    for name in ("ann", "bob", "cid"):
        (tmp_path / "bots" / f"{name}.py").touch()

    def said(text: str) -> list[str]:
        Path("cup.toml").write_text(text)
        with pytest.raises(UsageError) as caught:
            plan_tournament(Path("cup.toml"), NOW, confined=False)
        return str(caught.value).replace(str(tmp_path.resolve()), "LEAGUE").splitlines()

    first = 'name = "x"\nbots = [\n"bots/*",\n'
    assert said(first + '"bots/dee.py",\n"bots/x*", "!bots/bop.py"]\n' + NO_THANKS) == [
        "cup.toml:4: bots[1]: LEAGUE/bots/dee.py: no such file; 'bots/*' includes all bots",
        "cup.toml:5: bots[2]: LEAGUE: 'bots/x*' matches no bot; put a file with `def decide(view)` "
        "there",
        "cup.toml:5: bots[3]: '!bots/bop.py' excludes no bot; did you mean '!bots/bob.py'?",
    ]
    two = SIXTEEN + 'bots = ["bots/*",\n"bots/dee.py"]\n' + NO_THANKS + 'gauntlet = "dee"\n'
    assert said(two + 'max_games = 6\nbots = ["bots/*", "!x"]\n' + NO_THANKS.replace("3", "5")) == [
        "cup.toml:6: games[0].bots[1]: LEAGUE/bots/dee.py: no such file; 'bots/*' "
        "includes all bots",
        "cup.toml:13: games[1].bots[1]: '!x' excludes no bot; remove it from the list",
        "cup.toml:14: games[2]: found 3 bots; No Thanks! 5p needs 5",
    ]


def test_the_documented_examples_are_right() -> None:
    text = (TOURNAMENTS / "README.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert [len(config(example).games) for example in examples] == [1, 1, 1]


POOLS = [
    *(f"17 Diciassette {n}p" for n in (2, 3, 4, 5, 6)),
    *(f"No Thanks! {n}p" for n in (3, 4, 5)), "Sixteen 2p", "Sixteen 2v2",
]  # fmt: skip


def test_the_quick_tournament_plays_all_ten_pools_and_every_bot_as_often_in_every_seat() -> None:
    bots = [Bot(name, "") for name in FIELD]
    wanted = find_wanted(config((TOURNAMENTS / "quick.toml").read_text("utf-8")), bots)
    entries, _ = make_choices(wanted, {})
    assert sorted(entry.pool.title for entry in entries) == POOLS
    played = 0
    for entry in entries:
        sat = Counter(
            (game.line_up[place].name, seat)
            for game in Schedule(entry, make_identity(entry, Limits()))
            for seat, place in enumerate(game.seating)
        )
        assert len(set(sat.values())) == 1, entry.pool
        assert {name for name, _ in sat} == set(FIELD), entry.pool
        played += sat.total() // entry.pool.players
    assert 4_500 <= played <= 7_000  # ten seconds, at some 1,000 a second


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


def test_the_kept_tables_of_keys_are_made_of_the_keys(request: pytest.FixtureRequest) -> None:
    readme = TOURNAMENTS / "README.md"
    titles: list[type[BaseModel]] = [FileKeys, LimitsKeys, GameKeys]
    for title, table in zip(("The file", "`[limits]`", "`[[games]]`"), titles, strict=True):
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
    values = json.loads(json.dumps(tomllib.loads(text), default=str))
    return not [*Draft202012Validator(json.loads(schema_of(FileKeys))).iter_errors(values)]


def test_the_schema_takes_what_arena_takes() -> None:
    for keys in TEN_RIGHT + TEN_WRONG:
        game = NO_THANKS.replace("players = 3\n", "") if "players" in keys else NO_THANKS
        text = f"{TOP}{game}{keys}\n"
        assert fits_schema(text) is (keys in TEN_RIGHT), keys
        if keys in TEN_RIGHT:
            config(text)
        else:
            assert errors(text), keys


def test_the_schema_lies_beside_the_tournaments_whose_first_line_names_it() -> None:
    schema = TOURNAMENTS / "config.schema.json"
    assert schema.read_text("utf-8") == schema_of(FileKeys)
    for file in TOURNAMENTS.glob("*.toml"):
        text = file.read_text("utf-8")
        assert text.startswith("#:schema config.schema.json\n")
        assert fits_schema(text)
