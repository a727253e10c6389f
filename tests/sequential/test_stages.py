"""Pools that are played until they are settled: stages, whom a look compares, how often it errs."""

import json
import os
import signal
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import UNSET

from arena.model import Bot, Entry, Goal, Pool, SequentialTest
from arena.rating.rate import Ratings, find_uneven_mu
from arena.schedule.seatings import count_decks_of_deal
from arena.sequential import goals, looks, stages
from arena.sequential.document import Pair, PoolTest
from tests.leagues import main, make, wait_for_games
from tests.places import ROOT
from tests.schemas import wrong_in
from tests.sessions import CHANCE, FIRST
from tests.simulated import gauntlet, make_ratings, rate

SEED = 11
TWENTY = "abcdefghijklmnopqrst"


def entry(bots: str = "abcd", deals: int = 1000, always: str = "", shared: bool = True) -> Entry:
    made = tuple(Bot(name, name) for name in bots)
    return Entry(Pool("no_thanks", 3, "{}", ""), made, deals, "auto", shared, None, tuple(always))


def ratings(se: float, clusters: int = 5000, **mu: Any) -> Ratings:
    """Return ratings with `se` as the standard error of each difference."""
    return make_ratings(mu, se / 2**0.5, clusters - 1)


def pairs(of: Entry, rated: Ratings) -> list[tuple[str, str, str]]:
    comparisons = looks.compare_pairs(of, rated)
    return [(each.bot, each.other, each.verdict.answer) for each in comparisons]


def planned(
    of: Entry, line_ups: int | None = None, goal: Goal = "all", level: float = 0.95
) -> Entry:
    return stages.plan_stages(of, count_decks_of_deal(of, line_ups), level, line_ups, goal)


def last(of: Entry) -> Entry:
    return stages.take_all_deals(planned(of))


def of_two(of: Entry, rated: Ratings, *more: Any, **also: Any) -> tuple[PoolTest, Pair]:
    test = looks.make_test(of, rated, *more, **also)
    assert test
    (pair,) = test.pairs
    return test, pair


def test_a_pool_goes_from_look_to_look_and_ends_with_all_its_deals() -> None:
    first = planned(entry())  # of four bots each is in 3 of the 4 line-ups: 21 decks in 7 deals
    assert first.test == SequentialTest(0.95, 1000, 35, 7, 2)
    assert stages.list_looks(first)[:6] == (7, 8, 10, 12, 14, 16)
    assert stages.list_looks(first)[-3:] == (704, 805, 1000)
    assert (first.deals, stages.find_look(first)) == (7, 0)
    at_the_end = stages.limit_to_look(first, 34)
    assert (at_the_end.deals, stages.find_look(at_the_end)) == (1000, 34)
    assert stages.take_all_deals(first) == at_the_end


def test_each_look_is_a_seventh_further() -> None:
    assert stages.make_looks(20, 50) == (20, 23, 27, 31, 36, 42, 50)
    assert stages.make_looks(1, 9) == (*range(1, 10),)
    for first, last in ((20, 20), (9, 9), (19, 20), (1, 1)):
        assert stages.make_looks(first, last) == (last,)


def test_the_first_look_is_where_all_that_are_compared_have_played_twenty_decks() -> None:
    for of, line_ups, deals in (
        (entry("abc"), None, 20),  # one line-up
        (entry("abc", shared=False), None, 4),  # of 6 seatings
        (entry("abcdefgh"), None, 1),  # each in 21
        (entry("abcdefgh"), 8, 7),  # each in 3
        (entry("abcdefgh", always="a"), None, 4),  # each other in 6
        (entry("abcdefgh", always="ab"), None, 4),  # both in 6
        (entry("abcdefgh", always="ab"), 3, 7),
        (entry("abc", deals=5), None, 5),
        (entry(TWENTY), 146, 1),  # 21 of each bot
        (entry(TWENTY, always="ab"), 18, 2),
    ):
        test = planned(of, line_ups).test
        assert test
        assert (test.first_deals, test.line_up_counts) == (deals, ())


def test_where_line_ups_are_drawn_looks_add_line_ups_until_all_are_and_then_deals() -> None:
    first = planned(entry(TWENTY, deals=3), line_ups=1140)  # all there are; each bot is in 171
    assert first.test
    assert first.test.line_up_counts[:4] == (134, 154, 180, 207)  # 20, 23, 27, 31 x 20 / 3
    assert stages.list_looks(first)[-4:] == (954, 1140, 2280, 3420)  # 143 a bot, all, 2 deals, 3
    for look in range(first.test.look_count):
        assert stages.find_look(stages.limit_to_look(first, look)) == look
    at_the_end = stages.take_all_deals(first)
    assert (first.line_ups_used, first.deals) == (134, 1)
    assert (at_the_end.line_ups_used, at_the_end.deals) == (1140, 3)
    best = planned(entry(TWENTY), 1140, "best").test
    assert best
    assert best.line_up_counts[0] == 267  # 40 x 20 / 3


