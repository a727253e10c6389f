"""Views for tests: play's can be given back, or found in its record; no others are made up."""

import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from arena.author.views import at, view_of
from arena.errors import UsageError
from arena.records.questions import Shown, find_question_at, find_questions
from arena.testing import decide
from tests.author.made import CASES
from tests.games.cases import Case
from tests.games.new import nim
from tests.games.playing import steps
from tests.places import EXAMPLES, ROOT


def played(case: Case, rng: Random, forfeits: float = 0.0) -> tuple[dict[str, Any], list[Shown]]:
    state, asked = case.state(rng), []
    for decision in steps(state, case.seats, rng, forfeits):
        seat = state.to_act
        if seat is not None and seat not in state.forfeited and state.has_choice():
            asked.append(Shown(seat, state.view(seat), decision))
    record = {
        "v": 1, "game": case.name, "players": case.seats, "options": case.given,
        "setup": state.setup(), "actions": state.actions, "result": state.result(),
    }  # fmt: skip
    return json.loads(json.dumps(record)), asked


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_record_gives_back_all_that_was_shown_and_view_of_too(case: Case, seed: int) -> None:
    silent = hasattr(case.game, "priority")  # no record tells who passed before a forfeit
    rng = Random(f"{case} {seed}")
    record, questions = played(case, rng, 0.0 if silent else 0.01)
    for seat in range(case.seats):
        found = find_questions(record, seat, [0] * case.seats)
        own = [one for one in found if one.answer is not None]
        views = [view for who, view, _ in questions if who == seat]
        assert [one.fields for one in own] == views
        some = Random(seed).sample(range(len(own)), min(2, len(own)))
        for step, view in ((own[number].at, views[number]) for number in some):
            assert find_question_at(record, step, seat, view.phase).view == view
    for _, view, _ in questions:
        fields = json.loads(json.dumps(view._asdict()))  # lists, as JSON has them
        again = view_of(case.name, options=case.given, **fields)
        assert again == view
        assert type(again) is type(view)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_some_fields_of_play_are_kept_as_they_are_or_refused(case: Case, seed: int) -> None:
    rng = Random(f"{case} {seed}")
    (_, questions), made = played(case, rng), 0
    for question in (rng.choice(questions) for _ in range(30)):
        fields = question.view._asdict()
        given = {name: fields[name] for name in rng.sample(sorted(fields), rng.choice((1, 2)))}
        try:
            view = view_of(case.name, options=case.given, **given)
        except UsageError as error:
            for line in error.args:
                assert re.match(r"view_of: (hand, [a-z_, ]+|[a-z_]+): ", line), line
        else:
            made += 1
            assert {name: getattr(view, name) for name in given} == given
            assert len(view.legal) > 1
    assert made > 8


@pytest.mark.parametrize("case", CASES, ids=str)
def test_without_fields_it_is_the_usual_beginning(case: Case) -> None:
    view = view_of(case.name, options=case.given)
    assert (view.table, view.seat, view.since, view.game) == (0, 0, (), case.name)
    assert view.options == case.options
    assert len(view.legal) > 1


def test_what_is_given_decides_the_rest() -> None:
    view = view_of("no_thanks", card=10, pot=3)
    assert (view.card, view.pot, view.chips) == (10, 3, 10)  # one round of passes: 11 - 1
    assert view_of("no_thanks", chips=4, pot=3).cards_left == 22  # spent on a card that is taken
    assert view_of("no_thanks", taken=[[3], [], [9], [12]]).players == 4
    ending = view_of("sixteen", hand=["R1", "G5"])
    assert (ending.hand, ending.deck, len(ending.gone)) == (("G5", "R1"), 0, 54 - 4)
    window = view_of("diciassette", phase="window")
    assert (len(window.row), window.last, window.next, window.deck) == (1, 2, 0, 70 - 9 - 1)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("no_thanks", {"crad": 3}, "crad: no_thanks has no such field; did you mean card?"),
    ("no_thanks", {"chips": "x"}, "chips: found 'x'; expected int, got str"),
    ("no_thanks", {"players": 9}, "players: found 9; expected 3, 4, 5 with these"),
    ("no_thanks", {"card": 2}, "card: found 2; expected 3 to 35"),
    ("no_thanks", {"card": 9, "taken": [[9], [], []]}, "card: found 9, which is also in taken"),
    ("no_thanks", {"taken": [[9], [9], []]}, "taken: found 9; expected each card from 3 to 35"),
    ("no_thanks", {"chips": 0}, "chips: found 0; a seat without chips must take, and is not asked"),
    ("no_thanks", {"pot": 20, "chips": 20}, "pot: found 20, and 20 in hand; 3 players have 33"),
    ("no_thanks", {"cards_left": 5, "taken": [[9], [], []]}, "cards_left: found 5; 24 cards are"),
    ("no_thanks", {"all_chips": [11, 11, 11]}, "all_chips: only views with the option open_chips"),
    ("no_thanks", {"since": [[0, "take", 9, 1]]}, "since: found (0, 'take', 9, 1), which this"),
    ("sixteen", {"hand": ["B0", "B0", "G1", "G2"]}, "hand, pile and gone: found 'B0' 2 times"),
    ("sixteen", {"hand": ["G5"]}, "hand: found ('G5',); a seat is asked only where it has"),
    ("sixteen", {"pile": [["G6", 1, False]], "seat": 1}, "pile: after seat 1 it was the turn of"),
    ("sixteen", {"pile": [["G6", 0, False]], "total": 5}, "total: found 5; the pile comes to 6"),
    ("sixteen", {"phase": "draw"}, "phase: no seat draws here; give options="),
    ("sixteen", {"hands": [4, 2]}, "hands: seat 1: found 2 cards; with 48 to be drawn it has 3"),
    ("diciassette", {"tokens": [[3, 0], [0, 0]]}, "tokens: found (3, 0); expected 0 to 2"),
    ("diciassette", {"row": [["?", "d", 0]], "seat": 0}, "row: found ('?', 'd', 0); expected"),
    ("diciassette", {"last": 0, "seat": 0, "phase": "window"}, "last: found 0; in a"),
    ("diciassette", {"deck": 3, "discard": []}, "deck: found 3; with 9 cards in hands, row"),
    ("diciassette", {"next": 1, "seat": 0}, "next: found 1; in phase 'play' it"),
]


