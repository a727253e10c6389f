"""arena.site.asked: all that was asked, and the tests that it can be copied as."""

from random import Random

from arena.records.as_test import arguments
from arena.records.questions import question_at
from arena.site.frames import Prints, film_of
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


def test_what_a_bot_failed_at_is_its_author_s_where_prints_are() -> None:
    case = Case("no_thanks", {}, 3)
    setup = {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0}
    record = record_of(case, setup, [[0, "pass"], [1, "forfeit"], [1, "pass"], [2, "take"]])
    record["meta"]["faults"] = [[1, "error", 1]]
    ways: tuple[Prints | None, ...] = (None, {})
    public, own = (film_of(record, "id", prints, True)["asked"] for prints in ways)
    failed = ([one for one in asked if one[3] is None] for asked in (public, own))
    assert [[len(one) for one in ones] for ones in failed] == [[4], [5]]  # the last is the test
    assert [len(one) for one in public] == [5, 4, 5]


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
        for step, seat, _, answer in film["asked"]
    ]
    left, right = (first + 1) % 3, (first + 2) % 3
    assert asked[0][:2] == (0, first)
    assert sorted(asked[1:3]) == sorted([(1, left, "pass"), (1, right, "pass")])
    assert asked[3][:2] == (1, left)
    assert asked[3][2] != "pass"
