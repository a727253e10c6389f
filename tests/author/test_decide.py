"""A bot asked in a test decides as it would in the arena: the same interface and numbers."""

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, choice
from typing import Any

import pytest

from arena.errors import UsageError
from arena.sandbox.randomness import Generators
from arena.testing import NoDecision, decide, view_of
from tests.author.made import MARKS, OF_EACH_KIND, bot

pytestmark = pytest.mark.usefixtures("kept_zygote")

VIEW = view_of("sixteen", hand=["B0", "G2", "O4", "R6"])
MANY_LEGAL = view_of("sixteen", hand=["B0", "G2", "O4", "W"])


def drawn(seed: int) -> str:
    generators = Generators()
    generators.begin(0, seed.to_bytes(16, "little"))
    return str(generators.of(0).choice(MANY_LEGAL.legal))


@pytest.mark.whole
@pytest.mark.parametrize("kind", OF_EACH_KIND)
def test_every_kind_of_bot_draws_from_the_game_s_generator(kind: str, tmp_path: Path) -> None:
    path = bot(tmp_path, OF_EACH_KIND[kind])
    answers = [decide(path, MANY_LEGAL, seed=seed, confined=False) for seed in range(20)]
    assert answers == [drawn(seed) for seed in range(20)]
    assert len(set(answers)) > 5
    walled = [decide(path, MANY_LEGAL, seed=seed, confined=True) for seed in (0, 3)]
    assert walled == [drawn(0), drawn(3)]


@pytest.mark.whole
def test_a_stranger_s_file_is_behind_walls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    path = bot(tmp_path / "bots", MARKS.format(mark=str(mark)))
    monkeypatch.chdir(tmp_path)
    for given in (str(path), path, "ann"):
        assert decide(given, VIEW) == "B0"
        assert not mark.exists(), given
    assert decide(path, VIEW, confined=False) == "B0"
    assert mark.exists()  # the attack works, once it is let


def any_legal(view: Any) -> str:
    return str(choice(view.legal))


class Last:
    asked = 0

    def __init__(self, game: Any) -> None:
        self.name = getattr(game, "name", "sixteen")

    def decide(self, view: Any) -> str:
        assert self.name == view.game
        self.asked += 1
        return str(view.legal[-1])


def test_functions_classes_and_objects_are_asked_as_they_are() -> None:
    def decide_many(views: Sequence[Any], rngs: Sequence[Random]) -> list[str]:
        return [rng.choice(view.legal) for view, rng in zip(views, rngs, strict=True)]

    assert decide(any_legal, MANY_LEGAL, seed=4) == drawn(4)
    assert decide(decide_many, MANY_LEGAL, seed=4) == drawn(4)
    assert decide(Last, VIEW) == "R6"
    made = Last(VIEW)
    assert [decide(made, VIEW) for _ in range(3)] == ["R6"] * 3
    assert made.asked == 3


def test_what_the_test_itself_draws_is_left_alone() -> None:
    functions = [getattr(random, name) for name in ("random", "choice", "shuffle")]
    random.seed(5)
    decide(any_legal, VIEW)
    assert random.random() == Random(5).random()
    assert [getattr(random, name) for name in ("random", "choice", "shuffle")] == functions


def test_a_folder_reads_its_own_modules_and_leaves_none_behind(tmp_path: Path) -> None:
    text = "import place\n\ndef decide(view):\n    return view.legal[place.AT]\n"
    for name, number in (("ann", 0), ("bob", 3)):
        bot(tmp_path / name, text, "bot")
        bot(tmp_path / name, f"AT = {number}\n", "place")
    before, paths = {**sys.modules}, sys.path[:]
    assert decide(tmp_path / "ann", VIEW, confined=False) == "B0"
    assert decide(tmp_path / "bob", VIEW, confined=False) == "R6"
    assert {name for name in sys.modules if name in ("bot", "place")} == {*before} & {"bot"}
    assert sys.path == paths


def test_an_illegal_answer_is_told_with_what_is_legal_and_the_view(tmp_path: Path) -> None:
    path = bot(tmp_path, "def decide(view):\n    return 'takes'\n")
    with pytest.raises(NoDecision) as wrong:
        decide(path, view_of("no_thanks", card=10), confined=False)
    first, legal, shown, *_ = str(wrong.value).splitlines()
    assert (first, legal) == ("ann: it answered 'takes', which is not legal", "legal: pass, take")
    assert shown.startswith("It was shown: View(table=0, players=3, seat=0, ")
    assert isinstance(wrong.value, AssertionError)
    with pytest.raises(NoDecision, match=r"a decision is a str from view\.legal; found NoneType"):
        decide(bot(tmp_path, "def decide(view):\n    pass\n"), VIEW, confined=False)


def test_what_is_no_bot_or_no_view_is_refused(tmp_path: Path) -> None:
    for wrong, view, words in (
        (str(tmp_path / "bob.py"), VIEW, "bob.py: no bot of that name"),
        (3, VIEW, "found 3; expected a bot's path, name or function"),
        (any_legal, {"card": 3}, "found a table of 1; expected a view"),
    ):
        with pytest.raises(UsageError, match=words):
            decide(wrong, view)
    with pytest.raises(UsageError, match="with confined=True, give a bot's path or name"):
        decide(any_legal, VIEW, confined=True)
    with pytest.raises(LookupError, match="rename decied to decide") as raised:
        decide(bot(tmp_path, "def decied(view): pass\n"), VIEW, confined=False)
    assert raised.value.__notes__ == [f"{tmp_path / 'ann.py'} was loaded as a bot"]
