"""When a group leaves its core: by made-up stretches of time, no clock and no process."""

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from arena.system.contention import Move, Span, Watch

LOOK_S = 0.25


def waiting(share: float) -> Span:
    """Return a look's stretch of which a group waits this share, and computes the rest."""
    return Span(LOOK_S, (1 - share) * LOOK_S, share * LOOK_S)


def moves(pinned: Callable[[float], float], free: Callable[[float], float]) -> Iterator[Move]:
    """Yield what is done at each look, for ever, where a group waits these shares of the time
    (by the time in s since all began) while it is pinned, and while it is free.
    """
    watch, is_pinned, now_s = Watch(), True, 0.0
    while True:
        now_s += LOOK_S
        move = watch.look(waiting((pinned if is_pinned else free)(now_s)))
        if move != Move.STAY:
            is_pinned = move != Move.LET_GO
        yield move


def always(share: float) -> Callable[[float], float]:
    return lambda now_s: share


def played(
    pinned: Callable[[float], float], free: Callable[[float], float], looks: int
) -> list[Move]:
    return list(islice(moves(pinned, free), looks))


def free_looks(done: list[Move]) -> int:
    """Return at how many looks the group was free before what is done then."""
    free, count = False, 0
    for move in done:
        count += free
        free = move == Move.LET_GO or (free and move == Move.STAY)
    return count


@pytest.mark.parametrize(
    ("span", "share"),
    [
        (Span(1.0, 1.0, 0.0), 0.0),  # alone and at work
        (Span(1.0, 1.0, 0.45), 0.0),  # they wait for each other, as two that take turns do
        (Span(1.0, 0.1, 0.0), 0.0),  # asleep
        (Span(1.0, 0.1, 0.05), 0.05),  # asleep, and waiting when it wakes
        (Span(1.0, 0.4, 0.9), 0.6),  # for each other and for somebody else
        (Span(1.0, 1.01, 0.5), 0.0),  # the kernel counts CPU time by the tick
        (Span(), 0.0),
    ],
)
def test_a_group_waits_when_none_of_it_has_the_core_that_one_wants(
    span: Span, share: float
) -> None:
    assert span.share == pytest.approx(share)


def test_who_waits_little_stays() -> None:
    assert set(played(always(0.2), always(0.0), 1000)) == {Move.STAY}


def test_who_has_to_wait_is_let_go_and_pinned_where_it_came_to() -> None:
    done = played(lambda now_s: 0.5 if now_s < 2 * LOOK_S else 0.0, always(0.0), 1000)
    assert done[:2] == [Move.LET_GO, Move.PIN_HERE]
    assert set(done[2:]) == {Move.STAY}


def test_where_every_core_is_worse_than_none_it_is_free_nearly_all_the_time() -> None:
    """Such as beside others that are pinned to each core: 8 s free to one look pinned."""
    done = played(always(0.7), always(0.3), 4000)
    assert Move.PIN_BACK not in done
    assert free_looks(done) > 0.95 * len(done)


@pytest.mark.parametrize(("pinned", "free"), [(0.44, 0.63), (0.63, 0.63), (0.5, 0.45)])
def test_on_a_machine_that_is_full_everywhere_it_keeps_its_core(pinned: float, free: float) -> None:
    """By the shares that were measured beside two busy loops a core, free to move and not, and of
    two groups to a core.
    """
    done = played(always(pinned), always(free), 4000)
    assert Move.PIN_HERE not in done
    assert free_looks(done) < 0.13 * len(done)  # an eighth


def test_a_machine_that_is_no_longer_full_is_noticed() -> None:
    """Within the 8 s that it stays at most, and the second that it then tries others."""
    emptied_s = 100.0
    done = played(always(0.5), lambda now_s: 0.5 if now_s < emptied_s else 0.0, 1000)
    assert 0 < (done.index(Move.PIN_HERE) + 1) * LOOK_S - emptied_s < 8 + 1 + 3 * LOOK_S


def test_a_good_place_makes_it_quick_to_move_again() -> None:
    """Trouble until 60 s, then none until 120 s: the first move after that is as the first ever."""

    def pinned(now_s: float) -> float:
        return 0.0 if 60 <= now_s < 120 else 0.6

    done = played(pinned, always(0.0), 1000)
    again = done.index(Move.LET_GO, int(120 / LOOK_S) - 1)
    assert done[again + 1] == Move.PIN_HERE
    long = done.index(Move.LET_GO, int(40 / LOOK_S))
    assert done[long + 1] == Move.STAY  # while it was in trouble it stayed free for longer
