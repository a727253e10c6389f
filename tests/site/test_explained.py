"""arena.site.explained: findings are kept by seat, and shown where the record bears them out."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from arena.site.explained import MOST_BYTES, MOST_MARKS, find_review, keep_explained
from arena.site.replay_encoder import Cost, Review
from arena.typed_json import encode
from tests.games.cases import Case
from tests.games.playing import play, record_of
from tests.site.replays import ID, OWN, encode_replay, explained, seat

NO_THANKS = record_of(
    Case("no_thanks", {}, 3),
    {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0},
    [[0, "pass"], [1, "pass"], [2, "take"], [2, "take"], [2, "pass"]],
)
SHOWN = Cost(1, 1, 0, "take", (
    "pass cost 23 ±4 opponents in 100: take was better (arena explain, not verified)"
))  # fmt: skip


def find_costs(results: Path, record: dict[str, Any], id: str) -> tuple[list[Cost], int]:
    review, wrong = find_review(results, record, id)
    return [*review.costs], wrong


def file_in(results: Path) -> Path:
    return results / "insight" / f"{ID}.json"


def test_a_mark_that_the_record_bears_out_is_shown_in_our_words(tmp_path: Path) -> None:
    assert find_costs(tmp_path, NO_THANKS, ID) == ([], 0)
    keep_explained(tmp_path, explained(seat(1, OWN)))
    assert find_costs(tmp_path, NO_THANKS, ID) == ([SHOWN], 0)
    keep_explained(tmp_path, explained(seat(1, replace(OWN, unit="score", loss=2.5, loss_se=0.4))))
    (cost,), _ = find_costs(tmp_path, NO_THANKS, ID)
    assert cost.words.startswith("pass cost 2.5 ±0.8 points: take was better")


def test_chances_are_numbers_of_decisions_that_the_record_has(tmp_path: Path) -> None:
    sound = [(1, 0, 0.256), (4, 0, 1)]  # of five actions; seat 1 decides these two
    wrong = [(0, 0, 0.5), (1, 1, 0.5), (4, 0, -0.1), (4, 0, 1.1), (10**300, 0, 0.5), (-1, 0, 0.5)]
    record = NO_THANKS | {"meta": {"bots": ["ann", "b</b>", "cid"]}}
    record["actions"] = [[0, "pass"], [1, "pass"], [2, "pass"], [0, "pass"], [1, "take"]]
    bad, late, first = (replace(OWN, action_number=at) for at in (77, 3, 0))
    own = replace(seat(1, OWN, bad), shares_by_decision=[*wrong, *sound])
    other = replace(seat(0, first, late), shares_by_decision=[(0, 0, 0)])
    keep_explained(tmp_path, explained(other, own, replace(seat(7), shares_by_decision=sound)))
    review, left_out = find_review(tmp_path, record, ID)
    assert review.chances == [(0, 0, 0), (1, 1, 26), (4, 1, 100)]
    good = "decisions were as good as the best found"
    assert review.good == [f"ann: 0 of 1 {good}", f"b</b>: 1 of 2 {good}"]
    assert left_out == len(wrong) + 1 + len(sound)


def test_seats_that_were_explained_before_stay_until_they_are_again(tmp_path: Path) -> None:
    keep_explained(tmp_path, explained(seat(2, share=0.1), seat(1)))
    keep_explained(tmp_path, explained(seat(0), seat(1, share=0.9)))
    kept = json.loads(file_in(tmp_path).read_text())["seats"]
    assert [(one["seat"], one["share_beaten"]) for one in kept] == [(0, 0.5), (1, 0.9), (2, 0.1)]
    assert [path.name for path in file_in(tmp_path).parent.iterdir()] == [f"{ID}.json"]


def test_of_two_runs_of_a_seat_the_one_that_played_more_stays_and_is_returned(
    tmp_path: Path,
) -> None:
    good = [seat(1, OWN, games=655), seat(2, games=655)]
    assert keep_explained(tmp_path, explained(*good, games=1310, faults={"bob": 2})) == []
    before = file_in(tmp_path).read_bytes()
    hurried = explained(seat(1, games=654), seat(2, games=12), games=666)
    assert keep_explained(tmp_path, hurried) == good
    assert file_in(tmp_path).read_bytes() == before
    better = [seat(1, games=656), seat(2, games=655, share=0.7)]
    assert keep_explained(tmp_path, explained(*better)) == []
    assert json.loads(file_in(tmp_path).read_text())["seats"] == json.loads(encode(better))


@pytest.mark.parametrize("before", [
    "", "{", encode(explained(seat(2), game_id="77ab12f0")), "[" * 5000,
    encode(explained(seat(2), bots=["x", "bob", "cid"])),
    encode(explained(seat(2), worlds="true cards")),
])  # fmt: skip
def test_what_was_no_file_of_this_game_is_replaced(tmp_path: Path, before: str) -> None:
    file_in(tmp_path).parent.mkdir()
    file_in(tmp_path).write_text(before)
    keep_explained(tmp_path, explained(seat(1, OWN)))
    assert file_in(tmp_path).read_text() == encode(explained(seat(1, OWN))) + "\n"


def test_one_that_is_nested_as_deep_as_can_just_be_read_is_replaced_or_kept(tmp_path: Path) -> None:
    for depth in range(850, 1000):
        nested = '{"card": ' + "[" * depth + "]" * depth + "}"
        file_in(tmp_path).parent.mkdir(exist_ok=True)
        file_in(tmp_path).write_text(encode(explained(seat(2, OWN))).replace('{"card": 3}', nested))
        keep_explained(tmp_path, explained(seat(1, OWN)))
        assert find_costs(tmp_path, NO_THANKS, ID)[0] == [SHOWN]


@pytest.mark.parametrize("id", ["a/../../own", "..", "", "/tmp/own", "a\0"])
def test_an_id_that_is_a_path_is_refused(tmp_path: Path, id: str) -> None:
    (tmp_path / "results" / "insight" / "a").mkdir(parents=True)
    with pytest.raises(OSError, match="not a game's id"):
        keep_explained(tmp_path / "results", explained(seat(1, OWN), game_id=id))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_nothing_is_written_elsewhere_and_nothing_too_large(tmp_path: Path) -> None:
    large, own = explained(seat(1, *[OWN] * 999)), explained(seat(1, OWN))
    with pytest.raises(OSError, match=r"over 64 KiB: .*0106d9d8\.json"):
        keep_explained(tmp_path, large)
    (other := tmp_path / "other").mkdir()
    file_in(tmp_path).parent.symlink_to(other)
    with pytest.raises(OSError, match="is a link"):
        keep_explained(tmp_path, own)
    assert not [*other.iterdir()]
    file_in(tmp_path).parent.unlink()
    file_in(tmp_path).parent.mkdir()
    (other / "own").write_text("mine")
    file_in(tmp_path).symlink_to(other / "own")
    keep_explained(tmp_path, own)  # takes the place of a link
    assert (other / "own").read_text() == "mine"
    assert find_costs(tmp_path, NO_THANKS, ID) == ([SHOWN], 0)
    file_in(tmp_path).write_text(SOUND.ljust(MOST_BYTES))  # as large as may be
    assert find_costs(tmp_path, NO_THANKS, ID) == ([SHOWN], 0)


WRONG = {
    "later step": {"action_number": 77},
    "other seat's step": {"action_number": 0},
    "no such pass": {"unrecorded_decisions": 1},
    "huge step": {"action_number": 10**300},
    "other decision": {"decision": "take"},
    "markup": {"decision": "</script>"},
    "illegal": {"better": "</script><script>alert(1)</script>"},
    "the same": {"better": "pass"},
    "gain": {"loss": -0.1},
    "none": {"loss": 0},
    "huge loss": {"loss": 1e300},
    "more than all": {"loss": 1.5},
    "huge score": {"loss": 1e9, "unit": "score"},
    "huge error": {"loss_se": 1e300},
    "no error": {"loss_se": -1},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_a_mark_that_is_not_borne_out_is_left_out_alone(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    wrong = replace(OWN, **changes)
    keep_explained(tmp_path, explained(seat(1, OWN), seat(2, wrong), seat(-1, OWN)))
    keep_explained(tmp_path, explained(seat(10**9, OWN)))
    file = json.loads(file_in(tmp_path).read_text())
    file["seats"].append(json.loads(encode(seat(1, OWN, wrong))))  # twice, and a wrong one
    file_in(tmp_path).write_text(json.dumps(file))
    assert find_costs(tmp_path, NO_THANKS, ID) == ([SHOWN], 6)


def as_link(path: Path) -> None:
    path.with_name("other.json").write_text(SOUND)
    path.symlink_to("other.json")


def as_linked_folder(path: Path) -> None:
    path.write_text(SOUND)
    path.parent.rename(path.parent.with_name("other"))
    path.parent.symlink_to("other")


def containing(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


SOUND = encode(explained(seat(1, OWN)))
HOSTILE = {
    "pipe": os.mkfifo,
    "link": as_link,
    "dead link": lambda path: path.symlink_to("nowhere"),
    "linked folder": as_linked_folder,
    "folder": lambda path: path.mkdir(),
    "empty": containing(""),
    "nested": containing(  # Python 3.14 can read that
        ""
        if sys.version_info >= (3, 14)
        else SOUND.replace('{"card": 3}', '{"card": ' + "[" * 9999 + "]" * 9999 + "}")
    ),
    "nested more": containing("[" * (MOST_BYTES - 1)),
    "1 MiB": containing(SOUND + " " * 2**20),
    "too large": containing(SOUND + " " * (MOST_BYTES + 1 - len(SOUND))),
    "other id": containing(encode(explained(seat(1, OWN), game_id="0106d9d9"))),
    "true cards": containing(encode(explained(seat(1, OWN), worlds="true cards"))),
    "NaN": containing(SOUND.replace("0.234", "NaN")),
    "infinite": containing(SOUND.replace("0.234", "1e999")),
    "many digits": containing(SOUND.replace("0.234", "9" * 9999)),
    "text": containing(SOUND.replace("0.234", '"0.234"')),
    "other unit": containing(SOUND.replace('"beats"', '"<b>"')),
    "other version": containing(SOUND.replace('"version": 2', '"version": 1')),
    "surrogate": containing(SOUND.replace('"ann"', r'"\ud800"')),
    "no UTF-8": lambda path: path.write_bytes(SOUND.encode().replace(b"ann", b"\xff")),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_file_that_cannot_be_used_is_left_out_and_counted(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    file_in(tmp_path).parent.mkdir()
    make(file_in(tmp_path))
    assert find_costs(tmp_path, NO_THANKS, ID) == ([], 1)


@pytest.mark.parametrize(("game", "seats"), [("diciassette", 4), ("no_thanks", 5), ("sixteen", 2)])
def test_every_decision_of_a_game_can_be_marked_and_is_found_by_its_question(
    tmp_path: Path, game: str, seats: int
) -> None:
    """In a window of 17 a seat is asked twice after one action. Seed 7."""
    case = Case(game, {}, seats)
    state = play(case.state(Random(7)), seats, Random(7))
    record = json.loads(json.dumps(record_of(case, state.setup(), state.actions)))
    asked = encode_replay(record, ID, None)
    words = asked["decisions"]
    for index, (step, who, legal, answer, *_) in enumerate(asked["asked"]):
        if index % 7 or len(legal) == 1:
            continue
        better = next(words[one] for one in legal if one != answer)
        mark = replace(OWN, action_number=step, decision=words[answer], better=better)
        marks = [replace(mark, unrecorded_decisions=n) for n in range(9)]
        keep_explained(tmp_path, explained(seat(who, *marks)))
        costs, wrong = find_costs(tmp_path, record, ID)
        (shown,) = encode_replay(record, ID, None, {}, Review(costs))["costs"]
        assert (shown[0], wrong) == (index, 8)
        file_in(tmp_path).unlink()


def test_of_many_marks_those_that_cost_each_seat_most_are_shown(tmp_path: Path) -> None:
    marks = [replace(OWN, action_number=at, loss=1 - at / 99) for at in range(33)]
    keep_explained(tmp_path, explained(*(seat(who, *marks[who::3]) for who in range(3))))
    record = NO_THANKS | {"actions": [[at % 3, "pass"] for at in range(33)]}
    costs, wrong = find_costs(tmp_path, record, ID)
    assert ([cost.at for cost in costs], wrong) == ([*range(MOST_MARKS)], 0)
