"""arena.site.replay_encoder: what the viewer is given is what the rules say each seat may know."""

import json
from random import Random
from typing import Any

import pytest

import games
from arena.records.questions import find_question_at, view_arguments
from arena.records.record import Divergence
from arena.records.replay import Walk
from arena.site import replay_encoder
from arena.site.replay_encoder import (
    Prints,
    encode_script,
)
from games import FORFEIT, Symbol, Zone
from tests.games.cases import Case, cases
from tests.games.playing import USUAL, play, record_of, steps
from tests.site.replays import Lying, arguments_at, encode_replay, heard, lying

OF_ALL = 0  # the eyes that see all hands; those of seat n have the number n + 1


def case_of(name: str, seats: int) -> Case:
    return next(c for c in cases() if (c.name, c.seats) == (name, seats) and not c.given)


def played(case: Case, seed: int, forfeits: float = 0.0) -> dict[str, Any]:
    """Return a record of random play; seats forfeit unasked, as after too many restarts."""
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng, forfeits)
    record = record_of(case, state.setup(), state.actions)
    actions = enumerate(state.actions)
    record["meta"]["faults"] = [
        [who, "strikes", at] for at, (who, what) in actions if what == FORFEIT
    ]
    return record


def as_told(case: Case, zones: tuple[Zone, ...]) -> list[Lying]:
    """Return zones as a replay has them."""
    told = []
    for zone in zones:
        pieces = []
        for text, back, by in zone.pieces:
            face = games.symbol(case.game, text) if zone.is_cards and text else Symbol(text, text)
            pieces.append((tuple(face), back, by))
        told.append(Lying(zone._replace(pieces=()), pieces))
    return told


@USUAL
def test_each_pair_of_eyes_sees_at_each_step_what_a_walk_sees(case: Case, seed: int) -> None:
    record = played(case, seed, forfeits=0.002)
    replay = encode_replay(record, "id", None)
    for eye in range(case.seats + 1):
        walk = Walk(record, None if eye == OF_ALL else eye - 1)
        for step, (seen, said) in enumerate(
            zip(lying(replay, eye), heard(replay, eye), strict=True)
        ):
            if step:
                walk.advance()
            key = [(each.zone.name, each.zone.seat) for each in as_told(case, walk.zones())]
            order = [key.index((each.zone.name, each.zone.seat)) for each in seen]
            assert sorted(order) == [*range(len(key))]
            assert [seen[order.index(n)] for n in range(len(key))] == as_told(case, walk.zones())
            assert said == walk.phrases
            told = {words for eyes, words in replay["said"][step] if eyes & 1 << eye}
            assert {replay["words"][words] for words in told} == ({walk.last} if said else set())


@USUAL
def test_replays_of_games_that_a_seat_cannot_tell_apart_are_alike_to_its_eyes(
    case: Case, seed: int
) -> None:
    """The rules say which those are, by what happened (`resample`), and not by a view."""
    rng = Random(seed)
    state, turns = case.state(rng), rng.randrange(5, 25)
    for number, _decision in enumerate(steps(state, case.seats, rng)):
        if number == turns:
            break
    setup = case.game.parse_setup(case.options, case.seats, state.setup())
    for seat in range(case.seats):
        twin = games.resample(case.game, case.options, case.seats, setup, state.actions, seat, rng)
        if twin is None:
            pytest.skip("the game does not say")
        other = case.game.State(case.options, case.seats, twin[0])
        one, two = (
            encode_replay(record_of(case, each.setup(), actions), "id", None)
            for each, actions in ((state, state.actions), (other, twin[1]))
        )
        assert lying(one, seat + 1) == lying(two, seat + 1)
        assert heard(one, seat + 1) == heard(two, seat + 1)


SETUP = {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0}


def test_faults_are_marked_where_they_were_made_and_what_is_over_where_it_ended() -> None:
    actions = [[0, "pass"], [1, "take"], [1, "forfeit"], [1, "pass"]]
    record = record_of(case_of("no_thanks", 3), SETUP, actions)
    record["meta"]["faults"] = [[1, "error", 2]]
    replay = encode_replay(record, "id", None)
    assert replay["marks"] == [[2, "round", None, ""], [2, "fault", 1, "raised an exception"]]
    assert replay["round"] == "card taken"
    assert replay["turns"] == [0, 1, 1, 1, 2]
    assert replay["result"] is None


def test_of_a_game_without_an_end_the_beginning_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_encoder, "MOST_STEPS", 10)
    record = played(case_of("sixteen", 2), 1)
    replay = encode_replay(record, "id", None)
    assert (len(replay["steps"]), replay["result"]) == (11, None)
    assert replay["actions"] == len(record["actions"]) > 10


def test_the_script_is_ascii_and_hostile_text_is_text_in_it() -> None:
    record = played(case_of("no_thanks", 3), 1)
    record["meta"]["bots"][0] = "</script>\x1b\N{LINE SEPARATOR}"
    prints = {3: [("b", "<img src=x onerror=alert(1)>\u202e")] * 30 + [("b", "x" * 5000)]}
    text = encode_script(record, '");alert(1);("', prints)
    assert text.isascii()
    assert "<" not in text
    name, _, body = text.removeprefix("arenaGame(").removesuffix(");\n").partition(", {\n")
    assert json.loads(name) == '");alert(1);("'
    replay = json.loads("{" + body)
    assert replay["bots"][0] == r"</script>\x1b\u2028"
    assert replay["prints"][0] == [3, "b", r"<img src=x onerror=alert(1)>\u202e"]
    assert replay["prints"][-1] == [3, "", "... and 11 more lines"]
    assert max(len(line) for _, _, line in replay["prints"]) <= 400


def test_a_record_that_does_not_hold_is_refused() -> None:
    record = played(case_of("sixteen", 2), 1)
    record["actions"][3] = [0, "nonsense"]
    with pytest.raises(Divergence):
        encode_script(record, "id", None)


@USUAL
def test_each_question_can_be_copied_as_the_test_that_replay_prints(case: Case, seed: int) -> None:
    rng, record = Random(seed), played(case, seed)
    record["actions"] = record["actions"][:40]
    replay = encode_replay(record, "id", None)
    asked = replay["asked"]
    assert asked
    for index in rng.sample(range(len(asked)), min(4, len(asked))):
        step, seat, legal, answer, _ = asked[index]
        phase = arguments_at(replay, index)["phase"].strip('"')
        shown = find_question_at(record, step, seat, phase)
        assert arguments_at(replay, index) == view_arguments(shown.view)
        assert tuple(replay["decisions"][each] for each in legal) == shown.view.legal
        assert replay["decisions"][answer] == shown.decision


def test_what_a_bot_failed_at_is_its_author_s_where_prints_are() -> None:
    actions = [[0, "pass"], [1, "forfeit"], [1, "pass"], [2, "take"]]
    record = record_of(case_of("no_thanks", 3), SETUP, actions)
    record["meta"]["faults"] = [[1, "error", 1]]
    ways: tuple[Prints | None, ...] = (None, {})
    public, own = (encode_replay(record, "id", prints)["asked"] for prints in ways)
    failed = ([one for one in asked if one[3] is None] for asked in (public, own))
    assert [[len(one) for one in ones] for ones in failed] == [[4], [5]]  # the last is the test
    assert [len(one) for one in public] == [5, 4, 5]
