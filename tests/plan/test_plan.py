"""Plans of a config and the bots of a league: anchors, games beyond number, and changes."""

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.model import Anchor, Bot, Entry, Limits, Pool, StoredPlan
from arena.plan.config import Config, load_config
from arena.plan.plan import find_changes, find_wanted
from arena.sandbox.walls import WALLS

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


def test_more_games_than_can_be_counted_are_refused_with_how_many() -> None:
    wide = '[[games]]\ngame = "no_thanks"\nplayers = 7\ndeals = 100000\nseatings = "all"\n'
    wide += "options = { extended = true }\n"
    bots = [Bot(f"b{number:02}", "") for number in range(40)]
    with pytest.raises(UsageError) as caught:
        find_wanted(config(wide), bots)
    assert list(caught.value.args) == [  # C(40, 7) = 18,643,560; x 5040 x 100,000
        'cup.toml:1: games[0]: No Thanks! 7p {"extended":true}: comes to 9,396,354,240,000,000 '
        "games; the limit is 9,007,199,254,740,992, so set a lower number with `lineups`"
    ]
    (drawn,) = find_wanted(config(wide + "lineups = 100000\n"), bots)
    assert drawn.line_ups == 100_000


POOL = Pool("sixteen", 2, "{}", "")
ANN, BOB, CID, DEE = (Bot(name, name * 8) for name in ("ann", "bob", "cid", "dee"))


def plan(*bots: Bot, drawn: tuple[tuple[int, ...], ...] | None, deals: int = 2) -> StoredPlan:
    """A plan of one pool, whose line-ups are places in the list of bots."""
    entry = Entry(POOL, bots, deals, "auto", True, line_ups=drawn)
    return StoredPlan("cup", False, WALLS, Limits(), (entry,))


def test_the_same_line_ups_of_a_changed_bot_are_no_change_of_line_ups() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    changed = plan(ANN, BOB._replace(hash="other"), CID, drawn=((0, 1), (0, 2)))
    (line,) = find_changes(before, changed)
    assert line.startswith("changed bots: bob;")


def test_the_same_line_ups_under_other_numbers_are_no_change() -> None:
    """As where a bot comes in before others, and no line-up has it yet."""
    before = plan(BOB, CID, DEE, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, DEE, drawn=((1, 2), (1, 3)))
    assert not [line for line in find_changes(before, after) if "line-ups" in line]


def test_as_many_line_ups_that_are_others_are_counted() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, drawn=((0, 1), (1, 2)))
    assert find_changes(before, after) == ["Sixteen 2p: 1 of 2 line-ups redrawn"]


def test_more_line_ups_are_told_by_their_numbers() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    assert find_changes(before, plan(ANN, BOB, CID, drawn=None)) == ["Sixteen 2p: line-ups 2 -> 3"]


def test_an_anchor_is_told_of_with_the_pools_it_is_set_in() -> None:
    before = plan(ANN, BOB, CID, drawn=None)
    after = before._replace(anchors=(Anchor(POOL, "bob", 20.5),))
    assert find_changes(before, after) == [
        "anchor none -> bob at 20.5 (Sixteen 2p); no game is replayed for it"
    ]
    assert find_changes(after, before) == [
        "anchor bob at 20.5 -> none (Sixteen 2p); no game is replayed for it"
    ]
    assert find_changes(after, after) == []
