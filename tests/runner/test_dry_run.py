"""What a dry run makes of its samples and of plans, by hand; the rest: whole/test_tournament."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from arena.model import Anchor, Aside, Bot, Entry, Limits, Pool, StoredPlan
from arena.plan.plan import Plan
from arena.runner import dry_run
from arena.runner.dry_run import _Measured, _play_sample, _work_left, find_changes, makespan
from arena.runner.executor import Finished
from arena.runner.local_executor import LocalExecutor
from arena.runner.run import Stage
from arena.runner.samples import Cost, Sample, Sampler
from arena.sandbox.walls import WALLS
from arena.schedule.order import Schedule, make_identity
from arena.session.session import Job
from arena.system.signals import Stopped

PLAN = Plan("cup", Path("cup"), None, 2, Limits(), WALLS, (), {})
TWO, THREE = Pool("sixteen", 2, "{}", ""), Pool("no_thanks", 3, "{}", "")


def schedule(pool: Pool, bots: int, deals: int, drawn: int = 0, shared: bool = False) -> Schedule:
    field = tuple(Bot(f"b{number:04}", "") for number in range(bots))
    entry = Entry(pool, field, deals, "auto", shared)
    if drawn:
        every = list(combinations(range(bots), 2))
        entry = entry._replace(line_ups=tuple(sorted(Random(1).sample(every, drawn))))
    return Schedule(entry, make_identity(entry, Limits(), "none"))


@pytest.mark.parametrize(
    ("pool", "bots", "deals", "drawn", "shared"),
    [
        (TWO, 8, 500, 0, True),
        (THREE, 12, 60, 0, False),
        (TWO, 200, 2, 0, False),
        (THREE, 50, 1, 0, False),
        (TWO, 100, 20, 300, False),
    ],
    ids=["few bots, shared decks", "few bots", "two of many", "three of many", "drawn"],
)
def test_of_games_that_are_not_cut_it_says_what_cutting_them_would(
    pool: Pool, bots: int, deals: int, drawn: int, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = schedule(pool, bots, deals, drawn, shared)
    stage = Stage({pool: own}, {pool: range(len(own))})
    samples = [Sample(games, 0.5 + 0.01 * games) for games in (64, 128)]
    measured = {pool: _Measured(Cost(samples), 300.0, 192)}
    cut = _work_left(PLAN, stage, measured)
    monkeypatch.setattr(dry_run, "MOST_CUT", len(own) // 3)
    said = _work_left(PLAN, stage, measured)
    assert said[0][pool] == pytest.approx(cut[0][pool], rel=0.25)
    assert said[1][pool] == pytest.approx(cut[1][pool], rel=0.1)
    assert said[2] == pytest.approx(cut[2], rel=0.2)


def test_a_pool_that_lacks_nothing_takes_nothing() -> None:
    own = schedule(TWO, 4, 2)
    assert _work_left(PLAN, Stage({TWO: own}, {TWO: []}), {}) == ({TWO: 0}, {TWO: 0.0}, 0.0)


def test_play_ends_with_the_last_session_not_with_the_mean() -> None:
    assert makespan([10.0, 1.0, 1.0, 1.0], 2) == 10.0
    assert makespan([4.0, 3.0, 2.0, 2.0], 2) == 6.0  # 4 + 2 and 3 + 2
    assert makespan([], 3) == 0.0


def test_once_it_is_stopped_no_further_sample_is_chosen() -> None:
    """A sample of no seconds made any larger one affordable, up to all games of a pool."""
    own = schedule(TWO, 4, 2)
    crew = LocalExecutor(PLAN, 2)
    crew.stop()
    job = Job(TWO, Limits(), False, (), bytes(16), {})
    with pytest.raises(Stopped):
        _play_sample(crew, Sampler(own, range(len(own)), 2), job, [], 4)


def test_what_a_sample_took_is_the_mean_of_its_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where decks are shared, a worker's games are several sessions: each starts its bots."""
    own, now_s = schedule(TWO, 4, 4, shared=True), [0.0]

    class Crew:
        """One that takes a second for each session."""

        size, stopping = 1, False

        def play(self, jobs: Sequence[Job]) -> Iterator[Finished]:
            for job in jobs:
                now_s[0] += 1
                yield Finished(job, (), [])

    monkeypatch.setattr("time.monotonic", lambda: now_s[0])
    job = Job(TWO, Limits(), True, (), bytes(16), {})
    took = _play_sample(Crew(), Sampler(own, range(len(own)), 1), job, [], 48)  # type: ignore
    assert took == Sample(48 / 2, 2.0 / 2)


