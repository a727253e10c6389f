"""Plans of a config and the bots of a league: anchors, games beyond number, who is not ranked."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.league.bots import ENTRY_FILE
from arena.league.files import Source, hash_source
from arena.model import Bot, NotRanked
from arena.plan.config import Config, ConfigError, load_config
from arena.plan.plan import Plan, find_wanted, plan_tournament
from tests.leagues import NOW

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
SIXTEEN = '[[games]]\ngame = "sixteen"\nplayers = 4\ndeals = 1\n'
PAIRS = SIXTEEN.replace("4", "2")
FOUR = [Bot(f"b{n}", "") for n in range(4)]


@pytest.fixture(autouse=True)
def _league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)


def config(text: str) -> Config:
    Path("cup.toml").write_text(text)
    return load_config(Path("cup.toml"))


def put(*names: str) -> None:
    """Write bots that differ."""
    for name in names:
        Path(f"bots/{name}.py").write_text(f"# {name}")


def planned(text: str, now: datetime = NOW, **terms: Any) -> Plan:
    Path("cup.toml").write_text(text)
    return plan_tournament(Path("cup.toml"), now, confined=False, **terms)


def test_a_games_own_anchor_goes_before_the_file_s() -> None:
    text = 'anchor = { bot = "b1" }\n' + NO_THANKS + SIXTEEN + 'anchor = {bot="b2", rating=-3}\n'
    anchors = [entry.anchor for entry in find_wanted(config(text), FOUR)]
    assert [anchor and anchor[1:] for anchor in anchors] == [("b1", 25.0), ("b2", -3.0)]
    assert [anchor and anchor.pool.game for anchor in anchors] == ["no_thanks", "sixteen"]


def test_an_anchor_that_is_not_there_is_refused_with_its_line() -> None:
    put("b01", "b12", "b22", "c")
    bots = [Bot(name, "") for name in ("b01", "b12", "b22", "c")]
    file = 'bots = ["bots/*"]\nanchor = { bot = "%s" }\n' + NO_THANKS + NO_THANKS.replace("3", "4")
    for text, why in (
        (file % "b0", "2: anchor.bot: found 'b0', did you mean 'b01'?"),
        (file % "c" + 'anchor = { bot = "x" }\n',
         "11: games[1].anchor.bot: found 'x'; expected 'b01', 'b12', 'b22' or 'c'"),
        (NO_THANKS + 'bots = ["bots/b*"]\n[anchor]\nbot = "c"\n',
         "5: games[0].bots: the anchor 'c' is not in this list; add it, or give this [[games]] its "
         "own anchor"),
    ):  # fmt: skip
        with pytest.raises(UsageError) as caught:
            find_wanted(config(text), bots)
        assert str(caught.value) == f"cup.toml:{why}"


def test_more_bots_in_all_pools_than_tables_can_have_are_refused() -> None:
    full = [Bot(f"b{n:03}", "") for n in range(1000)]
    three = PAIRS + SIXTEEN + SIXTEEN + "options = { match = false }\n"
    assert len(find_wanted(config(three), full)) == 3
    with pytest.raises(UsageError, match=r"^cup.toml: its pools have 4,000,000 pairs of bots"):
        find_wanted(config(three + SIXTEEN + "options = { wilds = false }\n"), full)


def test_each_pool_has_the_bots_that_enter_it_and_enough_line_ups_for_them() -> None:
    bots = [Bot(name, "") for name in ("abe", "ann", "bob", "cid", "dot")]
    put(*(bot.name for bot in bots))
    text = NO_THANKS.replace("3", "[3, 5]") + SIXTEEN + 'bots = ["bots/a*"]\n'
    entries = [wanted.entry for wanted in find_wanted(config(text), bots)]
    titles = ["No Thanks! 3p", "No Thanks! 5p", "Sixteen 2v2"]
    assert [entry.pool.title for entry in entries] == titles
    assert [[*entry.bots] for entry in entries] == [bots, bots, bots[:2]]
    assert [entry.shared_decks for entry in entries] == [False, False, True]
    with pytest.raises(UsageError) as caught:
        find_wanted(config(NO_THANKS + "max_games = 12\n"), bots)
    assert str(caught.value) == (
        "cup.toml:5: games[0].max_games: No Thanks! 3p: 2 line-ups for 5 bots; each needs 3, which "
        "takes 5, so set 30 or more"
    )


def test_more_games_than_can_be_counted_are_refused_with_how_many() -> None:
    wide = '[[games]]\ngame = "no_thanks"\nplayers = 7\ndeals = 1000\nseatings = "all"\n'
    wide += "options = { extended = true }\n"
    bots = [Bot(f"b{number:02}", "") for number in range(100)]
    with pytest.raises(UsageError) as caught:
        find_wanted(config(wide), bots)
    assert list(caught.value.args) == [  # C(100, 7) = 16,007,560,800; x 5040 x 1000
        'cup.toml:1: games[0]: No Thanks! 7p {"extended":true}: comes to 80,678,106,432,000,000 '
        "games; the limit is 9,007,199,254,740,992, so set a lower number with `max_games`"
    ]
    (drawn,) = find_wanted(config(wide + "max_games = 1_000_000_000\n"), bots)
    assert (drawn.line_ups, drawn.entry.deals) == (100_000, 1)  # of 5040 games


def test_who_is_out_on_the_day_of_the_run_is_in_the_plan() -> None:
    """`until` is the day on which the bot is back, by the clock of the machine that runs."""
    text = (
        'show_authors = ["b[24]", "*3", "!b3"]\nentries_close = 2026-12-01T18:00:00+01:00\n'
        'unranked = [{ bot = "b2", reason = "late", until = 2026-11-03 },\n'
        '{ bot = "b1", reason = "x" }]\n' + NO_THANKS
    )
    put("b1", "b2", "b3", "b4")
    late, day = datetime.fromisoformat("2026-11-02T23:59:59+01:00"), timedelta(seconds=1)
    always, b2 = NotRanked("b1", "unranked", "x"), NotRanked("b2", "unranked", "late", "2026-11-03")
    for now, out in ((late, [always, b2]), (late + day, [always])):
        plan = planned(text, now)
        assert plan.make_stored(()).not_ranked == ()
        stored = plan.make_stored(tuple(wanted.entry for wanted in plan.wanted))
        assert [*stored.not_ranked] == out
        assert (stored.show_authors, stored.run_began) == (("b2", "b4"), now)
        assert stored.entries_close == datetime.fromisoformat("2026-12-01T18:00:00+01:00")
    Path("bots/b1.py").unlink()
    Path("bots/b2.py").unlink()
    with pytest.raises(UsageError) as caught:
        planned(text, late)
    assert list(caught.value.args) == [
        "cup.toml:3: unranked[0].bot: no bot 'b2'; write 'b4', or remove it",
        "cup.toml:4: unranked[1].bot: no bot 'b1'; write 'b4', or remove it",
        "cup.toml:5: games[0]: found 2 bots; No Thanks! 3p needs 3",
    ]


def test_a_pattern_of_authors_that_matches_no_bot_is_said() -> None:
    """A mistyped exclusion would publish a name; a bot that left is no reason to stop."""
    put("b1", "kim")
    plan = planned(f'show_authors = ["*",\n"!kmi", "bots/b1.py", "!Kim", "k*"]\n{PAIRS}')
    assert plan.left_out == tuple(
        f"cup.toml:2: show_authors[{n}]: {glob!r} matches no bot's name"
        for n, glob in enumerate(["!kmi", "bots/b1.py", "!Kim"], 1)
    )


def test_guests_are_those_of_these_hashes_where_the_house_is_one(tmp_path: Path) -> None:
    put("ann", "bob", "cid")

    def guests(results: Path) -> list[str]:
        assert results == tmp_path / "results" / "cup"
        files = [(ENTRY_FILE, f"# {name}".encode()) for name in ("ann", "bob")]
        return [hash_source(Source((file,))) for file in files]

    for house in ("", 'house_bots = "ranked"\n'):
        assert planned(house + PAIRS, guests=guests).not_ranked == ()
    house, ann = 'house_bots = "guests"\n', NotRanked("ann", "guest")
    assert planned(house + PAIRS, guests=guests).not_ranked == (ann, NotRanked("bob", "guest"))
    out = 'unranked = [{ bot = "bob", reason = "late" }]\n'
    both = (ann, NotRanked("bob", "unranked", "late"))
    assert planned(house + out + PAIRS, guests=guests).not_ranked == both


def test_so_many_bots_of_an_author_are_ranked_the_last_listed_or_the_best(tmp_path: Path) -> None:
    put("ann", "bob", "cid", "dee")
    (tmp_path / "authors.csv").write_text("pupil,bot\nAnn,ann\nAnn,bob\nCid,cid\nAnn,gone\n")
    keys = 'authors = "authors.csv"\nranked_per_author = 1\n'

    def further(more: str = "") -> list[str]:
        plan = planned(keys + more + PAIRS, ratings=lambda results: {"ann": 30.0, "bob": 20.0})
        assert any("authors: no author of dee" in line for line in plan.left_out)
        return [one.bot for one in plan.not_ranked if one.status == "guest" and one.reason]

    assert further() == ["ann"]
    assert further('ranked_choice = "best"\n') == ["bob"]
    keys = keys.replace("1", "2")
    assert further() == []
    with pytest.raises(ConfigError, match="ranked_per_author: needs authors = "):
        planned("ranked_per_author = 1\n" + PAIRS)
    with pytest.raises(UsageError, match="first line has no columns 'pupil' and 'bot'"):
        planned('authors = "bots/ann.py"\n' + PAIRS)


def test_fewer_line_ups_a_bot_than_intervals_need_are_warned_of_before_play() -> None:
    put(*(f"b{number:02}" for number in range(12)))
    few = "cup.toml:5: games[0].max_games: No Thanks! 3p: a bot has fewer than"
    none, stop = "so the table has no intervals", "so `stop_confidence` never ends play"
    five = 'bots = ["bots/b0[0-4].py"]\nshared_decks = true\n'
    for games, keys, line_ups, warning in (
        (186, "", 31, f"{few} 8 line-ups, {none}; set 192 or more"),  # 8 x 12 seats of 3 a line-up
        (192, "", 32, ""),
        (474, "stop_confidence = 0.95\n", 79, f"{few} 20 line-ups, {stop}; set 480 or more"),
        (474, f"{five}stop_confidence = 0.95\n", 10, f"{few} 20 decks, {stop}; set"),
    ):
        plan = planned(NO_THANKS + f"max_games = {games}\n{keys}")
        assert plan.wanted[0].line_ups == line_ups
        assert len(plan.left_out) == bool(warning)
        assert all(line.startswith(warning) for line in plan.left_out)
