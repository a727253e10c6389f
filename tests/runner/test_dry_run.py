"""What a dry run makes of its samples and of plans, by hand."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, comb
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from trueskill import BETA

from arena.model import LEVEL, WALLS, Bot, Entry, Limits, Pool, StoredPlan
from arena.plan.plan import Plan
from arena.runner import dry_run
from arena.runner.dry_run import (
    SIZES,
    SPREAD_MU,
    UNEVEN,
    choose_games,
    count_deals_needed,
    find_changes,
    fit_line,
)
from arena.runner.executor import Finished
from arena.runner.local_executor import LocalExecutor
from arena.schedule.order import Schedule, make_identity
from arena.schedule.sessions import Games
from arena.session.session import Job
from arena.system.signals import Stopped

PLAN = Plan("cup", Path("cup"), None, 2, Limits(), WALLS, (), {})
TWO = Pool("sixteen", 2, "{}", "")


def make_entry(seats: int, bots: int, deals: int = 2, shared: bool = False, **more: Any) -> Entry:
    field = tuple(Bot(f"b{number:04}", "") for number in range(bots))
    pool = TWO if seats == 2 else Pool("no_thanks", seats, "{}", "")
    return Entry(pool, field, deals, "auto", shared, **more)


def schedule(own: Entry) -> Schedule:
    return Schedule(own, make_identity(own, Limits()))


class Crew:
    """One worker, whose sessions take their start and each game."""

    size, stopping = 1, False

    def __init__(self, start_s: float, game_s: float) -> None:
        self.now_s, self.sizes = 0.0, list[int]()
        self._start_s, self._game_s = start_s, game_s

    def play(self, jobs: Sequence[Job]) -> Iterator[Finished]:
        for job in jobs:
            self.sizes.append(len(job.fixtures))
            self.now_s += self._start_s + self._game_s * len(job.fixtures)
            yield Finished(job, ("some",), [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game_s", "left", "sizes"),
    [
        (0.001, 10**6, [*SIZES]),
        (0.01, 40, [4, 24]),
        (0.001, 3, [3]),
        (0.2, 10**6, [4, 12]),  # a game with its start took .25 s, and 12 such take 3 s
        (1.0, 0, []),
    ],
)
def test_samples_grow_while_they_are_short_and_tell_the_start_from_the_games(
    game_s: float, left: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = Crew(0.2, game_s)
    monkeypatch.setattr("time.monotonic", lambda: crew.now_s)
    monkeypatch.setattr(dry_run, "weigh_games", lambda chunks: 100.0)
    job = Job(TWO, Limits(), False, (), bytes(16), {})
    took = dry_run._sample(crew, schedule(make_entry(2, 4)), job, left)  # type: ignore
    assert crew.sizes == sizes
    one = (0.0, game_s + 0.2 / sizes[0], 100.0) if sizes else (0.0, 0.0, 0.0)
    assert took == pytest.approx((0.2, game_s, 100.0) if len(sizes) > 1 else one)


def test_a_clock_that_says_nothing_gives_no_nonsense() -> None:
    assert fit_line((24, 0.5), (192, 30.0)) == pytest.approx((0.0, 0.5 / 24))  # held up
    assert fit_line((24, 2.0), (192, 1.0)) == pytest.approx((2 / 3, 1 / 3 / 192))


def test_once_it_is_stopped_no_further_sample_is_chosen() -> None:
    crew = LocalExecutor(PLAN, 2)
    crew.stop()
    job = Job(TWO, Limits(), False, (), bytes(16), {})
    with pytest.raises(Stopped):
        dry_run._sample(crew, schedule(make_entry(2, 4)), job, 9)


def bots_of(games: Games) -> set[str]:
    return {bot.name for game in games for bot in game.line_up}


@pytest.mark.parametrize("gauntlet", [False, True])
def test_of_a_large_field_each_worker_has_a_session_of_bots_and_others_than_the_next(
    gauntlet: bool,
) -> None:
    own = schedule(make_entry(3, 1000, fixed_bots=("b0007",) if gauntlet else ()))
    hands = [choose_games(own, worker, 192) for worker in range(2)]
    assert [len({game.id for game in hand}) for hand in hands] == [192, 192]
    one, other = map(bots_of, hands)
    assert len(one) == len(other) == 32
    assert len(one & other) < 8
    for games in hands:
        assert all("b0007" in bots_of(games[at : at + 1]) for at in range(192)) == gauntlet


def test_of_line_ups_that_are_drawn_all_bots_play_in_a_sample() -> None:
    own = schedule(make_entry(3, 9, deals=1, line_ups=((0, 1, 2), (3, 4, 5), (6, 7, 8))))
    assert len(bots_of(choose_games(own, 0, 24))) == 9


MEANS = {2: [0.56419], 3: [0.84628], 4: [1.02938, 0.29701], 6: [1.26721, 0.64176, 0.20155],
         7: [1.35218], 8: [1.42360], 9: [1.48501]}  # fmt: skip
"""Of the highest of so many normal numbers in order (Harter, Biometrika 48 (1961) 151)."""


@pytest.mark.parametrize("gauntlet", [False, True])
@pytest.mark.parametrize(("seats", "bots"), [(2, 2), (2, 7), (3, 6), (4, 9)])
def test_the_deals_needed_follow_from_the_whole_network_of_games(
    seats: int, bots: int, gauntlet: bool
) -> None:
    """The first two bots', by the pseudo-inverse of what all games of a seating tell."""
    own = make_entry(seats, bots, fixed_bots=("b0000",) if gauntlet else ())
    information = 2 * sum(mean**2 for mean in MEANS[seats]) / (seats - 1)
    told = np.zeros((bots, bots))
    for line_up in combinations(range(bots), seats):
        if not gauntlet or 0 in line_up:
            place = np.ix_(line_up, line_up)
            told[place] += information / BETA**2 * (np.eye(seats) - 1 / seats)
    of_deal = comb(bots - 2, seats - 2) if gauntlet else comb(bots - 1, seats - 1)
    covariance = np.linalg.pinv(told)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / comb(bots, 2))
    usual_mu = 2 * MEANS[bots][0] * SPREAD_MU / (bots - 1)
    games = UNEVEN * variance * of_deal * (z / usual_mu) ** 2 + (z**2 + 1) / 2
    line_ups = comb(bots - gauntlet, seats - gauntlet)
    expected = games / of_deal / len(schedule(own).ways)
    assert 0.95 * expected <= count_deals_needed(own, line_ups) <= 1.05 * expected + 1