def test_neighbours_are_compared_or_whom_the_entry_names() -> None:
    rated = ratings(0.12, a=20, b=30, c=29.9, d=20.3)
    for always, compared in (
        ("", [("b", "c", "equal"), ("c", "d", "better"), ("d", "a", "open")]),  # from the top
        ("d", [("c", "d", "better"), ("d", "a", "open")]),  # a gauntlet: its neighbours
        ("b", [("b", "c", "equal")]),
        ("ab", [("a", "b", "worse")]),  # a match: in their order
        ("ba", [("b", "a", "better")]),
    ):
        assert pairs(last(entry(always=always)), rated) == compared
    of = last(entry())
    assert of.test
    assert goals.find_unplaced(of.test, looks.compare_pairs(of, rated)) == ("d", "a")


def test_a_match_says_what_is_likely_and_what_it_needs() -> None:
    rated = ratings(0.2, 900, a=25, b=24.8)
    match = last(entry("ab", always="ab"))
    _, pair = of_two(match, rated, 1800, differing=400)
    assert (pair.verdict, pair.decisive_decks) == ("open", 400)
    assert pair.better_probability == pytest.approx(0.829, abs=2e-3)  # z of 1, less half a step
    assert isinstance(pair.further_games_needed, int)
    assert 1800 < pair.further_games_needed < 19 * 1800
    _, pair = of_two(match, ratings(0.2, 200, a=25, b=24.8), 400, differing=19)
    assert (pair.verdict, pair.progress_different, pair.decisive_decks) == ("open", 0, 19)
    _, pair = of_two(last(entry("ab")), rated)
    assert pair.better_probability is pair.further_games_needed is pair.decisive_decks is UNSET
    assert pair.effect_size == 0.033  # 1 over the root of 900
    assert pair.progress_equal / pair.progress_different == pytest.approx(1.5**2, rel=0.01)


def test_how_far_one_is_ahead_who_won_all_is_not_known_though_that_it_is() -> None:
    apart = ratings(0.2, 40, a=35, b=15)._replace(won_all=frozenset("a"), lost_all=frozenset("b"))
    for always, sign in (("ab", 1), ("ba", -1)):
        of = last(entry("ab", always=always))
        test, pair = of_two(of, apart._replace(excess=np.array([[9.0, -9], [-9, 9]])))
        assert test.goal_reached
        known, unknown = (pair.interval or ())[::sign]
        assert unknown is None
        # The standard error is 6, the root of 36.04, and not 0.2; of a limit somewhat above 2.
        assert 0 < sign * (known or 0) < 20 - 2 * 6
        _, wider = of_two(of, apart._replace(excess=100 * np.eye(2)))
        assert 0.0 in (wider.interval or ())  # whoever won all is ahead all the same


def test_a_look_tells_of_the_pair_that_is_furthest_from_a_verdict() -> None:
    rated = ratings(0.5, 100, a=30, b=25, c=24.5, d=24.4)
    first = stages.limit_to_look(planned(entry()), 2)
    told = looks.describe_progress(first, looks.compare_pairs(first, rated), 500)
    # c and d are 0.4 from the edge of the band, and 0.1 apart; b and c 0.5 apart.
    assert told == "c and d 0% of the way to told apart, 4% of that to equal"
    sure = ratings(0.5, 100, a=40, b=30, c=20, d=10)
    assert looks.describe_progress(first, looks.compare_pairs(first, sure), 500) == ""


def test_a_test_that_is_changed_after_play_began_is_planned_anew() -> None:
    replanned, before = stages.is_test_replanned, planned(entry())
    drawn, more_bots = planned(entry(TWENTY, deals=3), 1140), entry(TWENTY + "u", deals=2)
    places = [stages.plan_stages(entry(), 6, 0.95, None, "all", within) for within in (1, 2)]
    assert replanned(before, planned(entry(deals=2000)))
    assert replanned(before, planned(entry(), level=0.9))
    assert replanned(before, planned(entry(), goal="best"))
    assert replanned(entry(), before)
    assert replanned(drawn, planned(entry(TWENTY), 900))
    assert replanned(*places)
    assert not replanned(before, stages.limit_to_look(before, 4))
    assert not replanned(before, planned(entry("abc")))  # looks later
    assert not replanned(before, entry())
    assert not replanned(drawn, stages.limit_to_look(drawn, 2))
    assert not replanned(drawn, planned(more_bots, 1330))  # fewer deals for the same `games`


def test_a_lead_that_the_prior_explains_is_none() -> None:
    for held, answer in ((0.0, "better"), (1.0, "open")):
        rated = ratings(0.1, a=26, b=25)._replace(shrinkage=np.array([0.0, held]))
        assert pairs(last(entry("ab")), rated) == [("a", "b", answer)]


def test_level_decks_say_less_of_bots_that_nearly_always_win() -> None:
    """At 99 % half a mu is one game in 450: called equal were 5 of 12 matches of a bot that lost
    one game in 250 more, some 1.4 mu.
    """
    two, equals, behind = (
        ratings(1.0, a=25, b=25, **rivals)._replace(draw_probability=0.0)
        for rivals in ({}, {"x": 25, "y": 25}, {"x": 5, "y": 5})
    )
    assert 7.3 < find_uneven_mu(two, "ab", 1, True) < 7.5
    assert 7 < find_uneven_mu(equals, "ab", 1, False) < 40
    assert 300 < find_uneven_mu(behind, "ab", 1, False) < inf
    assert find_uneven_mu(equals._replace(won_all=frozenset("a")), "ab", 1, False) == inf


