"""How far play has come: the time left, and who is ahead."""

from arena.cli.tally import Tally, time_left
from arena.model import Bot
from arena.progress import Alike
from arena.store.chunk import Chunk, alike_in


def playing(*finished: tuple[float, int], total: int = 1000) -> Tally:
    """Return the count of play that began at 100 s, with games finished at such seconds of it."""
    count = Tally()
    count.begin(total, 100.0)
    for second, games in finished:
        count.add(games, 100.0 + second)
    return count


def test_the_time_left_is_told_from_the_pace_of_the_last_ten_seconds() -> None:
    steady = playing(*((second, 10) for second in range(1, 51)))
    assert steady.left(150.0) == "50 s left"
    slower = playing(*((s, 10) for s in range(1, 51)), *((s, 1) for s in range(51, 71)))
    assert slower.left(170.0) == "8 min left"  # 480 games at one a second; 52 s at the mean pace


def test_the_time_left_is_never_none_and_grows_while_nothing_is_finished() -> None:
    count = playing((1.0, 500), (2.0, 495))
    assert count.left(102.0) == "1 s left"
    assert [count.left(102.0 + stalled) for stalled in (5, 15, 100)] == [
        "5 s left", "15 s left", "2 min left",
    ]  # fmt: skip
    assert playing().left(200.0) == "? left"


def test_who_is_ahead_is_told_from_all_games_also_those_of_earlier_runs() -> None:
    tally = Tally()
    tally.results([Alike(("ann", "bob"), (2, 1), 3)])
    assert tally.top() == [("bob", 0.5, 3), ("ann", -0.5, 3)]
    line_up = (Bot("ann", ""), Bot("bob", ""))
    games = Chunk([line_up], ["a"], [0], ["[0, 1]"], [0], ["[1, 2]"], ["[0, 0]"], [0], [], b"")
    tally.results(alike_in(games))
    assert tally.top() == [("bob", 0.25, 4), ("ann", -0.25, 4)]
    assert (tally.done, tally.total) == (0, 0)  # what is told of this run's pace


def test_while_something_is_left_there_is_a_second_left_at_least() -> None:
    assert [time_left(seconds) for seconds in (0.0, 0.2, 1.0, 1.2)] == [
        "1 s left", "1 s left", "1 s left", "2 s left",
    ]  # fmt: skip
