"""arena.site.replay_encoder: what the viewer is given is what the rules say each seat may know."""

import json
from random import Random
from typing import Any

import pytest

import games
from arena.records.judge import Divergence
from arena.records.walk import Walk
from arena.site import replay_encoder
from arena.site.replay_encoder import film_of, game_js
from games import FORFEIT, Face, Zone
from tests.games.cases import Case, cases
from tests.games.playing import play, steps
from tests.records.test_walk import USUAL, record_of
from tests.site.replays import Lying, heard, lying

OF_ALL = 0  # the eyes that see all hands; those of seat n have the number n + 1


def case_of(name: str, seats: int) -> Case:
    return next(c for c in cases() if (c.name, c.seats) == (name, seats) and not c.given)


def played(case: Case, seed: int, forfeits: float = 0.0) -> dict[str, Any]:
    """Return a record of random play; seats forfeit unasked, as by a strike."""
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng, forfeits)
    record = record_of(case, state.setup(), state.actions)
    actions = enumerate(state.actions)
    record["meta"]["faults"] = [
        [who, "strikes", at] for at, (who, what) in actions if what == FORFEIT
    ]
    return record


def as_told(case: Case, zones: tuple[Zone, ...]) -> list[Lying]:
    """Return zones as a film has them."""
    told = []
    for zone in zones:
        pieces = []
        for text, back, by in zone.pieces:
            face = games.face(case.game, text) if zone.cards and text else Face(text, text)
            pieces.append((tuple(face), back, by))
        told.append(Lying(zone._replace(pieces=()), pieces))
    return told


@USUAL
def test_each_pair_of_eyes_sees_at_each_step_what_a_walk_sees(case: Case, seed: int) -> None:
    record = played(case, seed, forfeits=0.002)
    film = json.loads(json.dumps(film_of(record, "id", None, False)))
    for eye in range(case.seats + 1):
        walk = Walk(record, None if eye == OF_ALL else eye - 1)
        for step, (seen, said) in enumerate(zip(lying(film, eye), heard(film, eye), strict=True)):
            walk.go(step)
            key = [(each.zone.name, each.zone.seat) for each in as_told(case, walk.zones())]
            order = [key.index((each.zone.name, each.zone.seat)) for each in seen]
            assert sorted(order) == [*range(len(key))]
            assert [seen[order.index(n)] for n in range(len(key))] == as_told(case, walk.zones())
            assert said == walk.heard


@USUAL
def test_films_of_games_that_a_seat_cannot_tell_apart_are_alike_to_its_eyes(
    case: Case, seed: int
) -> None:
    """The rules say which those are, by what happened (`redealt`), and not by a view."""
    rng = Random(seed)
    state, turns = case.state(rng), rng.randrange(5, 25)
    for number, _decision in enumerate(steps(state, case.seats, rng)):
        if number == turns:
            break
    setup = case.game.setup_from(case.options, case.seats, state.setup())
    for seat in range(case.seats):
        twin = games.redealt(case.game, case.options, case.seats, setup, state.actions, seat, rng)
        if twin is None:
            pytest.skip("the game does not say")
        other = case.game.State(case.options, case.seats, twin[0])
        one, two = (
            film_of(record_of(case, each.setup(), actions), "id", None, False)
            for each, actions in ((state, state.actions), (other, twin[1]))
        )
        assert lying(one, seat + 1) == lying(two, seat + 1)
        assert heard(one, seat + 1) == heard(two, seat + 1)


def test_faults_are_marked_where_they_were_made_and_what_is_over_where_it_ended() -> None:
    record = record_of(
        case_of("no_thanks", 3),
        {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0},
        [[0, "pass"], [1, "take"], [1, "forfeit"], [1, "pass"]],
    )
    record["meta"]["faults"] = [[1, "error", 2]]
    film = film_of(record, "id", None, False)
    assert film["marks"] == [[2, "round", None, ""], [2, "fault", 1, "error"]]
    assert film["round"] == "card taken"
    assert film["turns"] == [0, 1, 1, 1, 2]
    assert film["result"] is None


def test_a_reshuffle_is_marked(seed: int) -> None:
    case, marks = case_of("diciassette", 6), []
    for number in range(400):
        film = film_of(played(case, seed + number), "id", None, False)
        marks += [mark for mark in film["marks"] if mark[1] == "table"]
        if marks:
            break
    assert marks
    assert {words for _, _, _, words in marks} <= {
        "the discard pile is the new draw pile", "nobody can play: the round is void",
    }  # fmt: skip


@USUAL
def test_a_game_is_small(case: Case, seed: int) -> None:
    """300 of them with all their tests are to be a fifth of a site of 100 MB; 17 can go on long."""
    record = played(case, seed)
    record["actions"] = record["actions"][:80]
    assert len(game_js(record, "id", None, True)) < 67_000
    assert len(game_js(record, "id", None, False)) < 40_000


def test_of_a_game_without_an_end_the_beginning_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_encoder, "MOST_STEPS", 10)
    record = played(case_of("sixteen", 2), 1)
    film = film_of(record, "id", None, False)
    assert len(film["steps"]) == 11
    assert film["actions"] == len(record["actions"]) > 10
    assert film["result"] is None


def test_the_script_is_ascii_and_hostile_text_is_text_in_it() -> None:
    record = played(case_of("no_thanks", 3), 1)
    record["meta"]["bots"][0] = "</script>\x1b\N{LINE SEPARATOR}"
    prints = {3: [("b", "<img src=x onerror=alert(1)>\u202e")] * 30 + [("b", "x" * 5000)]}
    text = game_js(record, '");alert(1);("', prints, True)
    assert text.isascii()
    assert "<" not in text
    name, _, body = text.removeprefix("arenaGame(").removesuffix(");\n").partition(", {\n")
    assert json.loads(name) == '");alert(1);("'
    film = json.loads("{" + body)
    assert film["bots"][0] == r"</script>\x1b\u2028"
    assert film["prints"][0] == [3, "b", r"<img src=x onerror=alert(1)>\u202e"]
    assert film["prints"][-1] == [3, "", "... and 11 more lines"]
    assert max(len(line) for _, _, line in film["prints"]) <= 400


def test_a_record_that_does_not_hold_is_refused() -> None:
    record = played(case_of("sixteen", 2), 1)
    record["actions"][3] = [0, "nonsense"]
    with pytest.raises(Divergence):
        game_js(record, "id", None, False)