def test_shared_decks_need_as_many_games_and_few_at_least_what_an_interval_needs() -> None:
    both = [count_deals_needed(make_entry(2, 8, shared=shared), 28) for shared in (False, True)]
    assert both[0] == both[1]
    assert count_deals_needed(make_entry(2, 2), 1) == ceil(13.7 / 2)  # 60 x (1.96 / 4.51)^2 + 2.4


def test_of_changes_those_are_said_that_games_are_played_anew_for() -> None:
    ann, bob, cid = (Bot(name, name * 8) for name in ("ann", "bob", "cid"))
    entry = Entry(TWO, (ann, bob), 2, "auto", True)
    before = StoredPlan("cup", False, WALLS, Limits(), (entry,))
    assert list(find_changes(before, before._replace(show_authors=("ann",), name="other"))) == []
    other = entry._replace(pool=TWO._replace(players=3), bots=(ann._replace(hash="other"), cid))
    after = before._replace(limits=Limits(cpu_ms=7), entries=(other,))
    stay = "stay in the store but not in the tables"
    assert list(find_changes(before, after)) == [
        f"changed: cpu_ms {Limits().cpu_ms} -> 7; games under the old ones {stay}",
        "new bots: cid",
        f"changed bots: ann; the old versions' games {stay}",
        f"removed bots: bob; their games {stay}",
        "new pools: Sixteen 3p",
        f"removed pools: Sixteen 2p; their games {stay}",
    ]
