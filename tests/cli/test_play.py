"""`arena play` at a terminal."""

import json
import re
import signal
from pathlib import Path
from random import Random

import pytest

from arena.records.record import judge_record
from arena.records.replay import replay_to
from tests.keyboards import Keyboard
from tests.leagues import DECKS_OF_THREE, main, make, played_in
from tests.places import EXAMPLES
from tests.sessions import FIRST

BROKEN = "def decide(view):\n    raise ValueError('planted')\n"
BOTS = {"ann": FIRST, "bob": FIRST, "bad": BROKEN, "cannot": "import nothing_there\n"}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    make(folder, bots=BOTS)
    return folder


def played_out(keys: Keyboard, rng: Random | None = None) -> None:
    while keys.until("you> ", "Game over: ") == "you> ":
        shown = keys.seen[: keys.seen.rindex("you> ")].splitlines()[-1]
        options = re.sub(r" \(.*\)$", "", shown.partition(": ")[2]).split("  ")
        choices = [option.split()[0] for option in options if option]
        keys.type(f"{rng.choice(choices) if rng else choices[0]}\n")
    assert keys.end() == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "others", "plain"),
    [("no_thanks", 2, True), ("sixteen", 3, True), ("diciassette", 1, False)],
)
def test_a_person_plays_to_the_end_and_the_judge_agrees(
    game: str, others: int, plain: bool, bench: Path, tmp_path: Path, seed: int
) -> None:
    file, before = tmp_path / "games.jsonl", EXAMPLES.read_bytes().splitlines(True)[0]
    file.write_bytes(before)
    words = ["play", game, *["ann", "bob", "ann"][:others], "--seed", seed % 1000, "--save", file]
    with Keyboard(*words, cwd=bench, environment={"NO_COLOR": "1"} if plain else {}) as keys:
        played_out(keys, Random(seed))
    assert re.search(r"\byou\b", keys.seen.rpartition("Game over: ")[2])
    assert ("\x1b" in keys.seen) is not plain
    kept, added = file.read_bytes().splitlines(True)
    assert kept == before
    record = json.loads(added)
    assert judge_record(record)
    assert record["meta"]["bots"][0] == "human"


@pytest.mark.whole
def test_a_bot_that_fails_is_out_and_a_stand_in_plays_on(bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    with Keyboard("play", "no_thanks", "bad", "ann", "cannot", "--save", file, cwd=bench) as keys:
        keys.until("cannot (seat 3) is out, load; a stand-in plays on")
        played_out(keys)
    assert "bad (seat 1) is out, error; a stand-in plays on" in keys.seen
    assert "ValueError: planted" in keys.seen
    (record,) = map(json.loads, file.read_text().splitlines())
    assert judge_record(record)
    assert [fault[:2] for fault in record["meta"]["faults"]] == [[3, "load"], [1, "error"]]


@pytest.mark.whole
@pytest.mark.parametrize("hindsight", [False, True])
def test_a_person_takes_over_a_seat_of_a_stored_game_against_the_bots_that_played(
    hindsight: bool, tmp_path: Path, seed: int
) -> None:
    bots = {"ann": FIRST, "bob": FIRST, "human": FIRST}  # whose name the person cannot have
    played = played_in(tmp_path / "cup", DECKS_OF_THREE.replace("12", "1"), bots)
    (old, *_) = map(json.loads, main("records", played).stdout.splitlines())
    at, file = len(old["actions"]) // 2, tmp_path / "one.jsonl"
    who = old["actions"][at][0]
    for bot in (played.parents[1] / "bots").glob("*.py"):
        bot.write_text(BROKEN)  # what played is kept with the results
    words = ["--at", at, "--save", file, *["--hindsight"] * hindsight]
    with Keyboard("play", "--from", played, old["meta"]["id"][:9], *words, cwd=tmp_path) as keys:
        played_out(keys, Random(seed))
    new, names = json.loads(file.read_text()), [*old["meta"]["bots"]]
    bot, names[who] = names[who], "human_2"
    assert judge_record(new)
    assert new["meta"]["bots"] == names
    assert new["meta"]["faults"] == []
    assert new["actions"][:at] == old["actions"][:at]
    assert (new["setup"] == old["setup"]) is hindsight
    known = [replay_to(record, at).view(who) for record in (old, new)]
    assert known[0] == known[1]
    assert f"you sit in for {bot}. Hidden cards are" in keys.seen
    assert f"There, {bot} decided {old['actions'][at][1]}; it ranked" in keys.seen


@pytest.mark.whole
def test_the_rules_are_shown_nonsense_is_refused_and_q_leaves(bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "left.jsonl"
    with Keyboard("play", "sixteen", "human", "ann", "--save", file, cwd=bench) as keys:
        keys.until("you> ")
        keys.type("?\n")
        while keys.until(" lines; Enter: more, q: end > ", "you> ") != "you> ":
            keys.type("\n")
        for typed, shown in (
            ("?", "29 of "),
            ("q", "you> "),
            ("99", "'99' is not a choice here; "),
        ):
            keys.type(f"{typed}\n")  # of the rules, a screen of 30 lines, and one to ask on
            keys.until(shown)
        keys.type("1\n")
        keys.until("you> ", "Game over: ")
        keys.type("q\n")
        assert keys.end() == 0
    for shown in ("Rulings", "You left the game.", f"with: arena replay {file} --line 1"):
        assert shown in keys.seen
    (record,) = map(json.loads, file.read_text().splitlines())
    assert record["result"] is None
    assert record["actions"]
    assert judge_record(record)  # as the beginning of a game


@pytest.mark.whole
def test_people_alone_may_play_and_each_is_told_whose_turn_it_is(bench: Path) -> None:
    with Keyboard("play", "sixteen", "human", "human", "--seed", 1, cwd=bench) as keys:
        for name in (keys.until("human> ", "human_2> ") for _ in range(3)):
            assert f"It is {name[:-2]}'s turn." in keys.seen
            keys.type("1\n")
        keys.until("human> ", "human_2> ")
        keys.type("\x04")  # Ctrl-D
        assert keys.end() == 0


@pytest.mark.whole
def test_ctrl_c_ends_it_and_nothing_is_saved(bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    with Keyboard("play", "sixteen", "ann", "--save", file, cwd=bench) as keys:
        keys.until("you> ")
        keys.process.send_signal(signal.SIGINT)
        assert keys.end() == 130
    assert "Traceback" not in keys.seen
    assert not file.exists()
