"""Plans of a config and the bots of a league: anchors, games beyond number, who is not ranked."""

from datetime import datetime
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league.bots import ENTRY_FILE
from arena.league.files import Source, hash_source
from arena.model import Bot, NotRanked
from arena.plan.config import Config, load_config
from arena.plan.plan import find_wanted, plan_tournament

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
SIXTEEN = '[[games]]\ngame = "sixteen"\nplayers = 4\ndeals = 1\n'


@pytest.fixture(autouse=True)
def _league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)


def config(text: str) -> Config:
    Path("cup.toml").write_text(text)
    return load_config(Path("cup.toml"))


def test_a_games_own_anchor_goes_before_the_file_s() -> None:
    text = 'anchor = { bot = "b1" }\n' + NO_THANKS + SIXTEEN + 'anchor = {bot="b2", rating=-3}\n'
    pools = find_wanted(config(text), [Bot(f"b{n}", "") for n in range(4)])
    assert [each.anchor and each.anchor[1:] for each in pools] == [("b1", 25.0), ("b2", -3.0)]
    assert [each.anchor and each.anchor.pool.game for each in pools] == ["no_thanks", "sixteen"]
    (none,) = find_wanted(config(NO_THANKS), [Bot(f"b{n}", "") for n in range(4)])
    assert none.anchor is None


def test_an_anchor_that_is_not_there_is_refused_with_its_line() -> None:
    for name in ("b01", "b12", "b22", "c"):
        Path(f"bots/{name}.py").write_text("")
    file = 'bots = ["bots/*"]\nanchor = { bot = "%s" }\n' + NO_THANKS + NO_THANKS.replace("3", "4")
    bots = [Bot(name, "") for name in ("b01", "b12", "b22", "c")]
    asked = {
        file % "b0": ["cup.toml:2: anchor.bot: found 'b0', did you mean 'b01'?"],
        file % "c" + 'anchor = { bot = "x" }\n': [
            "cup.toml:11: games[1].anchor.bot: found 'x'; expected 'b01', 'b12', 'b22' or 'c'"
        ],
        NO_THANKS + 'bots = ["bots/b*"]\n[anchor]\nbot = "c"\n': [
            "cup.toml:5: games[0].bots: the anchor 'c' is not in this list; add it, or "
            "give this [[games]] its own anchor"
        ],
    }
    for text, said in asked.items():
        with pytest.raises(UsageError) as caught:
            find_wanted(config(text), bots)
        assert list(caught.value.args) == said


def test_more_bots_in_all_pools_than_tables_can_have_are_refused() -> None:
    full = [Bot(f"b{n:03}", "") for n in range(1000)]
    three = SIXTEEN.replace("4", "2") + SIXTEEN + SIXTEEN + "options = { match = false }\n"
    assert len(find_wanted(config(three), full)) == 3
    with pytest.raises(UsageError, match=r"^cup.toml: its pools have 4,000,000 pairs of bots"):
        find_wanted(config(three + SIXTEEN + "options = { wilds = false }\n"), full)


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


def test_who_is_out_on_the_day_of_the_run_is_in_the_plan(tmp_path: Path) -> None:
    """`until` is the day on which the bot is back, by the clock of the machine that runs."""
    text = (
        'show_authors = ["b[24]", "*3", "!b3"]\nentries_close = 2026-12-01T18:00:00+01:00\n'
        'unranked = [{ bot = "b2", reason = "late", until = 2026-11-03 },\n'
        '{ bot = "b1", reason = "x" }]\n' + NO_THANKS
    )
    for name in ("b1", "b2", "b3", "b4"):
        Path(f"bots/{name}.py").write_text("")
    config(text)

    def not_ranked(now: str) -> list[NotRanked]:
        plan = plan_tournament(Path("cup.toml"), datetime.fromisoformat(now), confined=False)
        assert plan.make_stored(()).not_ranked == ()
        stored = plan.make_stored(tuple(wanted.entry for wanted in plan.wanted))
        assert stored.show_authors == ("b2", "b4")
        assert stored.run_began == datetime.fromisoformat(now)
        assert stored.entries_close == datetime.fromisoformat("2026-12-01T18:00:00+01:00")
        return [*stored.not_ranked]

    x, late = NotRanked("b1", "unranked", "x"), NotRanked("b2", "unranked", "late", "2026-11-03")
    assert not_ranked("2026-11-02T23:59:59+01:00") == [x, late]
    assert not_ranked("2026-11-03T00:00:00+01:00") == [x]
    Path("bots/b1.py").unlink()
    Path("bots/b2.py").unlink()
    with pytest.raises(UsageError) as caught:
        not_ranked("2026-11-02T23:59:59+01:00")
    assert list(caught.value.args) == [
        "cup.toml:3: unranked[0].bot: no bot 'b2'; write 'b4', or remove it",
        "cup.toml:4: unranked[1].bot: no bot 'b1'; write 'b4', or remove it",
        "cup.toml:5: games[0]: found 2 bots; No Thanks! 3p needs 3",
    ]
    gone = config('unranked = [{ bot = "left", reason = "x" }]\n' + SIXTEEN)
    with pytest.raises(UsageError, match="no bot 'left'; remove it"):
        find_wanted(
            gone, [Bot(name, "") for name in ("ann", "bob", "cid", "dee")], gone.keys.unranked
        )