def test_bots_of_the_same_files_are_equal_at_once_those_of_identical_play_are_not() -> None:
    """60 level decks are too few: one in 20 may not be level."""
    rivals = {"champion": "champion", "first_legal": "twin"}
    table = gauntlet(rivals, 60, np.random.default_rng(SEED))
    rated = rate(table)
    for copies, answer in ((0, "open"), (1, "equal")):
        hashes = {"champion": "c", "first_legal": "f", "thrifty": "t" if not copies else "f"}
        bots = tuple(Bot(name, hashes[name]) for name in sorted(hashes))
        of = last(Entry(table.pool, bots, 60, "auto", True, None, ("thrifty",)))
        found = {frozenset(each[:2]): each for each in looks.compare_pairs(of, rated)}
        alike = found[frozenset(("first_legal", "thrifty"))]
        assert alike.verdict.answer == answer, f"seed {SEED}: {alike}"


CONFIG = """\
seed = 9
[[games]]
game = "sixteen"
players = 2
deals = 200
stop_confidence = 0.95
"""
MAKES_SETS = (ROOT / "bots" / "haggler.py").read_text()


@pytest.mark.whole
def test_a_tournament_stops_when_it_is_settled_and_running_again_plays_nothing(
    tmp_path: Path,
) -> None:
    config = make(tmp_path, CONFIG, {"ann": MAKES_SETS, "bob": FIRST})
    done = main("tournament", config)
    assert done.returncode == 0, done.stderr.decode()
    assert b" games, more as needed, with " in done.stderr
    assert b"settled" not in done.stderr  # the table of the only pool says it
    assert done.stdout.count(b"Settled: each bot is told apart from the next, or equal to it.") == 1
    document = json.loads((tmp_path / "results" / "cup" / "standings.json").read_text())
    assert wrong_in("standings", document) == []
    (pool,) = document["pools"]
    test, deals = pool["sequential_test"], stages.make_looks(20, 200)
    assert test["goal_reached"]
    assert 1 <= test["look"] < test["planned_looks"] == len(deals)
    assert pool["games"] == 2 * deals[test["look"] - 1]
    (pair,) = test["pairs"]
    assert (pair["bot"], pair["verdict"], pair["progress_different"]) == ("ann", "better", 1)
    assert pair["effect_size"] > 0.3
    assert b"Nothing new to play" in main("tournament", config).stderr
    config.write_text(CONFIG.replace("200", "300"))
    again = main("tournament", config)
    assert b"`stop_confidence` changed after results could be seen" in again.stderr


@pytest.mark.whole
def test_looks_add_line_ups_and_a_newcomer_plays_the_looks_that_were_passed(tmp_path: Path) -> None:
    """Nine bots at tables of three: 20 line-ups a bot are 60 of 84; copies are never told apart."""
    keys = 'game = "no_thanks"\nplayers = 3\ndeals = 3\nseatings = 3\nmax_games = 225\n'
    keys += "stop_confidence = 0.95\n"
    bots = {f"b{number}": FIRST + f"# {number}\n" for number in range(9)}
    config = make(tmp_path, "seed = 9\n[[games]]\n" + keys, bots)
    results, looks = tmp_path / "results" / "cup", []
    for newcomer in ("", "late"):
        if newcomer:
            (config.parent.parent / "bots" / "late.py").write_text(FIRST + "# late\n")
        assert main("tournament", config, "-q").returncode == 0
        (pool,) = json.loads((results / "standings.json").read_text())["pools"]
        test = pool["sequential_test"]
        looks.append((test["look"], test["planned_looks"], pool["games"] // 3))
        assert all(row["decks"] >= 20 for row in pool["table"])
    assert main("verify", results).returncode == 0
    assert looks[0] == (2, 2, 75)
    assert looks[1][2] >= 75 + 20 // 3


@pytest.mark.whole
def test_a_goal_plays_the_same_games_stopped_and_resumed_and_on_any_number_of_workers(
    tmp_path: Path,
) -> None:
    text = CONFIG.replace("stop_confidence", 'goal = "best"\nstop_confidence')
    config = make(tmp_path, text, {"ann": MAKES_SETS, "bob": FIRST, "cid": CHANCE})
    for workers in (1, 4):
        to = ("--results", tmp_path / str(workers))
        assert main("tournament", config, "-q", *to, "--workers", workers).returncode == 0
    stopped = tmp_path / "stopped"
    words = [sys.executable, "-m", "arena", "tournament", str(config), "--results", str(stopped)]
    with subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        wait_for_games(stopped, 1, process)
        os.killpg(process.pid, signal.SIGINT)
    assert process.returncode == 130
    assert main(*words[3:], "-q").returncode == 0
    one, *others = (main("records", tmp_path / name).stdout for name in ("1", "4", "stopped"))
    assert one
    assert all(other == one for other in others)
