"""`arena rules` and `arena brief`: what they say is what holds."""

import inspect
import re
from pathlib import Path
from random import Random

import pytest

import games
from arena.author.brief import examples, page_for_bots, sections, write_brief
from arena.faults.kinds import KINDS
from arena.model import Limits
from tests.leagues import main, make
from tests.places import ROOT


@pytest.mark.parametrize("name", games.names())
def test_a_brief_is_short_and_says_all(name: str) -> None:
    done = main("brief", name)
    text = done.stdout.decode()
    assert (done.returncode, text) == (0, write_brief([name]))
    assert len(text) < 30_500
    assert str(Path.cwd()) not in text
    assert "has no `determinize`" not in text
    options = games.load(name).Options.__dataclass_fields__
    for word in (*options, *Limits._fields, *KINDS):
        assert f"`{word}`" in text, word


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
def test_the_fields_of_a_state_that_a_search_reads_are_named_and_there(name: str) -> None:
    text = sections(page_for_bots())["Thinking ahead"]
    own = re.search(rf"^- `{name}`: (.*(?:\n  .*)*)", text, re.MULTILINE)
    assert own
    of_all = {"options", "to_act", "phase", "forfeited", "over", "deck"}
    named = {*re.findall(r"`(\w+)`", own[1])} | of_all
    assert all(f"`{field}`" in text for field in named)
    game = games.load(name)
    options, seats = game.Options(), min(game.seat_counts(game.Options()))
    state = game.State(options, seats, game.deal(options, seats, Random(0)))
    assert {each for each in named if not hasattr(state, each)} == set()
    assert {each for each in game.View._fields if hasattr(state, each)} <= named


@pytest.mark.parametrize("name", games.names())
def test_each_phase_has_an_example_and_it_is_the_same_each_time(name: str) -> None:
    game = games.load(name)
    found = examples(game)
    assert [each.view for each in found] == [each.view for each in examples(game)]
    phases = {"diciassette": {"play", "window"}, "sixteen": {"play", "draw"}}
    assert {each.view.phase for each in found} == phases.get(name, {"play"})
    for each in found:
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
    three = write_brief([name]).split("### Short bots")[1]
    bots = dict(re.findall(r"^`(\w+)`:\n\n```python\n(.*?)^```", three, re.DOTALL | re.MULTILINE))
    assert len(bots) == 3
    players = 3 if name == "no_thanks" else 2
    config = f'seed = 1\n[[games]]\ngame = "{name}"\nplayers = {players}\ndeals = 5\n'
    done = main("tournament", make(tmp_path, config, bots), "--max-faults", 0, "--json")
    assert done.returncode == 0, done.stderr.decode()
    assert all(f'"{bot}"'.encode() in done.stdout for bot in bots)
