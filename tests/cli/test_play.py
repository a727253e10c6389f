"""`arena play` at a terminal: a person plays every game to its end, and whatever else may be."""

import json
from pathlib import Path
from random import Random

import pytest

from arena.records.judge import judge
from tests.keyboards import Keyboard
from tests.leagues import main, make
from tests.sessions import FIRST

BROKEN = "def decide(view):\n    raise ValueError('planted')\n"
BOTS = {"ann": FIRST, "bob": FIRST, "bad": BROKEN, "cannot": "import nothing_there\n"}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    make(folder, bots=BOTS)
    return folder


def played_out(keys: Keyboard, rng: Random | None = None) -> None:
    """Answer every question, by the number 1 or at random, to the game's end."""
    while keys.until("you> ", "over (") == "you> ":
        shown = keys.seen[: -len("you> ")].splitlines()
        numbers = 0
        for line in reversed(shown):
            if line[:1].isdecimal() and " " in line:
                numbers += 1
            elif numbers:
                break
        keys.type(f"{rng.randrange(numbers) + 1 if rng else 1}\n")
    assert keys.end() == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "others"),
    [("no_thanks", 2), ("no_thanks", 4), ("sixteen", 1), ("sixteen", 3), ("diciassette", 1)],
)
def test_a_person_plays_to_the_end_and_the_judge_agrees(
    game: str, others: int, bench: Path, tmp_path: Path, seed: int
) -> None:
    file = tmp_path / "games.jsonl"
    bots = ["ann", "bob", "ann", "bob"][:others]
    for plain, rng in (("", Random(seed)), ("1", None)):
        words = ["play", game, *bots, "--seed", seed % 1000, "--save", file]
        environment = {"NO_COLOR": plain} if plain else {}
        if rng is None and game == "diciassette":
            continue  # whoever plays open and never calls plays for long
        with Keyboard(*words, cwd=bench, environment=environment) as keys:
            played_out(keys, rng)
        assert ("\x1b" in keys.seen) is not bool(plain)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [judge(record).agree for record in records] == [True] * len(records)
    assert records[0]["meta"]["bots"][0] == "human"
    judged = main("judge", file)
    assert judged.returncode == 0
