"""What is done next, and what becomes of it when it is lost."""

import pytest

from arena.errors import ArenaError
from arena.model import Bot, Fixture, Limits, Pool
from arena.runner.executor import Dispatcher
from arena.session.session import Job

LINE_UP = (Bot("ann", "a"), Bot("bob", "b"))
GAMES = [Fixture(id, LINE_UP, (0, 1), 0) for id in ("1f", "2f", "3f")]
JOB = Job(Pool("sixteen", 2, "{}", ""), Limits(), False, GAMES, b"secret", {})


def test_what_was_lost_is_done_first_then_what_was_asked_for_first_and_nothing_cleared() -> None:
    dispatcher = Dispatcher(2)
    for bot in ("ann", "bob", "cid"):
        dispatcher.add((bot,))
    first = dispatcher.next()
    assert first
    dispatcher.lose(first, "its process died")
    found = [order.what for order in iter(dispatcher.next, None)]
    assert found == [("ann",), ("bob",), ("cid",)]
    dispatcher.add(JOB)
    dispatcher.clear()
    assert dispatcher.next() is None


def test_games_that_came_back_are_not_played_again() -> None:
    dispatcher = Dispatcher(3)
    dispatcher.add(JOB)
    for finished, left in (("2f", ["1f", "3f"]), ("1f", ["3f"])):
        order = dispatcher.next()
        assert order
        dispatcher.note(order, [finished])
        dispatcher.lose(order, "")
        (again,) = dispatcher._waiting
        assert isinstance(again.what, Job)
        assert [game.id for game in again.what.fixtures] == left


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (JOB, "Sixteen 2p: a session of 3 games was lost 2 times; .* saved"),
        (("ann",), "ann: workers were lost 2 times while loading"),
        (("ann", "bob", "cid"), "ann and 2 more: workers were lost 2 times while loading"),
    ],
)
def test_what_is_lost_too_often_ends_it_with_the_reason(
    what: Job | tuple[str, ...], said: str
) -> None:
    dispatcher = Dispatcher(2)
    dispatcher.add(what)
    first = dispatcher.next()
    assert first
    dispatcher.lose(first, "it died")
    last = dispatcher.next()
    assert last
    with pytest.raises(ArenaError, match=said) as ended:
        dispatcher.lose(last, "it died\nof age")
    assert ended.value.args[1:] == ("it died", "of age")
