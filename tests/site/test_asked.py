"""arena.site.asked: all that was asked, and the tests that it can be copied as."""

from random import Random

from arena.records.as_test import arguments
from arena.records.question_at import question_at
from arena.site.frames import film_of
from tests.games.cases import Case
from tests.games.playing import play
from tests.records.test_walk import USUAL, record_of
from tests.site.films import arguments_at


@USUAL
def test_each_question_can_be_copied_as_the_test_that_replay_prints(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng)
    record = record_of(case, state.setup(), state.actions[:40])
    film = film_of(record, "id", None, True)
    asked = film["asked"]
    assert asked
    for index in rng.sample(range(len(asked)), min(4, len(asked))):
        step, seat, legal, answer, _ = asked[index]
        phase = arguments_at(film, index)["phase"].strip('"')
        shown = question_at(record, step, seat, phase)
        assert arguments_at(film, index) == arguments(shown.view)
        assert tuple(film["decisions"][each] for each in legal) == shown.view.legal
        assert film["decisions"][answer] == shown.decision


def test_of_a_window_those_who_pass_come_first_and_who_plays_on_last() -> None:
    """Three play 17; after a card both others are asked, and nobody calls."""
    case = Case("diciassette", {}, 3)
    state = case.state(Random(5))
    first = state.turn
    assert first is not None
    for _ in range(4):
        state.apply(state.legal()[0])  # a card, two passes, a card
    record = record_of(case, state.setup(), state.actions)
    asked = [
        (step, seat, film["decisions"][answer])
        for film in [film_of(record, "id", None, False)]
        for step, seat, _, answer, changes in film["asked"]
        if not changes
    ]
    left, right = (first + 1) % 3, (first + 2) % 3
    assert asked[0][:2] == (0, first)
    assert sorted(asked[1:3]) == sorted([(1, left, "pass"), (1, right, "pass")])
    assert asked[3][:2] == (1, left)
    assert asked[3][2] != "pass"