@pytest.mark.parametrize(
    ("game", "fields", "words"), REFUSED, ids=[each[2][:30] for each in REFUSED]
)
def test_what_cannot_be_is_refused_and_why(game: str, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as refused:
        view_of(game, **fields)
    assert any(line.startswith(f"view_of: {words}") for line in refused.value.args), refused.value


def test_a_wrong_game_or_option_is_answered_with_one_that_is() -> None:
    with pytest.raises(UsageError, match="found 'no_thank', did you mean 'no_thanks'"):
        view_of("no_thank")
    with pytest.raises(UsageError, match=r"options\.chip: no such option; did you mean chips"):
        view_of("no_thanks", options={"chip": 3})


def test_a_fourth_game_without_a_check_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "games.nim", nim)
    monkeypatch.setattr(games, "names", lambda: ("nim", "no_thanks"))
    with pytest.raises(UsageError, match=r"nim has no check of situations .*; use a recorded one"):
        view_of("nim", heaps=[1, 2])
    record = {"v": 1, "game": "nim", "players": 2, "setup": {}, "actions": [[0, "A2"]]}
    view = at(record | {"result": None}, 1)
    assert (view.game, view.seat, view.since) == ("nim", 1, ((0, "A2"),))


RECORDS = {one["game"]: one for one in map(json.loads, EXAMPLES.read_text().splitlines())}


@pytest.mark.parametrize("game", RECORDS)
def test_a_dict_a_line_and_a_file_give_the_same_view(game: str, tmp_path: Path) -> None:
    given = RECORDS[game]
    line = json.dumps(given)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{{}}\n{line}\n")
    views = [at(given, 1), at(line, 1), at(file, 1, line=2), at(str(file), 1, line=2)]
    assert views == views[:1] * 4
    assert (views[0].game, views[0].seat) == (game, given["actions"][1][0])
    answer = decide(ROOT / "bots" / "first_legal.py", views[0], confined=False)
    assert answer == views[0].legal[0]


def test_what_cannot_be_shown_is_refused_with_the_remedy(tmp_path: Path) -> None:
    given, file = RECORDS["no_thanks"], tmp_path / "games.jsonl"
    file.write_text(json.dumps(given) + "\n")
    last = len(given["actions"])
    other = (given["actions"][0][0] + 1) % given["players"]
    forced = RECORDS["sixteen"]  # who has one card left has no choice
    refused: list[tuple[Any, int, dict[str, Any], str]] = [
        (given, last + 1, {}, f"at: step: found {last + 1}; the game has {last} actions"),
        (given, last, {}, f"at: step {last}: the game is over there; expected 0 to {last - 1}"),
        (given, 0, {"seat": other}, f"at: step 0: seat {other} is not asked there; expected"),
        (given | {"v": 9}, 0, {}, "at: the record breaks the rules: v: found 9; this arena reads"),
        (forced, len(forced["actions"]) - 1, {}, "was its only choice, or a stand-in's"),
        ("{", 0, {}, "record: not JSON"),
        (tmp_path / "none.jsonl", 0, {}, "none.jsonl: cannot be read: No such file"),
        (file, 0, {"line": 3}, "no such line in the file; lines count from 1"),
    ]
    for source, step, words, told in refused:
        with pytest.raises(UsageError) as error:
            at(source, step, **words)
        assert told in str(error.value)


def test_a_question_without_a_decision_is_found_where_it_waits() -> None:
    given = {key: value for key, value in RECORDS["no_thanks"].items() if key != "rounds"}
    actions = given["actions"]
    for more in ([], [[actions[4][0], "forfeit"]]):  # the record ends there, or its seat is out
        game = given | {"actions": [*actions[:4], *more], "result": None}
        question = find_question_at(game, 4)
        assert (question.view, question.decision) == (at(given, 4), None)
