"""A view copied as a test is a test: it runs, and holds of the bot that decided so."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.records.as_test import TEST_HEAD, WIDTH, format_test
from arena.testing import NoDecision, view_of
from tests.author.test_views import CASES
from tests.games.cases import Case
from tests.games.playing import steps

pytestmark = pytest.mark.usefixtures("kept_zygote")


def run(text: str) -> None:
    """Run the one test in the text."""
    space: dict[str, Any] = {}
    exec(TEST_HEAD + text, space)
    (test,) = (value for name, value in space.items() if name.startswith("test_"))
    test()


@pytest.fixture
def last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot that takes the last legal decision, in a league, by its name."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "last.py").write_text("def decide(view):\n    return view.legal[-1]\n")
    monkeypatch.chdir(tmp_path)
    return "last"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_holds_of_who_decided_so_and_of_nobody_else(case: Case, last: str, seed: int) -> None:
    rng = Random(f"{case} {seed}")
    state = case.state(rng)
    shown = [state.view(state.turn) for _ in steps(state, case.seats, rng)
             if state.turn is not None and state.choice()]  # fmt: skip
    view = rng.choice(shown)
    run(format_test(last, view, view.legal[-1]))
    run(format_test(last, view))
    with pytest.raises(AssertionError):
        run(format_test(last, view, view.legal[0]))


def test_without_a_decision_it_asks_for_a_legal_one(tmp_path: Path, last: str) -> None:
    (tmp_path / "bots" / "last.py").write_text("def decide(view):\n    return 'nothing'\n")
    with pytest.raises(NoDecision, match="it answers 'nothing', which is not legal"):
        run(format_test(last, view_of("no_thanks")))


def test_it_reads_as_one_writes_it() -> None:
    view = view_of("no_thanks", options={"chips": 9}, card=10, pot=3)
    assert format_test("my-bot", view, "take", "game 3f2a, step 17") == (
        "def test_my_bot_game_3f2a_step_17() -> None:\n"
        "    view = view_of(\n"
        '        "no_thanks",\n'
        '        options={"chips": 9},\n'
        "        players=3,\n"
        "        seat=0,\n"
        '        phase="play",\n'
        "        since=(),\n"
        "        card=10,\n"
        "        pot=3,\n"
        "        chips=8,\n"
        "        taken=((), (), ()),\n"
        "        cards_left=23,\n"
        "        all_chips=None,\n"
        "    )\n"
        '    assert decide("my-bot", view, confined=True) == "take"\n'
    )


def test_its_lines_are_no_longer_than_formatters_make_them() -> None:
    text = format_test("ann", view_of("diciassette", deck=0), of="a long one")
    assert max(map(len, text.splitlines())) <= WIDTH
