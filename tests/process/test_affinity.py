"""Where a group of processes runs, this process in it; and when it moves, by made-up times."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.process import affinity, clock
from arena.process.affinity import Group, Move, Span, Watch, order_cores

ALLOWED = os.sched_getaffinity(0)

several = pytest.mark.skipif(len(ALLOWED) < 2, reason="there is one core, and nowhere to go")


@pytest.fixture(autouse=True)
def _back() -> Iterator[None]:
    yield
    os.sched_setaffinity(0, ALLOWED)


@pytest.fixture
def other() -> Iterator[dict[int, int]]:
    """A process that does nothing until it is killed, with its schedstat."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        with open(f"/proc/{process.pid}/schedstat") as schedstat:
            yield {process.pid: schedstat.fileno()}
        process.kill()


def told(monkeypatch: pytest.MonkeyPatch, *moves: Move) -> tuple[Group, list[Move]]:
    """Return a group that begins on its first core and is told to move so, at every call."""
    left = [*moves]
    watch = SimpleNamespace(look=lambda span: left.pop(0))
    for name, value in (("Watch", lambda: watch), ("LOOK_S", 0.0), ("EACH_S", 0.0)):
        monkeypatch.setattr(affinity, name, value)
    return Group(0), left


@pytest.mark.parametrize(
    ("threads", "may", "order"),
    [
        ({0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}, {0, 1, 2, 3}, [0, 1, 2, 3]),
        ({0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}, {0, 1, 2, 3}, [0, 2, 1, 3]),
        # The first that may be used stands for its core.
        ({0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}, {1, 2, 3}, [1, 2, 3]),
        ({0: "0-3", 1: "0-3", 2: "0-3", 3: "0-3", 4: "4"}, {0, 1, 2, 3, 4}, [0, 4, 1, 2, 3]),
        ({5: "5", 3: "3", 10: "10"}, {3, 5, 10}, [3, 5, 10]),
        ({}, {1, 2, 3}, [1, 2, 3]),  # nothing is said
    ],
)
@pytest.mark.parametrize("name", ["core_cpus_list", "thread_siblings_list"])
def test_second_threads_of_cores_come_last(
    tmp_path: Path, threads: dict[int, str], may: set[int], order: list[int], name: str
) -> None:
    for number, listed in threads.items():
        (tmp_path / f"cpu{number}" / "topology").mkdir(parents=True)
        (tmp_path / f"cpu{number}" / "topology" / name).write_text(f"{listed}\n")
    assert order_cores(may, tmp_path) == order


@several
def test_without_a_place_or_counted_waits_it_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    Group(None).look(dict)
    monkeypatch.setattr(affinity, "COUNTS_WAITS", False)
    Group(0).look(dict)
    assert os.sched_getaffinity(0) == ALLOWED


@several
def test_all_move_together(monkeypatch: pytest.MonkeyPatch, other: dict[int, int]) -> None:
    group, _ = told(monkeypatch, Move.STAY, Move.LET_GO, Move.PIN_HERE, Move.LET_GO, Move.PIN_BACK)
    home = {order_cores(ALLOWED)[0]}
    away = ALLOWED - home
    os.sched_setaffinity(min(other), home)
    where = []
    for _ in range(6):  # the first sees where they begin
        group.look(lambda: other)
        assert os.sched_getaffinity(min(other)) == os.sched_getaffinity(0)
        where.append(os.sched_getaffinity(0))
        if where[-1] == ALLOWED:
            os.sched_setaffinity(0, away)  # so the kernel puts us elsewhere, and leaves us there
            os.sched_setaffinity(0, ALLOWED)
    assert where[:3] == [home, home, ALLOWED]
    there = where[3]
    assert len(there) == 1
    assert where[4:] == [ALLOWED, there]


@several
def test_who_has_ended_and_a_core_that_is_gone_hold_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as gone:
        schedstat = os.open(f"/proc/{gone.pid}/schedstat", os.O_RDONLY)
    group, moves = told(monkeypatch, Move.LET_GO, Move.PIN_HERE)
    monkeypatch.setattr(affinity, "state_and_core", lambda stat: (b"R", 4000))
    for _ in range(3):
        group.look(lambda: {gone.pid: schedstat})
    os.close(schedstat)
    assert os.sched_getaffinity(0) == ALLOWED
    assert not moves


