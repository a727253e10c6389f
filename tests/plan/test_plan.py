"""Plans of a config and the bots of a league: anchors, and games beyond number."""

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.model import Bot
from arena.plan.config import Config, load_config
from arena.plan.plan import find_wanted

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
            "cup.toml:11: games[1].anchor.bot: found 'x'; it takes 'b01', 'b12', 'b22' or 'c'"
        ],
        NO_THANKS + 'bots = ["bots/b*"]\n[anchor]\nbot = "c"\n': [
            "cup.toml:5: games[0].bots: the anchor 'c' is not among them; let it in, or give this "
            "[[games]] an anchor of its own"
        ],
    }
    for text, said in asked.items():
        with pytest.raises(UsageError) as caught:
            find_wanted(config(text), bots)
        assert list(caught.value.args) == said


def test_more_games_than_can_be_counted_are_refused_with_how_many() -> None:
    wide = '[[games]]\ngame = "no_thanks"\nplayers = 7\ndeals = 100000\nseatings = "all"\n'
    wide += "options = { extended = true }\n"
    bots = [Bot(f"b{number:02}", "") for number in range(40)]
    with pytest.raises(UsageError) as caught:
        find_wanted(config(wide), bots)
    assert list(caught.value.args) == [  # C(40, 7) = 18,643,560; x 5040 x 100,000
        'cup.toml:1: games[0]: no_thanks 7p {"extended":true}: comes to 9,396,354,240,000,000 '
        "games; 9,007,199,254,740,992 at most are counted, so draw fewer line-ups with lineups"
    ]
    (drawn,) = find_wanted(config(wide + "lineups = 100000\n"), bots)
    assert drawn.line_ups == 100_000
