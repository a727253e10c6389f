"""The simulations of ratings count what they say they count, a few leagues of each."""

import numpy as np
import pytest

from tests.benchmarks import calibration, drawn, places, scheduled
from tests.benchmarks.calibration import Bin, Claim
from tests.benchmarks.scheduled import BEST, NEIGHBOURS, Kind

pytestmark = pytest.mark.whole


def test_every_league_makes_a_claim_on_each_neighbour() -> None:
    made = calibration.claims(4, 1.0, 3, np.random.default_rng(18))
    assert {method: len(claims) for method, claims in made.items()} == {
        "next": 9, "first": 12,
    }  # fmt: skip
    firsts = [claim for claim in made["first"] if claim.league == 1]
    assert sum(claim.said for claim in firsts) == pytest.approx(1)
    assert sorted(claim.right for claim in firsts) == [0, 0, 0, 1]


def test_a_bin_s_error_is_that_of_leagues() -> None:
    claims = [Claim(0, 0.6, 1), Claim(0, 0.6, 1), Claim(1, 0.6, 0), Claim(1, 0.8, 0)]
    # By hand: right 2/3 of three; off by 1/3, 1/3 in one league and -2/3 in the other.
    found = calibration.binned(claims, 0.5, 0.7)
    assert found == pytest.approx(Bin(0.6, 2 / 3, np.sqrt(2 * (2 / 3) ** 2) / 3, 3))
    assert calibration.binned(claims, 0.9, 1.0) == Bin(0, 0, 0, 0)


def test_ranges_of_places_seldom_exclude_a_place_that_its_bot_holds() -> None:
    for kind, leagues in (("10 equals, a deck a pair that decides all", 40),
                          ("9 equals, 1 that forfeits, a deck a pair", 20)):  # fmt: skip
        wrong, twins = places.simulated(places.WORLDS[kind], leagues)
        assert twins <= wrong <= 0.05 + 3 * (0.05 * 0.95 / leagues) ** 0.5


def test_a_truth_by_formula_is_what_ratings_of_many_games_tend_to() -> None:
    """Three seats have no formula; so two are rated as they are."""
    kind, rng = Kind(5, 2, inter=3.0), np.random.default_rng(7)
    league = scheduled.draw_league(kind, rng)
    entry, _ = scheduled.enter(kind._replace(deals=2000), league.came)
    ratings, _ = scheduled.rate(entry, scheduled.play(kind, league, entry, 0, rng))
    truth = scheduled.find_truth(kind, league, rng)
    assert ratings.mu == pytest.approx(truth - truth.mean() + 25, abs=0.5)  # 55 / 16,000 games: .06
    assert max(abs(truth - league.skills)) > 1  # gains move it


def test_two_that_never_meet_are_as_far_apart_as_many_games_say() -> None:
    kind, rng = drawn.KINDS["match: field, wins 99%, errs in 1.0%"][1], np.random.default_rng(1)
    league = scheduled.draw_league(kind, rng)
    entry, _ = scheduled.enter(kind._replace(deals=5000, aims=()), league.came)
    ratings, differing = scheduled.rate(entry, scheduled.play(kind, league, entry, 0, rng))
    truth = scheduled.find_truth(kind, league, rng)
    lead, error = ratings.mu[0] - ratings.mu[1], ratings.errors[0, 1]
    assert abs(lead - (truth[0] - truth[1])) < 3 * error < 0.4
    assert differing == pytest.approx(30_000 * 0.99 * 0.01, abs=52)  # 3 sd


def test_a_claim_is_false_by_the_truth_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind(2, deals=300, shared=True, telling=0.5, aims=(BEST, NEIGHBOURS))
    for ended in scheduled.settle(kind, np.random.default_rng(1)).values():
        assert ended.reached
        assert not ended.false
    monkeypatch.setattr(scheduled, "find_truth", lambda *_: np.array([25.0, 30.0]))
    ends = scheduled.settle(kind, np.random.default_rng(1))
    assert [(ended.false, ended.wrong_best) for ended in ends.values()] == [
        (True, True), (True, False),
    ]  # fmt: skip


def test_a_league_that_grows_keeps_its_games() -> None:
    kind, rng = (
        drawn.KINDS["confidence: best of 20 3p, grown, inter 0"][1],
        np.random.default_rng(1),
    )
    league = scheduled.draw_league(kind, rng)._replace(played={})
    few, more = (scheduled.enter(kind._replace(weeks=week), league.came)[0] for week in (0, 1))
    columns = (scheduled.play(kind, league, each, 0, rng) for each in (few, more))
    before, after = ({*map(tuple, np.hstack([each.bots, each.ranks]).tolist())} for each in columns)
    of_both = {row[:3] for row in before} & {row[:3] for row in after}
    assert len(before & after) == len(of_both) > 0


def test_a_league_without_two_of_its_bots_falls_apart() -> None:
    _, kind = drawn.KINDS["split: 8 bots 3p, 8 line-ups, 2 gone"]
    league = scheduled.draw_league(kind, np.random.default_rng(1))
    entry, _ = scheduled.enter(kind, league.came)
    assert len(entry.bots) == 6
    assert scheduled._fall_apart(entry, ())


def test_bots_without_likely_places_are_not_counted_as_right() -> None:
    for name, placed in (("split: 2 halves of 5 2p", 0), ("split: 2 halves of 9 3p", 1)):
        kind, rng = drawn.KINDS[name][1], np.random.default_rng(1)
        league = scheduled.draw_league(kind, rng)
        entry, _ = scheduled.enter(kind, league.came)
        ratings, _ = scheduled.rate(entry, scheduled.play(kind, league, entry, 0, rng))
        held = drawn.judge_table(ratings, league.skills)
        assert (held.placed, np.isnan(held.places)) == (placed, not placed)
    assert drawn.in_share([np.nan], 0.95) == "-"


@pytest.mark.parametrize(
    "word", ["halves of 9", "80 games, by 10 weekly, inter 0", "wins 90%", "0.4%", "specialist +30"]
)
def test_every_sort_of_line_is_printed(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawn.main(["--leagues", "2", "--only", word])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert lines
    assert all("±" in line for line in lines)
