"""A pool's statistics, of games few enough to count by hand; shares, by hand and by simulation."""

import numpy as np
import pytest

from arena.model import Outcome, Pool
from arena.site.shares import Share, add_up, together
from arena.site.stats_pool import (
    BotGames,
    Extreme,
    PoolStats,
    collect_games,
    merge_bot_games,
    pool_stats,
)

THREE = Pool("no_thanks", 3, "{}", "")  # fewest points win
TEAMS = Pool("sixteen", 4, "{}", "same")  # most sets win
NONE = ("", "", "")


PLAYED = (
    Outcome("a1", ("ann", "bob", "cid"), (1, 2, 2), (10, 30, 30), NONE),
    Outcome("a2", ("bob", "ann", "cid"), (1, 2, 3), (12, 19, 40), NONE),
    Outcome("a3", ("cid", "bob", "ann"), (1, 1, 3), (20, 20, 77), ("", "", "time")),
)


def stats(*outcomes: Outcome, pool: Pool = THREE) -> PoolStats:
    """Return those of games, each on a deck of its own."""
    outcomes = outcomes or PLAYED
    names = sorted({bot for outcome in outcomes for bot in outcome.bots})
    played = [(each, deal) for deal, each in enumerate(outcomes)]
    return pool_stats(collect_games(pool, names, False, played))


def test_a_record_has_games_ahead_tied_and_behind() -> None:
    records = {each.opponent: each for each in stats().records("bob")}
    assert [*records] == ["ann", "cid"]
    assert records["ann"][1:4] == (2, 0, 1)
    assert records["cid"][1:4] == (1, 2, 0)
    assert records["cid"].share.mean == 2 / 3
    assert records["cid"].share.decks == 3


def test_best_and_worst_go_by_points_to_the_next_and_leave_forfeits_out() -> None:
    found = {
        kind: [
            game and (game.game.id, game.lead)
            for game in (getattr(each, kind) for each in stats().extremes)  # of ann, bob and cid
        ]
        for kind in ("best", "worst", "closest")
    }
    assert found == {
        "best": [("a1", 20), ("a2", 7), None],  # what cid won another forfeited
        "worst": [("a2", -7), ("a1", -20), ("a2", -28)],
        "closest": [("a2", -7), ("a2", 7), ("a1", -20)],  # not a3, which two share
    }


def test_of_several_pools_games_compare_by_what_is_usual_there() -> None:
    chips = BotGames(*(Extreme(TEAMS, PLAYED[0], lead, 20) for lead in (40, -60, 3)))
    sets = BotGames(*(Extreme(TEAMS, PLAYED[0], lead, 2) for lead in (5, -4, -1)))
    assert merge_bot_games([chips, sets]) == (sets.best, chips.worst, chips.closest)
    assert merge_bot_games([sets, BotGames()]) == sets
    assert merge_bot_games([]) == BotGames()


def test_forfeits_are_listed_with_their_games_and_no_scores() -> None:
    found = stats()
    ((forfeit,), bob, cid) = found.forfeits
    assert (forfeit.kind, forfeit.total, forfeit.games) == ("time", 1, (("a3", 2),))
    assert (bob, cid) == ((), ())
    ann, bob_s, _ = found.scores.bots
    assert ann.games == 2  # of three; 77 is what the forfeit made of it
    assert ann.words.startswith("median 14.5, half of the games from 12.25 to 16.75, all from 10 ")
    assert bob_s.middle == "20"


def test_a_team_of_one_bot_twice_sits_in_two_seats() -> None:
    bots = ("ann", "bob", "ann", "bob")
    found = stats(Outcome("b1", bots, (1, 3, 1, 3), (5, 2, 5, 2), ("",) * 4), pool=TEAMS)
    assert found.seats == ((0, 2), (1, 3))
    (record,) = found.records("ann")
    assert record[:4] == ("bob", 1, 0, 0)
    assert found.by_seat("bob")[1].score == 2
    best = found.extremes[0].best
    assert best is not None
    assert best.lead == 3


def test_a_pool_without_games_has_empty_stats() -> None:
    found = pool_stats(collect_games(THREE, ["ann", "bob", "cid"], False, []))
    assert [*found.records("ann")] == []
    assert found.extremes == (BotGames(),) * 3
    assert {each.games for each in found.scores.bots} == {0}


DECKS, GAMES = 60, 4  # of a case, and on each deck


def share(results: list[list[float]]) -> Share:
    """Return the share of one case: its results, by deck."""
    values = [value for deck in results for value in deck]
    decks = [number for number, deck in enumerate(results) for _ in deck]
    found = add_up(np.zeros(len(values), dtype=int), np.array(values), np.array(decks), (1,))
    return found.at(0)


def test_independent_games_have_wilson_s_interval() -> None:
    """15 of 20, each on its own deck. By hand: the variance of a mean of 20 has 19 in it, t of 19
    degrees is 2.0930, and 0.7032 +- 0.1932 comes of that.
    """
    ends = share([[1.0]] * 15 + [[0.0]] * 5).interval()
    assert ends == pytest.approx((0.5100, 0.8964), abs=1e-4)


def test_decks_played_from_both_sides_say_more_and_shared_ones_less() -> None:
    """What a deck gives to one side it takes from the other: the spread by deck is the luck."""
    alone, both, shared = (
        share(decks).interval() or (0, 0)
        for decks in (
            [[1.0], [0.0]] * 40,
            [[1.0, 0.0]] * 37 + [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]],
            [[1.0] * 4, [0.0] * 4] * 10,
        )
    )
    assert 0 < both[1] - both[0] < 0.5 * (alone[1] - alone[0])
    assert shared[1] - shared[0] > 1.8 * (alone[1] - alone[0])


def test_on_few_decks_nothing_is_sure_and_for_many_at_once_less() -> None:
    assert share([[1.0] * 100] * 7).interval() is None
    assert (together([]).mean, together([]).interval()) == (None, None)
    given = share([[1.0], [0.0]] * 20)
    once, often = given.interval() or (0, 0), given.interval(11) or (0, 0)
    assert often[0] < once[0] < once[1] < often[1]


def test_two_pools_together_are_one_of_all_decks() -> None:
    one, other = [[1.0, 0.5]] * 9 + [[0.0]], [[0.0, 0.0]] * 5 + [[1.0, 0.5, 0.0]] * 6
    assert together([share(one), share(other)]) == share(one + other)


@pytest.mark.parametrize("mean", [0.5, 0.9, 0.97])
def test_intervals_hold_as_often_as_they_say(mean: float, seed: int) -> None:
    """Of 2,000 cases with correlated decks: 95 % +- 2.5, five standard errors of 2,000 draws; at
    0.97 they may hold more often.
    """
    rng = np.random.default_rng(seed)
    cases, concentration = 2000, 4.0
    chance = rng.beta(mean * concentration, (1 - mean) * concentration, (cases, DECKS))
    won = rng.random((cases, DECKS, GAMES)) < chance[:, :, None]
    at = np.repeat(np.arange(cases), DECKS * GAMES)
    deck = np.tile(np.repeat(np.arange(DECKS), GAMES), cases)
    found = add_up(at, won.reshape(-1).astype(float), deck, (cases,))
    ends = [found.at(case).interval() or (1, 0) for case in range(cases)]
    held = sum(low <= mean <= high for low, high in ends) / cases
    assert 0.925 <= held <= (0.975 if mean < 0.95 else 0.995)
