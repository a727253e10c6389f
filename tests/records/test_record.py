"""The judge agrees with the rules' own records, and refuses them tampered with."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.record import Divergence, judge_record
from tests.places import EXAMPLES

RECORDS: list[dict[str, Any]] = [json.loads(line) for line in EXAMPLES.read_text().splitlines()]
SEVENTEEN, TRAPS, NO_THANKS, NO_THANKS_5, SIXTEEN, TEAMS = range(6)


def tampered(number: int, **changes: Any) -> dict[str, Any]:
    return copy.deepcopy(RECORDS[number]) | changes


def cut(number: int, length: int) -> dict[str, Any]:
    record = tampered(number, result=None, actions=RECORDS[number]["actions"][:length])
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


RESULT = RECORDS[NO_THANKS]["result"]
OUT = [[1, "pass"], [2, "forfeit"]]
ROUNDS = RECORDS[TEAMS]["rounds"]
SIDE = [*ROUNDS[:2], ROUNDS[2] | {"side": 1}, *ROUNDS[3:]]
SETUP, LAST = RECORDS[NO_THANKS]["setup"], len(RECORDS[NO_THANKS]["actions"]) - 1


@pytest.mark.parametrize(
    ("record", "at", "why"),
    [
        (acted(NO_THANKS, 3, [2, "pass"]), 3, "it is the turn of seat 1"),
        (acted(NO_THANKS, 3, [1, "grab"]), 3, "legal is pass or take"),
        (acted(SIXTEEN, 0, [0, "R6"]), 0, "R6"),
        (acted(NO_THANKS, 3, [7, "pass"]), 3, "there is no seat 7"),
        (acted(NO_THANKS, 3, [True, "pass"]), 3, "expected [seat, action]"),
        (acted(NO_THANKS, 3, "pass"), 3, "expected [seat, action]"),
        (acted(NO_THANKS, 3, [1, "pass", [2]]), 3, "only a call"),
        (tampered(NO_THANKS, result=None, actions=[*OUT, [2, "take"]]), 2, "stand-in"),
        (tampered(TEAMS, rounds=SIDE), 15, "rounds[2]"),  # "end" of that round, in the file
        (tampered(NO_THANKS, result={}), LAST, "result.ranks: is missing"),
        (tampered(NO_THANKS, result=RESULT | {"ranks": [3, True, 2]}), LAST, "result.ranks"),
        (tampered(NO_THANKS, result=RESULT | {"winners": [0]}), LAST, "winners"),
        (tampered(NO_THANKS, v=True), None, "v: found True"),
        (tampered(NO_THANKS, game="poker"), None, "game: found 'poker'"),
        (tampered(NO_THANKS, players=9), None, "players: found 9"),
        (tampered(NO_THANKS, options={"chips": "many"}), None, "options.chips"),
        (tampered(NO_THANKS, extra=1), None, "extra: unknown key"),
        (tampered(NO_THANKS, rounds=[{"end": 1}]), 16, "rounds[0]"),
        (tampered(NO_THANKS, setup={}), None, "setup.deck"),
        (tampered(NO_THANKS, setup=SETUP | {"seed": 1}), None, "setup.seed: unknown key"),
    ],
)
def test_what_is_wrong_is_refused_where_it_is(
    record: dict[str, Any], at: int | None, why: str
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
    assert refusal(none).at is not None  # where it is needed
    pile = other["setup"]["reshuffles"][0]
    pile[0] = "trap" if pile[0] != "trap" else "rev"
    more["setup"]["reshuffles"].append(list(reversed(more["setup"]["reshuffles"][0])))
    assert all("reshuffle" in refusal(record).why for record in (none, other))
    assert "setup.reshuffles: found 2" in refusal(more).why


def test_winners_and_the_pass_of_a_stand_in_are_agreed_with() -> None:
    assert judge_record(tampered(NO_THANKS, result=RESULT | {"winners": [1]}))
    assert judge_record(tampered(NO_THANKS, result=None, actions=[*OUT, [2, "pass"]]))


@pytest.mark.parametrize("odd", ["\ud800", 10**30, [1e300], {"a": "\udfff"}])
def test_whatever_json_can_hold_is_judged(odd: Any) -> None:
    assert "rounds[0]" in refusal(tampered(SEVENTEEN, rounds=[odd])).why
    refusal(tampered(NO_THANKS, result=RESULT | {"ranks": odd}))