POOL = Pool("sixteen", 2, "{}", "")
ANN, BOB, CID, DEE = (Bot(name, name * 8) for name in ("ann", "bob", "cid", "dee"))


def plan(*bots: Bot, drawn: tuple[tuple[int, ...], ...] | None, deals: int = 2) -> StoredPlan:
    """A plan of one pool, whose line-ups are places in the list of bots."""
    entry = Entry(POOL, bots, deals, "auto", True, line_ups=drawn)
    return StoredPlan("cup", False, WALLS, Limits(), (entry,))


def test_the_same_line_ups_of_a_changed_bot_are_no_change_of_line_ups() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    changed = plan(ANN, BOB._replace(hash="other"), CID, drawn=((0, 1), (0, 2)))
    (line,) = find_changes(before, changed)
    assert line.startswith("changed bots: bob;")


def test_the_same_line_ups_under_other_numbers_are_no_change() -> None:
    """As where a bot comes in before others, and no line-up has it yet."""
    before = plan(BOB, CID, DEE, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, DEE, drawn=((1, 2), (1, 3)))
    assert not [line for line in find_changes(before, after) if "line-ups" in line]


def test_as_many_line_ups_that_are_others_are_counted() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, drawn=((0, 1), (1, 2)))
    assert find_changes(before, after) == ["Sixteen 2p: 1 of 2 line-ups redrawn"]


def test_more_line_ups_are_told_by_their_numbers() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    assert find_changes(before, plan(ANN, BOB, CID, drawn=None)) == ["Sixteen 2p: line-ups 2 -> 3"]


def test_who_is_out_shown_and_when_it_closes_is_said_and_plays_nothing_again() -> None:
    before = plan(ANN, BOB, CID, drawn=None)
    after = before._replace(
        aside=(Aside("ann", "guest"), Aside("bob", "out", "plays twice", "2026-12-01")),
        authors=("ann", "cid"), closes=datetime.fromisoformat("2026-12-01T18:00:00+01:00"),
    )  # fmt: skip
    assert find_changes(before, after) == [
        "not ranked: none -> ann, bob; no game is replayed for it",
        "authors shown: none -> ann, cid; no game is replayed for it",
        "closes: none -> 2026-12-01 18:00:00+01:00; no game is replayed for it",
    ]
    assert find_changes(after, before) == [
        "not ranked: ann, bob -> none; no game is replayed for it",
        "authors shown: ann, cid -> none; no game is replayed for it",
        "closes: 2026-12-01 18:00:00+01:00 -> none; no game is replayed for it",
    ]
    same = after._replace(closes=datetime.fromisoformat("2026-12-01T17:00:00Z"), at=None)
    assert find_changes(after, same) == []


def test_an_anchor_is_told_of_with_the_pools_it_is_set_in() -> None:
    before = plan(ANN, BOB, CID, drawn=None)
    after = before._replace(anchors=(Anchor(POOL, "bob", 20.5),))
    assert find_changes(before, after) == [
        "anchor none -> bob at 20.5 (Sixteen 2p); no game is replayed for it"
    ]
    assert find_changes(after, before) == [
        "anchor bob at 20.5 -> none (Sixteen 2p); no game is replayed for it"
    ]
    assert find_changes(after, after) == []