def test_what_a_group_used_is_counted_from_look_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    used = iter([(1.0, 1.0), (1.5, 1.25)])
    group, _ = told(monkeypatch)
    group._own = 0
    monkeypatch.setattr(affinity, "used_and_waited_s", lambda schedstat: next(used))
    group._span(10.0, {})
    assert group._span(11.0, {}) == Span(1.0, 0.5, 0.25)


@several
def test_whoever_else_has_them_moved_has_the_last_word(
    monkeypatch: pytest.MonkeyPatch, other: dict[int, int]
) -> None:
    group, _ = told(monkeypatch)
    by_hand = {max(ALLOWED)}
    os.sched_setaffinity(0, by_hand)
    group.look(lambda: other)
    assert os.sched_getaffinity(min(other)) == by_hand
    group.look(lambda: other)  # it is not asked: it would have nothing to say
    assert os.sched_getaffinity(0) == by_hand


def test_the_core_it_runs_on_is_told() -> None:
    for core in ALLOWED:
        os.sched_setaffinity(0, {core})
        with open("/proc/self/stat") as stat:
            assert clock.state_and_core(stat.fileno()) == (b"R", core)


LOOK_S = 0.25
Share = Callable[[float], float]  # by the time in s since all began


def played(pinned: Share, free: Share, looks: int) -> list[Move]:
    """Return what is done at each look, where a group waits these shares of the time while it is
    pinned, and while it is free; the rest it computes.
    """
    watch, is_pinned, done = Watch(), True, list[Move]()
    for look in range(1, looks + 1):
        share = (pinned if is_pinned else free)(look * LOOK_S)
        done.append(watch.look(Span(LOOK_S, (1 - share) * LOOK_S, share * LOOK_S)))
        if done[-1] != Move.STAY:
            is_pinned = done[-1] != Move.LET_GO
    return done


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


@pytest.mark.parametrize(
    ("pinned", "free", "never", "least", "most"),
    [
        (0.2, 0.0, Move.LET_GO, 0.0, 0.0),  # who waits little stays
        (0.7, 0.3, Move.PIN_BACK, 0.95, 1.0),  # such as where others are pinned to each core
        # Full everywhere: measured beside two busy loops a core, free and not; two groups to a core
        (0.44, 0.63, Move.PIN_HERE, 0.0, 0.13),  # an eighth
        (0.63, 0.63, Move.PIN_HERE, 0.0, 0.13),
        (0.5, 0.45, Move.PIN_HERE, 0.0, 0.13),
    ],
)
def test_it_is_free_as_long_as_that_serves_it(
    pinned: float, free: float, never: Move, least: float, most: float
) -> None:
    done = played(lambda _: pinned, lambda _: free, 4000)
    is_free, count = False, 0
    for move in done:
        count += is_free
        is_free = move == Move.LET_GO or (is_free and move == Move.STAY)
    assert never not in done
    assert least <= count / len(done) <= most


def test_who_has_to_wait_is_let_go_and_pinned_where_it_came_to() -> None:
    done = played(lambda now_s: 0.5 if now_s < 2 * LOOK_S else 0.0, lambda _: 0.0, 1000)
    assert done[:2] == [Move.LET_GO, Move.PIN_HERE]
    assert set(done[2:]) == {Move.STAY}


def test_a_good_place_makes_it_quick_to_move_again() -> None:
    """Trouble until 60 s, then none until 120 s."""
    done = played(lambda now_s: 0.0 if 60 <= now_s < 120 else 0.6, lambda _: 0.0, 1000)
    again = done.index(Move.LET_GO, int(120 / LOOK_S) - 1)
    assert done[again + 1] == Move.PIN_HERE


def test_a_machine_that_is_no_longer_full_is_noticed() -> None:
    """Within the 8 s that it stays at most, and the second that it then tries others."""
    done = played(lambda _: 0.5, lambda now_s: 0.5 if now_s < 100 else 0.0, 1000)
    assert 0 < (done.index(Move.PIN_HERE) + 1) * LOOK_S - 100 < 8 + 1 + 3 * LOOK_S
