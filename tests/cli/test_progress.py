"""How far play has come: the time left, who is ahead, and what is said on the way."""

import io
from collections.abc import Iterable

import pytest

from arena.cli.progress import Count, Lines, Live
from arena.model import Bot, Outcome
from arena.store.chunk import Chunk


def playing(*finished: tuple[float, int], total: int = 1000) -> Count:
    """Return the count of play that began at 100 s, with games finished at such seconds of it."""
    count = Count()
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


def outcome(*ranks: int) -> Outcome:
    return Outcome("", ("ann", "bob"), ranks, (0, 0), ("", ""))


def test_who_is_ahead_is_told_from_all_games_also_those_of_earlier_runs() -> None:
    stored = Live()
    stored.before([outcome(2, 1)] * 3)
    count = stored._count
    assert count.top() == [("bob", 0.5, 3), ("ann", -0.5, 3)]
    line_up = (Bot("ann", ""), Bot("bob", ""))
    games = Chunk([line_up], ["a"], [0], ["[0, 1]"], [0], ["[1, 2]"], ["[0, 0]"], [0], [], b"")
    count.results(games)
    assert count.top() == [("bob", 0.25, 4), ("ann", -0.25, 4)]
    assert (count.done, count.total) == (0, 0)  # what is told of this run's pace


def test_lines_do_not_read_what_is_stored() -> None:
    def unread() -> Iterable[Outcome]:
        pytest.fail("read")
        yield outcome(1, 2)

    Lines().before(unread())


def test_lines_say_what_there_is_to_do_and_what_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    lines = Lines()
    lines.begin("starting")
    lines.start(600, 2)
    lines._count.add(100, lines._count._began_s + 10.0)
    assert lines.told(lines._count._began_s + 10.0) == "100 of 600 games, 10 games/s, 50 s left"
    lines.start(500, 2)  # a second stage
    assert "of 1,100 games" in lines.told(lines._count._began_s + 10.0)
    lines.stop()
    lines.begin("rating", 2)
    assert lines.told(lines._began_s + 1.0) == "rating: 0 of 2, 1 s so far"
    lines.end()
    first, last = stream.getvalue().splitlines()
    assert first == "playing 600 games with 2 workers"
    assert last.startswith("played 100 games, ")


def test_lines_say_how_far_the_last_look_is_from_either_verdict() -> None:
    lines = Lines()
    lines.what = "playing"
    lines._count.begin(500, 0.0)
    lines._count.add(100, 10.0)
    lines.looked("sixteen 2p", "look 3 of 36: ann and bob 4% of the way")
    lines.looked("no_thanks 3p", "look 1 of 9: ann and cid 2% of the way")
    lines.looked("sixteen 2p", "look 4 of 36: ann and bob 8% of the way")
    assert lines.told(10.0).endswith(
        "40 s left; sixteen 2p, look 4 of 36: ann and bob 8% of the way"
    )
    lines.looked("sixteen 2p", "")  # settled
    assert lines.told(10.0).endswith("; no_thanks 3p, look 1 of 9: ann and cid 2% of the way")


def test_the_live_view_shows_the_pools_that_are_not_settled() -> None:
    from rich.console import Console

    live = Live()
    live.looked("sixteen 2p", "look 4 of 36: ann and bob 8% of the way to told apart")
    live.looked("no_thanks 3p", "")
    console = Console(file=io.StringIO(), width=100)
    console.print(live._draw())
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "sixteen 2p, look 4 of 36: ann and bob 8% of the way to told apart" in shown
    assert "no_thanks" not in shown


def test_both_say_which_bots_are_waited_for() -> None:
    lines = Lines()
    lines.what = "playing"
    lines._count.begin(500, 0.0)
    lines.at(["ann", "bob"])
    assert lines.told(10.0).endswith("? left; waiting for ann, bob")
    live = Live()
    live.at(["ann"])
    assert [part.plain for part in live._draw().renderables[1:3]] == ["waiting for ann", ""]
    live.end()
    assert live.waits() == ""
