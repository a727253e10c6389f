"""A bot asked in a test decides as it would in the arena: the same interface and numbers; and
copies among bots are named.
"""

import random
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, choice
from typing import Any

import pytest

from arena.author.copies import describe_copies
from arena.author.scaffold import bot_files
from arena.errors import UsageError
from arena.league.files import Source
from arena.sandbox.randomness import Generators
from arena.testing import NoDecision, decide, view_of
from tests.author.made import MARKS, OF_EACH_KIND, bot
from tests.leagues import main, make
from tests.places import ROOT

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


WORTH = '''"""Anna's bot."""
import random

LIMIT = 9


class Table:
    def __init__(self, view):
        self.view = view

    def worth(self):
        """What it is worth."""
        total: int = 0
        for card in self.view.legal:
            if len(card) > 1 and card[0] in "NOR":
                total += int(card[1]) if card[1:2].isdigit() else 0  # a number
        return total


def decide(view):
    legal = view.legal
    return legal[-1] if Table(view).worth() > LIMIT else random.choice(legal)
'''
EXAMPLE = re.findall(r"(?s)```python\n(.*?)```", (ROOT / "bots/README.md").read_text())[0]


def test_copies_are_named_whatever_they_call_things(tmp_path: Path) -> None:
    renamed = re.sub(r"\btotal\b", "summe", WORTH).replace("Table", "Tisch").replace("LIMIT", "G")
    renamed = re.sub(r"(?<!\.)\blegal\b", "moves", renamed).replace("  # a number", "")
    renamed = renamed.replace("What it", "Was es").replace(": int", "")
    *rest, decides = re.split(r"(?m)^(?=class|def|LIMIT)", WORTH)
    texts = {
        "anna": WORTH,
        "bert": renamed.replace("return total", "return  (total)"),
        "carl": "".join([rest[0], decides, *reversed(rest[1:])]),
        "dora": WORTH.replace("> LIMIT", ">= LIMIT"),
        "early": "def decide(view):\n    return view.legal[0]\n",
        "first": "def decide(view):\n    return view.legal[0]  # mine\n",
        "gina": f"{EXAMPLE}# tuned\n",
        "hans": f'"""Hans."""\n{EXAMPLE}',
        "ines": bot_files("ines", "decide")["ines.py"].decode().replace("return", "return  "),
        "willi": f"{(ROOT / 'bots/champion.py').read_text()}# mine\n",
        "xaver": (ROOT / "bots/champion.py").read_text(),
        "bomb": f"x = {'-' * 100_000}1\n{WORTH}",
        "broken": "def decide(view:\n",
    }
    sources = {name: Source((("bot.py", text.encode()),)) for name, text in texts.items()}
    paths = ("bot.py", "bot.py.txt/x.py", f"{'d/' * 60}x.py")
    sources["evil"] = Source(tuple((path, b"x = 1") for path in paths), is_folder=True)
    example = "example 1 of bots/README.md"
    assert describe_copies(sources, confined=True) == [
        f"gina: its code is {example}",
        f"hans: its code is {example}",
        "ines: its code is what `arena new NAME` writes",
        "willi: its code is the house bot champion's",
        "xaver: its code is the house bot champion's",
        "anna, bert and carl: the same code, but for comments, docstrings, names and layout",
        "bomb and broken: not compared: unreadable, or too large",
    ]
    files = (("bot.py", b"from helper import decide\n"), ("helper.py", WORTH.encode()))
    folder = Source(files, is_folder=True)
    (said,) = describe_copies({"anna": sources["anna"], "kim": folder}, confined=True)
    assert said.startswith("anna and kim: ")
    assert describe_copies({"willi": sources["willi"]}, confined=True) == []


def test_an_organiser_alone_sees_them(tmp_path: Path) -> None:
    config = make(tmp_path, bots={name: f"{WORTH}# {name}\n" for name in ("ann", "bob", "cid")})
    results = tmp_path / "results" / "cup"
    said = b"ann, bob and cid: the same code, but for comments, docstrings, names and layout\n"
    played = main("tournament", config)
    assert said in played.stderr
    assert b"For you alone; also in " in played.stderr
    assert (results / "copies.txt").read_bytes() == said
    assert stat.S_IMODE((results / "copies.txt").stat().st_mode) == 0o600
    main("export", results, "--to", tmp_path / "exported")
    main("publish", results)
    for folder in (tmp_path / "exported", results):
        for file in (file for file in folder.rglob("*") if file.is_file()):
            assert file.name == "copies.txt" or b"the same code, but" not in file.read_bytes()
    assert b"copies.txt" not in main("verify", results).stdout
    letters = tmp_path / "letters"
    checked = main("check", "bots/*", "--seconds", "1", "--letters", letters, cwd=tmp_path)
    assert said in checked.stdout
    assert b"same code" not in b"".join(file.read_bytes() for file in letters.iterdir())
