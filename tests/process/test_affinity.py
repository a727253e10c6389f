"""Where a group of processes runs: a real one, with this process in it; and when it moves, by
made-up stretches of time.
"""

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
NO_CORE = 4000  # more than there are, fewer than the kernel's masks hold

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


class Told(Watch):
    """Says what it was told to."""

    def __init__(self, *moves: Move) -> None:
        super().__init__()
        self.moves, self.spans = list(moves), list[Span]()

    def look(self, span: Span) -> Move:
        """Return the next of the moves."""
        self.spans.append(span)
        return self.moves.pop(0)


def told(monkeypatch: pytest.MonkeyPatch, *moves: Move) -> tuple[Group, Told]:
    """Return a group that begins on its first core and is told to move so, at every call."""
    watch = Told(*moves)
    monkeypatch.setattr(affinity, "Watch", lambda: watch)
    monkeypatch.setattr(affinity, "LOOK_S", 0.0)
    monkeypatch.setattr(affinity, "EACH_S", 0.0)
    return Group(0), watch


def machine(folder: Path, threads: dict[int, str], name: str) -> Path:
    """Write what the kernel says of its cores, and return the folder."""
    for number, listed in threads.items():
        (folder / f"cpu{number}" / "topology").mkdir(parents=True)
        (folder / f"cpu{number}" / "topology" / name).write_text(f"{listed}\n")
    return folder


PAIRS = {0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}


@pytest.mark.parametrize(
    ("threads", "may", "order"),
    [
        ({0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}, {0, 1, 2, 3}, [0, 1, 2, 3]),
        (PAIRS, {0, 1, 2, 3}, [0, 2, 1, 3]),
        (PAIRS, {1, 2, 3}, [1, 2, 3]),  # the first that may be used stands for its core
        ({0: "0-3", 1: "0-3", 2: "0-3", 3: "0-3", 4: "4"}, {0, 1, 2, 3, 4}, [0, 4, 1, 2, 3]),
        ({5: "5", 3: "3", 10: "10"}, {3, 5, 10}, [3, 5, 10]),
        ({}, {1, 2, 3}, [1, 2, 3]),  # nothing is said
    ],
)
@pytest.mark.parametrize("name", ["core_cpus_list", "thread_siblings_list"])
def test_second_threads_of_cores_come_last(
    tmp_path: Path, threads: dict[int, str], may: set[int], order: list[int], name: str
) -> None:
    assert order_cores(may, machine(tmp_path, threads, name)) == order


@several
def test_each_group_begins_on_a_core_of_its_own_and_all_over_again() -> None:
    begun = []
    for place in range(len(ALLOWED) + 1):
        Group(place)
        begun.append(os.sched_getaffinity(0))
        os.sched_setaffinity(0, ALLOWED)
    assert begun == [{core} for core in order_cores(ALLOWED)] + begun[:1]


@several
def test_without_a_place_or_what_the_kernel_says_it_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(pid: int) -> set[int]:
        raise PermissionError

    Group(None).look(dict)
    with monkeypatch.context() as changed:
        changed.setattr(affinity, "COUNTS_WAITS", False)
        Group(0).look(dict)
    assert os.sched_getaffinity(0) == ALLOWED
    monkeypatch.setattr(os, "sched_getaffinity", refused)
    Group(0).look(lambda: pytest.fail("it looks"))


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
def test_who_has_ended_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as gone:
        schedstat = os.open(f"/proc/{gone.pid}/schedstat", os.O_RDONLY)
    group, watch = told(monkeypatch, Move.STAY, Move.LET_GO)
    for _ in range(3):
        group.look(lambda: {gone.pid: schedstat})
    os.close(schedstat)
    assert os.sched_getaffinity(0) == ALLOWED
    assert not watch.moves


@several
def test_what_a_group_used_is_counted_from_look_to_look(
    monkeypatch: pytest.MonkeyPatch, other: dict[int, int]
) -> None:
    group, watch = told(monkeypatch, Move.STAY, Move.STAY)
    own, its = [(1.0, 1.0), (1.5, 1.25), (2.0, 1.25)], [(5.0, 5.0), (5.25, 5.5)]
    monkeypatch.setattr(
        affinity,
        "used_and_waited_s",
        lambda schedstat: (its if schedstat in other.values() else own).pop(0),
    )
    clock = SimpleNamespace(monotonic=iter([10.0, 11.0, 12.5]).__next__)
    monkeypatch.setattr(affinity, "time", clock)
    group.look(dict)
    group.look(lambda: other)  # it began in between
    group.look(lambda: other)
    assert watch.spans == [Span(1.0, 5.5, 5.25), Span(1.5, 0.75, 0.5)]


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


@several
def test_a_core_that_is_gone_lets_all_go_for_good(
    monkeypatch: pytest.MonkeyPatch, other: dict[int, int]
) -> None:
    group, _ = told(monkeypatch, Move.LET_GO, Move.PIN_HERE)
    for _ in range(2):
        group.look(lambda: other)
    monkeypatch.setattr(affinity, "state_and_core", lambda stat: (b"R", NO_CORE))
    for _ in range(2):
        group.look(lambda: other)
    assert os.sched_getaffinity(0) == os.sched_getaffinity(min(other)) == ALLOWED


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


def always(share: float) -> Share:
    return lambda now_s: share


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
