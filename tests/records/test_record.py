"""The judge agrees with the rules' own records, and refuses them tampered with."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.record import Divergence, judge_record
from tests.places import EXAMPLES

RECORDS = [json.loads(line) for line in EXAMPLES.read_text().splitlines()]
SEVENTEEN, TRAPS, NO_THANKS, NO_THANKS_5, SIXTEEN, TEAMS = range(6)


def tampered(number: int, **changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = copy.deepcopy(RECORDS[number])
    record.update(changes)
    return record


def cut(number: int, length: int) -> dict[str, Any]:
    record = tampered(number, result=None)
    record["actions"] = record["actions"][:length]
    record.pop("rounds", None)
    return record


def acted(number: int, at: int, action: Any) -> dict[str, Any]:
    record = tampered(number)
    record["actions"][at] = action
    return record


def refusal(record: dict[str, Any]) -> Divergence:
    """Return where and why the judge refuses a record."""
    with pytest.raises(Divergence) as caught:
        judge_record(record)
    return caught.value


EACH = pytest.mark.parametrize("number", range(len(RECORDS)))


@EACH
def test_the_judge_agrees_with_every_example_and_every_prefix_of_it(number: int) -> None:
    assert judge_record(RECORDS[number]).to_act is None
    for length in range(0, len(RECORDS[number]["actions"]), 7):
        assert judge_record(cut(number, length))


@pytest.mark.parametrize(
    ("record", "at", "why"),
    [
        (acted(NO_THANKS, 3, [2, "pass"]), 3, "it is the turn of seat 1"),
        (acted(SIXTEEN, 2, [1, "B3"]), 2, "turn of seat 0"),
        (acted(SEVENTEEN, 3, [0, "N4:u"]), 3, "seat 1"),
        (acted(NO_THANKS, 3, [1, "grab"]), 3, "legal is pass or take"),
        (acted(SIXTEEN, 0, [0, "R6"]), 0, "R6"),
        (acted(SEVENTEEN, 0, [1, "N5:u"]), 0, "N5"),
        (acted(NO_THANKS, 3, [7, "pass"]), 3, "there is no seat 7"),
        (acted(NO_THANKS, 3, [True, "pass"]), 3, "expected [seat, action]"),
        (acted(NO_THANKS, 3, "pass"), 3, "expected [seat, action]"),
        (acted(NO_THANKS, 3, [1, "pass", [2]]), 3, "only a call"),
    ],
)
def test_a_wrong_turn_or_an_illegal_action_is_found_where_it_is(
    record: dict[str, Any], at: int, why: str
) -> None:
    wrong = refusal(record)
    assert wrong.at == at
    assert why in wrong.why


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("a0é\0", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("av", max_size=1), inner),
    max_leaves=4,
)


@EACH
@given(st.data())
def test_whatever_is_anywhere_in_a_record_is_judged_in_words(
    number: int, data: st.DataObject
) -> None:
    at: Any = tampered(number)
    record = at
    while True:
        key = data.draw(st.sampled_from(list(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.booleans()):
            break
        at = at[key]
    at[key] = data.draw(JSON)
    why = "it agrees"
    try:
        judge_record(record)
    except Divergence as error:
        why = error.why
    assert why


@EACH
def test_a_wrong_score_a_move_after_the_end_and_a_result_before_it_are_refused(number: int) -> None:
    record = tampered(number)
    record["result"]["scores"][0] += 1
    assert "result.scores" in refusal(record).why
    record = tampered(number)
    record["actions"].append(record["actions"][-1])
    wrong = refusal(record)
    assert wrong.at == len(RECORDS[number]["actions"])
    assert "over" in wrong.why
    early = cut(number, 9) | {"result": RECORDS[number]["result"]}
    assert "the game is not over" in refusal(early).why


def test_a_missing_reshuffle_other_cards_and_one_too_many_are_refused() -> None:
    none, other, more = (tampered(SEVENTEEN) for _ in range(3))
    none["setup"]["reshuffles"] = []
    wrong = refusal(none)
    assert wrong.at is not None  # where it is needed
    assert "reshuffle" in wrong.why
    pile = other["setup"]["reshuffles"][0]
    pile[0] = "trap" if pile[0] != "trap" else "rev"
    more["setup"]["reshuffles"].append(list(reversed(more["setup"]["reshuffles"][0])))
    assert "reshuffle" in refusal(other).why
    assert "setup.reshuffles: found 2" in refusal(more).why


def test_a_wrong_checkpoint_is_refused_at_its_action() -> None:
    record = tampered(TEAMS)
    record["rounds"][2]["side"] = 1
    wrong = refusal(record)
    assert wrong.at == 15  # "end" of that round, in the file
    assert "rounds[2]" in wrong.why


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"v": 2}, "v: found 2"),
        ({"v": True}, "v: found True"),
        ({"game": "poker"}, "game: found 'poker'"),
        ({"players": 9}, "players: found 9"),
        ({"players": "3"}, "players: found '3'"),
        ({"options": {"extnded": True}}, "did you mean extended?"),
        ({"options": {"chips": "many"}}, "options.chips"),
        ({"options": []}, "expected an object each"),
        ({"extra": 1}, "extra: unknown key"),
        ({"actions": None}, "actions: expected a list"),
        ({"rounds": 5}, "rounds: expected a list"),
        ({"rounds": [{"end": 1}]}, "rounds[0]"),
        ({"result": []}, "result: expected an object"),
        ({"setup": {}}, "setup.deck"),
        ({"setup": RECORDS[NO_THANKS]["setup"] | {"seed": 1}}, "setup.seed: unknown key"),
    ],
)
def test_what_is_no_record_is_refused_with_the_key(changes: dict[str, Any], why: str) -> None:
    wrong = refusal(tampered(NO_THANKS, **changes))
    assert "rounds" in changes or wrong.at is None
    assert why in wrong.why


@pytest.mark.parametrize("key", ["ranks", "scores", "reason"])
def test_a_result_without_a_key_it_owes_is_refused(key: str) -> None:
    record = tampered(NO_THANKS)
    del record["result"][key]
    assert f"result.{key}: is missing" in refusal(record).why


def test_true_is_not_1_and_winners_are_checked() -> None:
    result = RECORDS[NO_THANKS]["result"]
    for changes in ({"ranks": [3, True, 2]}, {"winners": [0]}):
        refusal(tampered(NO_THANKS, result=result | changes))
    assert judge_record(tampered(NO_THANKS, result=result | {"winners": [1]}))


def test_the_stand_in_of_a_forfeited_seat_is_held_to_its_play() -> None:
    record = tampered(NO_THANKS, result=None)
    record["actions"] = [[1, "pass"], [2, "forfeit"], [2, "take"]]
    wrong = refusal(record)
    assert wrong.at == 2
    assert "stand-in" in wrong.why
    record["actions"][2] = [2, "pass"]
    assert judge_record(record)


@pytest.mark.parametrize("odd", ["\ud800", 10**30, [1e300], {"a": "\udfff"}])
def test_whatever_json_can_hold_is_judged(odd: Any) -> None:
    assert "rounds[0]" in refusal(tampered(SEVENTEEN, rounds=[odd])).why
    result = RECORDS[NO_THANKS]["result"] | {"ranks": odd}
    refusal(tampered(NO_THANKS, result=result))
