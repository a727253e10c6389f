"""`arena rules` and `arena brief`: what they say is what holds."""

import inspect
import random
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from arena.author.brief import examples, page_for_bots, read_rules, sections, write_brief
from arena.errors import ArenaError
from arena.faults.kinds import KINDS
from arena.model import Limits
from games import sixteen
from tests.leagues import main, make
from tests.places import ROOT

MOST = 29_000  # characters


@pytest.mark.parametrize("name", games.names())
def test_a_brief_is_short_and_says_all(name: str) -> None:
    done = main("brief", name)
    text = done.stdout.decode()
    assert (done.returncode, text) == (0, write_brief([name]))
    assert len(text) < MOST
    assert str(Path.cwd()) not in text
    game = games.load(name)
    for option in game.Options.__dataclass_fields__:
        assert f"`{option}`" in text
    for limit in Limits._fields:
        assert limit in text
    for kind in KINDS:
        assert f"`{kind}`" in text
    assert text.count("```") % 2 == 0


@pytest.mark.parametrize("name", games.names())
def test_every_field_of_a_view_is_explained_beside_it(name: str) -> None:
    view = games.load(name).View
    source = inspect.getsource(view.__mro__[1])
    text = write_brief([name])
    for field in view._fields:
        assert re.search(rf"^    {field}: .+  # \S.+$", source, re.MULTILINE), field
        assert f"\nview.{field} == " in text
    assert source.strip() in text


@pytest.mark.parametrize("name", ["diciassette", "no_thanks", "sixteen"])
def test_the_fields_of_a_state_that_a_search_reads_are_there_and_none_of_the_view_s_is_missing(
    name: str,
) -> None:
    text = sections(page_for_bots())["Thinking ahead"]
    own = re.search(rf"^- `{name}`: (.*(?:\n  .*)*)", text, re.MULTILINE)
    assert own
    named = {*re.findall(r"`(\w+)`", own[1])}
    of_all = {"options", "to_act", "phase", "forfeited", "over", "deck"}
    assert all(f"`{field}`" in text for field in of_all)
    game = games.load(name)
    options, seats = game.Options(), min(game.seat_counts(game.Options()))
    state = game.State(options, seats, game.deal(options, seats, Random(0)))
    assert {each for each in named | of_all if not hasattr(state, each)} == set()
    assert {each for each in game.View._fields if hasattr(state, each)} <= named | of_all


@pytest.mark.parametrize("name", games.names())
def test_each_phase_has_an_example_and_it_is_the_same_each_time(name: str) -> None:
    game = games.load(name)
    found = examples(game)
    assert [each.view for each in found] == [each.view for each in examples(game)]
    assert {each.phase for each in found} == {
        "diciassette": {"play", "window"}, "no_thanks": {"play"}, "sixteen": {"play", "draw"},
    }[name]  # fmt: skip
    for each in found:
        assert each.view.phase == each.phase
        assert len(each.view.legal) > 1
        assert each.view.since  # from the middle of a game


def test_the_limits_of_the_page_are_those_that_hold() -> None:
    table = sections(page_for_bots())["Limits"]
    told = dict(re.findall(r"\| (\d+) [^|]*\| `(\w+)` \|", table))
    assert {key: int(value) for value, key in told.items()} == Limits()._asdict()


def test_rules_are_the_page_itself_where_no_terminal_is() -> None:
    page = (ROOT / "games/sixteen/rules.md").read_text()
    assert main("rules", "sixteen").stdout.decode() == page


@pytest.mark.whole
@pytest.mark.parametrize("name", games.names())
def test_the_bots_of_a_brief_play_without_a_fault(tmp_path: Path, name: str) -> None:
    three = write_brief([name]).split("### Three short bots")[1]
    bots = dict(re.findall(r"^`(\w+)`:\n\n```python\n(.*?)^```", three, re.DOTALL | re.MULTILINE))
    assert len(bots) == 3
    config = f'seed = 1\n[[games]]\ngame = "{name}"\nplayers = '
    config += "2\ndeals = 5\n" if name != "no_thanks" else "3\ndeals = 5\n"
    done = main("tournament", make(tmp_path, config, bots), "--max-faults", 0, "--json")
    assert done.returncode == 0, done.stderr.decode()
    assert all(f'"{bot}"'.encode() in done.stdout for bot in bots)


def test_a_game_without_a_page_of_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", lambda: ["patience"])
    with pytest.raises(
        ArenaError, match=r"patience has no page of rules: .*patience\.md is missing"
    ):
        read_rules("patience")


def test_the_short_bot_that_thinks_ahead_beats_the_first_legal_decision() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", sections(page_for_bots())["Thinking ahead"], re.S)
    assert len(code.splitlines()) <= 25
    bot: dict[str, Any] = {}
    exec(code, bot)
    random.seed(29)
    ahead = 0
    options = sixteen.Options()
    for deal in range(5):
        state = sixteen.State(options, 2, sixteen.deal(options, 2, Random(deal)))
        while state.to_act is not None:
            view = state.view(state.to_act)
            state.apply(bot["decide"](view) if state.to_act == deal % 2 else view.legal[0])
        ahead += state.result()["ranks"][deal % 2] == 1
    assert ahead >= 4


@pytest.mark.parametrize("name", games.names())
def test_a_brief_says_of_a_game_that_it_has_no_determinize(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has no `determinize`" not in write_brief([name])
    monkeypatch.delattr(games.load(name), "determinize")
    assert "has no `determinize`" in write_brief([name])