def test_a_pattern_of_authors_that_matches_no_bot_is_said(tmp_path: Path) -> None:
    """A mistyped exclusion would publish a name; a bot that left is no reason to stop."""
    for name in ("b1", "kim"):
        Path(f"bots/{name}.py").write_text("")
    now = datetime.fromisoformat("2026-11-02T09:00:00+01:00")
    games = NO_THANKS.replace("3", "2").replace("no_thanks", "sixteen")
    said = {
        '["*",\n"!kmi", "bots/b1.py", "!Kim", "k*"]': ["!kmi", "bots/b1.py", "!Kim"],
        "true": [],
        "false": [],
    }
    for authors, wrong in said.items():
        config(f"show_authors = {authors}\n{games}")
        plan = plan_tournament(Path("cup.toml"), now, confined=False)
        assert plan.left_out == tuple(
            f"cup.toml:2: show_authors[{n}]: {glob!r} matches no bot's name"
            for n, glob in enumerate(wrong, 1)
        )


def test_guests_are_those_of_these_hashes_where_the_house_is_one(tmp_path: Path) -> None:
    """One that is out is out, whatever its hash."""
    for name in ("ann", "bob", "cid"):
        (tmp_path / "bots" / f"{name}.py").write_text(f"# {name}")
    games = '[[games]]\ngame = "sixteen"\nplayers = 2\ndeals = 1\n'
    asked: list[Path] = []

    def guests(results: Path) -> list[str]:
        asked.append(results)
        return [
            hash_source(Source(((ENTRY_FILE, f"# {name}".encode()),))) for name in ("ann", "bob")
        ]

    def not_ranked(text: str) -> tuple[NotRanked, ...]:
        Path("cup.toml").write_text(text + games)
        path, now = Path("cup.toml"), datetime.fromisoformat("2026-11-02T09:00:00+01:00")
        return plan_tournament(path, now, confined=False, guests=guests).not_ranked

    assert not_ranked("") == not_ranked('house_bots = "ranked"\n') == ()
    assert asked == []
    house = 'house_bots = "guests"\n'
    assert not_ranked(house) == (NotRanked("ann", "guest"), NotRanked("bob", "guest"))
    assert asked == [tmp_path / "results" / "cup"]
    out = 'unranked = [{ bot = "bob", reason = "late" }]\n'
    assert not_ranked(house + out) == (
        NotRanked("ann", "guest"),
        NotRanked("bob", "unranked", "late"),
    )


def test_fewer_line_ups_a_bot_than_intervals_need_are_warned_of_before_play() -> None:
    text, now = NO_THANKS + "max_games = %d\n", datetime.fromisoformat("2026-11-02T09:00:00+01:00")
    for number in range(12):
        Path(f"bots/b{number:02}.py").write_text("")
    for games, line_ups in ((186, 31), (192, 32), (2000, 220)):  # 8 x 12 seats of 3 a line-up
        config(text % games)
        plan = plan_tournament(Path("cup.toml"), now, confined=False)
        assert plan.wanted[0].line_ups == line_ups
        assert plan.left_out == (
            ("cup.toml:5: games[0].max_games: No Thanks! 3p: a bot has fewer than 8 line-ups, so "
             "the table has no intervals; set 192 or more",)
            if line_ups == 31 else ()
        )  # fmt: skip
    for games, keys, said in (
        (474, "", "20 line-ups, so `stop_confidence` never ends play; set 480 or more"),
        (480, "", ""),
        (
            474,
            'bots = ["bots/b0[0-4].py"]\nshared_decks = true\n',
            "20 decks, so `stop_confidence` never",
        ),
    ):
        config(text % games + keys + "stop_confidence = 0.95\n")
        (warning,) = plan_tournament(Path("cup.toml"), now, confined=False).left_out or ("",)
        assert (said in warning, bool(warning)) == (True, bool(said))
