"""A tournament's file: what it may say, and every error with its line."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.model import Bot, Fixture, Limits, Pool, SequentialTest
from arena.plan.config import Config, ConfigError, load_config
from arena.plan.plan import find_wanted, plan_tournament
from arena.schedule.choices import make_choices
from arena.schedule.order import Schedule, make_identity
from tests.house_bots import FIELD
from tests.leagues import NOW
from tests.places import ROOT

TOURNAMENTS = ROOT / "tournaments"
NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
SIXTEEN = '[[games]]\ngame = "sixteen"\nplayers = 4\ndeals = 1\n'


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


def test_what_a_file_leaves_out_has_a_default() -> None:
    plain = config(NO_THANKS)
    assert plain.name == "cup"
    keys = plain.keys
    assert (keys.bots, keys.seed, keys.workers, keys.pin_cores) == (["bots/*"], None, None, True)
    assert keys.limits == Limits(
        cpu_ms=100, wall_ms=2000, load_ms=3000, memory_mib=512, max_output_kib=64, max_restarts=3
    )  # design.md
    (game,) = plain.games
    table = game.table
    assert (table.seatings, table.shared_decks, table.partners) == ("auto", False, "same")
    assert table.bots is None
    assert plain.place(("games", 0)) == "cup.toml:1: games[0]"
    assert plain.folder == Path.cwd().resolve()


@pytest.mark.parametrize(("game", "shared"), [(NO_THANKS, False), (SIXTEEN, True)])
def test_decks_are_shared_where_that_makes_results_steadier(game: str, shared: bool) -> None:
    assert config(game).games[0].table.shared_decks is shared
    assert config(game + "shared_decks = false\n").games[0].table.shared_decks is False


def test_what_a_file_says_is_taken() -> None:
    full = config(
        'name = "x"\nbots = ["bots/*", "!bots/a*"]\nseed = 0\nworkers = 2\npin_cores = false\n'
        "[limits]\nmax_restarts = 0\n"
        '[[games]]\ngame = "no_thanks"\nplayers = [6, 3]\ndeals = 7\nseatings = 5\n'
        'shared_decks = true\nbots = ["bots/n*"]\noptions = { extended = true }\n'
    )
    keys = full.keys
    assert (full.name, keys.bots) == ("x", ["bots/*", "!bots/a*"])
    assert (keys.seed, keys.workers, keys.pin_cores) == (0, 2, False)
    assert keys.limits == Limits(max_restarts=0)
    (game,) = full.games
    table = game.table
    assert (table.players, table.deals, table.seatings) == ([6, 3], 7, 5)
    assert (table.shared_decks, table.bots, game.options.extended) == (True, ["bots/n*"], True)


def test_each_number_of_players_is_a_pool_of_its_own() -> None:
    assert config(NO_THANKS.replace("3", "[3, 5]")).games[0].pools == (
        Pool("no_thanks", 3, "{}", ""),
        Pool("no_thanks", 5, "{}", ""),
    )


def test_only_sixteen_with_four_has_partners() -> None:
    pools = config(SIXTEEN.replace("= 4", "= [2, 4]")).games[0].pools
    assert [pool.partners for pool in pools] == ["", "same"]


def test_partners_may_be_mixed_beside_the_same_in_one_file() -> None:
    made = config(SIXTEEN + SIXTEEN + 'partners = "mixed"\n').games
    assert [(pool.title, pool.entrants) for game in made for pool in game.pools] == [
        ("Sixteen 2v2", 2), ("Sixteen 2v2 mixed", 4),
    ]  # fmt: skip


def test_games_buy_line_ups_at_one_deal_until_all_are_drawn_and_then_deals() -> None:
    four = NO_THANKS.replace("deals = 1", "deals = 4")
    bought = {  # of 6 seatings; 20 bots fill 1,140 line-ups, 200 bots 1,313,400
        (NO_THANKS, 20): (None, 1),
        (four + "max_games = 6\n", 20): (1, 1),
        (four + "max_games = 6839\n", 20): (1139, 1),
        (four + "max_games = 6840\n", 20): (1140, 1),
        (four + "max_games = 20519\n", 20): (1140, 2),
        (four + "max_games = 20520\n", 20): (1140, 3),
        (four + "max_games = 1_000_000_000\n", 20): (1140, 4),
        (four + "max_games = 1_000_000_000\n", 200): (100_000, 4),
        (four + "gauntlet = 'b1'\nmax_games = 2052\n", 20): (171, 2),
    }
    for (text, bots), expected in bought.items():
        (game,) = config(text).games
        assert game.buy_line_ups(game.pools[0], bots) == expected


def test_stop_confidence_at_the_top_is_for_all_games_that_have_none_of_their_own() -> None:
    text = f"stop_confidence = 0.95\n{NO_THANKS}{SIXTEEN}stop_confidence = 0.8\n"
    assert [game.table.stop_confidence for game in config(text).games] == [0.95, 0.8]
    assert config(NO_THANKS).games[0].table.stop_confidence is None


def test_a_goal_at_the_top_is_for_all_games_that_say_nothing_of_when_to_stop() -> None:
    three = NO_THANKS.replace("deals = 1", "deals = 400")
    four = three.replace("players = 3", "players = 4")
    text = f"stop_confidence = 0.95\nwithin_places = 3\n{three}{SIXTEEN}goal = 'best'\n{four}"
    text += "gauntlet = 'b1'\n"
    bots = [Bot(f"b{n}", "") for n in range(4)]
    found = [entry.test for entry, *_ in find_wanted(config(text), bots)]
    assert [(each.goal, each.within_places) for each in found if each] == [
        ("all", 3), ("best", 0), ("all", 0)
    ]  # fmt: skip
    first_deals = [each.first_deals for each in found if each]
    assert first_deals == [3, 1, 1]  # 40 decks a bot, if deals allow


def test_a_gauntlet_is_one_bot_s_and_a_pool_to_be_settled_begins_at_its_first_look() -> None:
    text = NO_THANKS.replace("deals = 1", "deals = 40") + 'gauntlet = "b2"\n'
    text += "stop_confidence = 0.95\n"
    ((entry, *_),) = find_wanted(config(text), [Bot(f"b{n}", "") for n in range(4)])
    assert entry.fixed_bots == ("b2",)
    assert (entry.deals, entry.test) == (2, SequentialTest(0.95, 40, 17, 2, 2))


def test_a_gauntlet_of_nobody_is_refused() -> None:
    asked = config(NO_THANKS + '# one against the field\ngauntlet = "b0"\n')
    with pytest.raises(UsageError) as caught:
        find_wanted(asked, [Bot(f"b{n}2", "") for n in range(4)])
    assert str(caught.value) == "cup.toml:6: games[0].gauntlet: found 'b0', did you mean 'b02'?"


def test_options_at_their_default_make_no_other_pool() -> None:
    text = SIXTEEN + "options = { bonus = true, wilds = true }\n"
    assert config(text).games[0].pools[0].options == '{"bonus":true}'


def test_every_error_is_named_at_once_in_the_order_of_the_lines() -> None:
    assert errors(
        'nam = "x"\nseed = -1\nworkers = true\n[limits]\ncpu_ms = 0\nwall = 3\n'
        '[[games]]\ngame = "sixteen"\nplayers = 3\ndeals = "a"\nseatings = "al"\n'
        "options = { bonnus = true,\n match = 1 }\n".replace(",\n", ",")
        + '[[games]]\ngame = "no_thank"\ndeals = 1\n'
    ) == [
        "cup.toml:1: nam: unknown key, did you mean 'name'?",
        "cup.toml:2: seed: found -1; expected 0 to 9223372036854775808",
        "cup.toml:3: workers: found true; expected a whole number",
        "cup.toml:5: limits.cpu_ms: found 0; expected 1 to 600000",
        "cup.toml:6: limits.wall: unknown key, did you mean 'wall_ms'?",
        "cup.toml:9: games[0].players: found 3; sixteen takes 2 or 4",
        "cup.toml:10: games[0].deals: found 'a'; expected a whole number",
        "cup.toml:11: games[0].seatings: found 'al', did you mean 'all'?",
        "cup.toml:12: games[0].options.bonnus: no such option; did you mean bonus?",
        "cup.toml:12: games[0].options.match: found 1; expected true or false",
        "cup.toml:13: games[1].players is missing; every [[games]] needs game, players and deals",
        "cup.toml:14: games[1].game: found 'no_thank', did you mean 'no_thanks'?",
    ]


ONE_ERROR = {
    "pin_cores = 'no'\n" + NO_THANKS: "cup.toml:1: pin_cores: found 'no'; expected true or false",
    "workers = 0\n" + NO_THANKS: "cup.toml:1: workers: found 0; expected 1 to 1024",
    "seed = 1.0\n" + NO_THANKS: "cup.toml:1: seed: found 1.0; expected a whole number",
    "seed = 9223372036854775809\n" + NO_THANKS: (
        "cup.toml:1: seed: found 9223372036854775809; expected 0 to 9223372036854775808"
    ),
    "bots = 5\n" + NO_THANKS: "cup.toml:1: bots: found 5; expected a list in [ ]",
    'bots = ["!bots/a"]\n' + NO_THANKS: (
        "cup.toml:1: bots: the list only excludes; start the list with a pattern that includes "
        "bots, such as 'bots/*'"
    ),
    'bots = ["!bots/a", "bots/*"]\n' + NO_THANKS: (
        "cup.toml:1: bots[0]: '!bots/a' excludes before anything is included; start the "
        "list with a pattern that includes bots, such as 'bots/*'"
    ),
    'bots = ["../x"]\n' + NO_THANKS: (
        "cup.toml:1: bots[0]: found '../x'; expected a path inside the league's folder, such as "
        "'bots/*'"
    ),
    'bots = [\n"bots/*",\n3]\n' + NO_THANKS: (
        "cup.toml:3: bots[1]: found 3; expected a text in quotes"
    ),
    "stop_confidence = 95\n" + NO_THANKS: (
        "cup.toml:1: stop_confidence: found 95; expected 0.5 to 0.999, such as 0.95"
    ),
    NO_THANKS + "stop_confidence = 0.95\ngoal = 1": (
        "cup.toml:6: games[0].goal: found 1; expected 'best', 'all' or how many, 2 to 100,000"
    ),
    NO_THANKS + "stop_confidence = 0.95\ngoal = 'first'": (
        "cup.toml:6: games[0].goal: found 'first'; expected 'best', 'all' or how many, 2 to 100,000"
    ),
    NO_THANKS + "stop_confidence = 0.95\nwithin_places = 0": (
        "cup.toml:6: games[0].within_places: found 0; expected 1 to 100000"
    ),
    NO_THANKS + "goal = 'best'": (
        "cup.toml:5: games[0].goal: has no effect without stop_confidence; set it to 0.95, or "
        "remove the key"
    ),
    "within_places = 2\n" + NO_THANKS: (
        "cup.toml:1: within_places: has no effect without stop_confidence; set it to 0.95, or "
        "remove the key"
    ),
    NO_THANKS + "stop_confidence = 0.95\ngoal = 'best'\nwithin_places = 2": (
        "cup.toml:7: games[0].within_places is only for goal = 'all', and the goal is 'best'"
    ),
    NO_THANKS + "stop_confidence = 0.95\ngoal = 3\ngauntlet = 'ann'": (
        "cup.toml:6: games[0].goal: has no effect in a gauntlet, which compares its bot with its "
        "neighbours"
    ),
    NO_THANKS + "stop_confidence = true": (
        "cup.toml:5: games[0].stop_confidence: found true; expected a number"
    ),
    NO_THANKS + "gauntlet = 1": "cup.toml:5: games[0].gauntlet: found 1; expected a text in quotes",
    "anchor = 'haggler'\n" + NO_THANKS: (
        "cup.toml:1: anchor: found 'haggler'; set a bot and its rating, such as "
        '{ bot = "haggler", rating = 25 }'
    ),
    NO_THANKS + "anchor = { rating = 25 }": (
        "cup.toml:5: games[0].anchor.bot is missing; set a bot and its rating, such as "
        '{ bot = "haggler", rating = 25 }'
    ),
    "[anchor]\nbot = 'a'\nrating = inf\n" + NO_THANKS: (
        "cup.toml:3: anchor.rating: found inf; expected -10000 to 10000, such as 25"
    ),
    NO_THANKS + "[games.anchor]\nbots = 'a'\nbot = 'a'": (
        "cup.toml:6: games[0].anchor.bots: unknown key, did you mean 'bot'?"
    ),
    "limits = 3\n" + NO_THANKS: "cup.toml:1: limits: found 3; expected a table",
    'name = ".x"\n' + NO_THANKS: (
        "cup.toml:1: name: found '.x'; expected 1 to 64 characters from A-Z, a-z, 0-9, '.', "
        "'_' and '-', the first not '.'"
    ),
    "": "cup.toml:1: games is missing; add at least one [[games]]",
    "games = []": "cup.toml:1: games is empty; add at least one [[games]]",
    NO_THANKS.replace("[[games]]", "\n[games]"): (
        "cup.toml:2: games: found a table; write [[games]], in double brackets, before each game"
    ),
    NO_THANKS.replace("= 3", "= []"): (
        "cup.toml:3: games[0].players is empty; set a number of players, or a list of them"
    ),
    NO_THANKS.replace("= 3", "= [3, 4, 3]"): (
        "cup.toml:3: games[0].players[2]: found 3 twice; list each number of players once"
    ),
    NO_THANKS.replace("= 3", "= [3,\n 6]"): (
        "cup.toml:4: games[0].players[1]: found 6; no_thanks takes 3, 4 or 5; "
        "with options = { extended = true } also 6"
    ),
    NO_THANKS.replace("= 1", "= 10000001"): (
        "cup.toml:4: games[0].deals: found 10000001; expected 1 to 10000000"
    ),
    NO_THANKS + "seatings = 7": (
        "cup.toml:5: games[0].seatings: found 7; No Thanks! 3p takes 1 to 6"
    ),
    NO_THANKS + "seatings = 0": (
        "cup.toml:5: games[0].seatings: found 0; No Thanks! 3p takes 1 to 6"
    ),
    SIXTEEN + "seatings = 3": "cup.toml:5: games[0].seatings: found 3; Sixteen 2v2 takes 1 to 2",
    NO_THANKS + "seatings = true": (
        "cup.toml:5: games[0].seatings: found true; expected 'auto' or 'all', or how many"
    ),
    NO_THANKS + 'shared_decks = "yes"': (
        "cup.toml:5: games[0].shared_decks: found 'yes'; expected true or false"
    ),
    NO_THANKS + "max_games = 5": (
        "cup.toml:5: games[0].max_games: found 5; one line-up of No Thanks! 3p has 6 games; set "
        "6 or more"
    ),
    NO_THANKS + 'partners = "same"': (
        "cup.toml:5: games[0].partners: no_thanks with 3 players has no partners; remove the key"
    ),
    SIXTEEN + 'partners = "mixt"': (
        "cup.toml:5: games[0].partners: found 'mixt', did you mean 'mixed'?"
    ),
    SIXTEEN + 'partners = "mixed"\nseatings = 8': (
        "cup.toml:6: games[0].seatings: found 8; Sixteen 2v2 mixed takes 'auto', 'all', 6, 12, 18 "
        "or 24"
    ),
    NO_THANKS + "[games.options]\nchips = 101": (
        "cup.toml:6: games[0].options.chips: found 101; expected 0 to 100"
    ),
    NO_THANKS + "[games.options.chips]\nx = 101": (
        "cup.toml:5: games[0].options.chips: found {'x': 101}; expected a whole number"
    ),
    NO_THANKS + SIXTEEN + NO_THANKS: (
        "cup.toml:9: games[2]: No Thanks! 3p is already defined at line 1; remove one"
    ),
    NO_THANKS + 'game = "no_thanks"': "cup.toml:5: is not TOML: Cannot overwrite a value",
    NO_THANKS + "seatings =": "cup.toml:5: is not TOML: Invalid value",
    b"# fine\n" + "n = 'caf\xe9'".encode("latin-1"): (
        "cup.toml:2: found byte 0xe9, not UTF-8; save the file as UTF-8"
    ),
    "a = " + "[" * 5000: "cup.toml:1: nested too deeply",
    f"# x\n[{'a.' * 3000}a]": "cup.toml:2: nested too deeply",
    "a = {" + "b . 'c'.\t\"d\"." * 6 + "e = 1}": "cup.toml:1: nested too deeply",
}  # fmt: skip


@pytest.mark.parametrize(("text", "error"), ONE_ERROR.items())
def test_each_error_says_place_finding_and_remedy(text: str | bytes, error: str) -> None:
    assert errors(text) == [error]


def test_the_file_s_own_name_must_do_where_there_is_no_other() -> None:
    (error,) = errors(NO_THANKS, "a cup.toml")
    begins = (
        "a cup.toml:1: name is missing, and 'a cup' (from the file's name) cannot be used; set "
    )
    assert error.startswith(begins)
    assert config('name = "a-cup"\n' + NO_THANKS, "a cup.toml").name == "a-cup"


def test_a_file_that_cannot_be_read_says_so() -> None:
    with pytest.raises(ConfigError, match=r"^bots: is a folder; name a TOML file in it$"):
        load_config(Path("bots"))
    os.mkfifo("pipe.toml")
    for path in ("pipe.toml", os.devnull):
        with pytest.raises(ConfigError, match=rf"^{path}: cannot be read: not a regular file$"):
            load_config(Path(path))


def test_a_file_that_is_not_there_is_said_to_be_missing_whatever_else_is(tmp_path: Path) -> None:
    (tmp_path / "bots").rmdir()
    with pytest.raises(ConfigError) as caught:
        plan_tournament(Path("cup.toml"), NOW)
    other = "name a tournament's TOML file, such as tournaments/NAME.toml"
    assert str(caught.value) == f"cup.toml: no such file; {other}"
    Path("cups.toml").touch()
    with pytest.raises(ConfigError, match=r"^cup\.toml: no such file; did you mean cups\.toml\?$"):
        plan_tournament(Path("cup.toml"), NOW)


def test_every_bad_element_of_a_list_is_named_with_its_own_line() -> None:
    assert errors(
        'bots = [\n"!bots/a",\n3,\n"bots/*",\n"/x",\n"bots/**b"]\n'
        '[[games]]\ngame = "no_thanks"\ndeals = 1\nplayers = [3,\n9,\n"x",\n3,\ntrue,\n2]\n'
        'bots = [4,\n"!a"]\n'
    ) == [
        "cup.toml:2: bots[0]: '!bots/a' excludes before anything is included; start the "
        "list with a pattern that includes bots, such as 'bots/*'",
        "cup.toml:3: bots[1]: found 3; expected a text in quotes",
        "cup.toml:5: bots[3]: found '/x'; expected a path inside the league's folder, such as "
        "'bots/*'",
        "cup.toml:6: bots[4]: found 'bots/**b'; write '**' alone between two slashes",
        "cup.toml:11: games[0].players[1]: found 9; no_thanks takes 3, 4 or 5",
        "cup.toml:12: games[0].players[2]: found 'x'; expected a whole number",
        "cup.toml:13: games[0].players[3]: found 3 twice; list each number of players once",
        "cup.toml:14: games[0].players[4]: found true; expected a whole number",
        "cup.toml:15: games[0].players[5]: found 2; no_thanks takes 3, 4 or 5",
        "cup.toml:16: games[0].bots[0]: found 4; expected a text in quotes",
    ]


def test_a_list_whose_every_element_is_bad_is_no_trouble_of_ours() -> None:
    (error,) = errors(NO_THANKS.replace("= 3", '= ["x"]'))
    assert error == "cup.toml:3: games[0].players[0]: found 'x'; expected a whole number"


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
    assert said(first + '"!bots/*"]\n' + NO_THANKS) == [
        "cup.toml:4: bots[1]: LEAGUE: the patterns 'bots/*', '!bots/*' leave no bot; exclude fewer"
    ]
    two = SIXTEEN + 'bots = ["bots/*",\n"bots/dee.py"]\n' + NO_THANKS + 'gauntlet = "dee"\n'
    assert said(two + 'max_games = 6\nbots = ["bots/*", "!x"]\n' + NO_THANKS.replace("3", "5")) == [
        "cup.toml:6: games[0].bots[1]: LEAGUE/bots/dee.py: no such file; 'bots/*' "
        "includes all bots",
        "cup.toml:13: games[1].bots[1]: '!x' excludes no bot; remove it from the list",
        "cup.toml:14: games[2]: found 3 bots; No Thanks! 5p needs 5",
    ]


def test_a_wrong_value_is_shown_short() -> None:
    (error,) = errors(f"workers = '{'x' * 5000}'\n" + NO_THANKS)
    assert len(error) < 150
    (error,) = errors(f"workers = 0x{'f' * 5000}\n" + NO_THANKS)  # 5000 digits of 4 bits
    assert error == "cup.toml:1: workers: found a number of 20000 bits; expected 1 to 1024"


def test_a_file_saved_with_a_byte_order_mark_and_carriage_returns_is_read() -> None:
    text = ("# caf\xe9\n" + NO_THANKS + "bts = 1").replace("\n", "\r\n")
    (error,) = errors(text.encode("utf-8-sig"))
    assert error.startswith("cup.toml:6: games[0].bts: unknown key, did you mean 'bots'?")


def test_a_league_without_bots_is_said_after_all_errors_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots").rmdir()
    assert errors("workers = 0\n" + NO_THANKS) == [
        "cup.toml:1: workers: found 0; expected 1 to 1024"
    ]
    with pytest.raises(UsageError, match="no folder 'bots' in"):
        config(NO_THANKS)


def test_the_documented_examples_are_right() -> None:
    text = (TOURNAMENTS / "README.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert [len(config(example).games) for example in examples] == [1, 1, 1]


POOLS = [
    *(f"17 Diciassette {n}p" for n in (2, 3, 4, 5, 6)),
    *(f"No Thanks! {n}p" for n in (3, 4, 5)), "Sixteen 2p", "Sixteen 2v2",
]  # fmt: skip


def games_of(path: Path) -> dict[str, list[Fixture]]:
    """The games of a tournament of all house bots, by pool."""
    bots = [Bot(name, "") for name in FIELD]
    wanted = find_wanted(config(path.read_text("utf-8"), path.name), bots)
    entries, _ = make_choices(wanted, {})
    return {
        each.pool.title: [*Schedule(each, make_identity(each, Limits(), "walls"))]
        for each in entries
    }


def test_the_quick_tournament_plays_all_ten_pools_and_every_bot_as_often_in_every_seat() -> None:
    games = games_of(TOURNAMENTS / "quick.toml")
    assert sorted(games) == POOLS
    assert 4_500 <= sum(map(len, games.values())) <= 7_000  # ten seconds, at some 1,000 a second
    for title, played in games.items():
        sat = Counter(
            (game.line_up[place].name, seat)
            for game in played
            for seat, place in enumerate(game.seating)
        )
        assert len(set(sat.values())) == 1, title
        assert {name for name, _ in sat} == set(FIELD), title


def test_the_benchmark_plays_all_line_ups_of_the_house_bots() -> None:
    games = games_of(ROOT / "tests" / "benchmarks" / "quick.toml")
    assert sorted(games) == POOLS
    assert [len(games[title]) for title in POOLS] == [  # C(10, k) x seatings x deals
        45 * 2 * 20, 120 * 6 * 4, 210 * 12, 252 * 20, 210 * 12,
        120 * 6 * 6, 210 * 24, 252 * 24, 45 * 2 * 60, 45 * 2 * 60,
    ]  # fmt: skip
