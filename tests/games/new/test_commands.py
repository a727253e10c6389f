"""What Arena does with a game that was added: copied beside the game's own tests, by its name."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.keyboards import Keyboard
from tests.leagues import main
from tests.places import ROOT

pytestmark = pytest.mark.whole

NAME = Path(__file__).stem.split("_")[1]
CUP, LINES = f"{NAME}.toml", f"{NAME}.jsonl"
RESULTS = f"results/{NAME}"
LAST = '"""The last legal decision."""\n\n\ndef decide(view):\n    return view.legal[-1]\n'


class Added(NamedTuple):
    """What is particular to a game that is added."""

    config: str
    games: int  # of three bots: line-ups x seatings x deals
    told: str  # what a state is told with
    drawn: str  # a field that a seat sees
    hidden: str  # what the audit says of its hidden cards
    worlds: str  # what `explain` deals anew


ADDED = {
    "nim": Added(
        """
[[games]]
game = "nim"
players = [2, 3]
deals = 2

[[games]]
game = "nim"
players = 2
deals = 1
options = { heaps = 2, misere = true }
""",
        3 * 2 * 2 + 1 * 6 * 2 + 3 * 2 * 1,
        "to_act 0, over None, heaps [",
        "heaps",
        "their game has no `resample`",
        "cannot resample",
    ),
    "kuhn": Added(
        """
[[games]]
game = "kuhn"
players = 2
deals = 4
""",
        3 * 2 * 4,
        "pot 2  ",
        "card",
        "views compared, none changed",
        "fair",
    ),
}[NAME]


def say(*words: object) -> str:
    """Return what a command says; it must end well."""
    done = main(*words, cwd=ROOT)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
    return said


@pytest.fixture(scope="module", autouse=True)
def records() -> list[str]:
    """Those of a tournament, a line each."""
    (ROOT / "bots" / "last.py").write_text(LAST)
    (ROOT / CUP).write_text(f"seed = 1\nworkers = 1\n{ADDED.config}")
    say("tournament", CUP)
    text = say("records", RESULTS)
    (ROOT / LINES).write_text(text)
    return text.splitlines()


def test_a_tournament_plays_it_without_a_fault(records: list[str]) -> None:
    told = json.loads((ROOT / RESULTS / "standings.json").read_text())
    assert [game["game"] for game in told["games"]] == [NAME]
    assert len(records) == ADDED.games
    assert all(json.loads(record)["meta"]["faults"] == [] for record in records)
    assert f"records: {ADDED.games} of {ADDED.games} follow the rules" in say("judge", LINES)


def test_it_is_verified_and_played_again() -> None:
    said = say("verify", RESULTS, "--replay-bots", 10)
    assert f"games: {ADDED.games} of {ADDED.games} follow the rules" in said
    assert "deals: recomputed from the secret" in said
    assert "10 games, 10 with the same result" in said


def test_it_is_replayed_in_words_as_all_see_it_and_by_a_seat_s_eyes() -> None:
    said = say("replay", LINES, "--line", 1).splitlines()
    assert said[0].startswith(f"{NAME}, ")
    assert said[1].strip().startswith(ADDED.told)
    assert said[-1].startswith("Game over: ")
    said = say("replay", LINES, "--line", 1, "--as", 1).splitlines()
    assert f"{ADDED.drawn} " in said[1]  # by the view's fields


def test_it_is_played_by_hand() -> None:
    words = ("play", NAME, "last", "--save", f"by-hand-{LINES}")
    with Keyboard(*words, cwd=ROOT, environment={"NO_COLOR": "1"}) as keys:
        while keys.until("you> ", "Game over: ") == "you> ":
            keys.type("1\n")
        assert keys.end() == 0
    assert f"{ADDED.drawn} " in keys.seen  # by the view's fields
    assert "records: 1 of 1 follow the rules" in say("judge", f"by-hand-{LINES}")


def test_it_is_audited() -> None:
    assert ADDED.hidden in say("audit", RESULTS)


def test_its_games_are_explained() -> None:
    """Without a line of its own for that. Nim has no chance: the bots' dice alone differ."""
    listed = json.loads(say("games", RESULTS, "--bot", "last", "--lost", "--json"))["games"]
    game = f"{listed[0]['game_id']}:last"
    found = json.loads(say("explain", RESULTS, game, "--json").splitlines()[0])
    assert found["worlds"] == ADDED.worlds
    assert found["seats"][0]["shares_by_decision"]
    assert found["faults"] == {}
