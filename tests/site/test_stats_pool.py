"""A pool's statistics, of games few enough to count by hand."""

from arena.model import Outcome, Pool
from arena.site.stats_pool import (
    BotGames,
    Extreme,
    Games,
    PoolStats,
    collect_games,
    merge_bot_games,
    pool_stats,
)

THREE = Pool("no_thanks", 3, "{}", "")  # fewest points win
TEAMS = Pool("sixteen", 4, "{}", "same")  # most sets win
NONE = ("", "", "")


def games(pool: Pool = THREE, *outcomes: Outcome) -> Games:
    """Return games, each on a deck of its own."""
    names = sorted({bot for outcome in outcomes for bot in outcome.bots})
    return collect_games(pool, names, False, [(each, deal) for deal, each in enumerate(outcomes)])


PLAYED = (
    Outcome("a1", ("ann", "bob", "cid"), (1, 2, 2), (10, 30, 30), NONE),
    Outcome("a2", ("bob", "ann", "cid"), (1, 2, 3), (12, 19, 40), NONE),
    Outcome("a3", ("cid", "bob", "ann"), (1, 1, 3), (20, 20, 77), ("", "", "time")),
)


def stats(*outcomes: Outcome, pool: Pool = THREE) -> PoolStats:
    return pool_stats(games(pool, *(outcomes or PLAYED)))


def test_a_record_has_games_ahead_tied_and_behind() -> None:
    records = {each.opponent: each for each in stats().records("bob")}
    assert [*records] == ["ann", "cid"]
    assert records["ann"][1:4] == (2, 0, 1)
    assert records["cid"][1:4] == (1, 2, 0)
    assert records["cid"].share.mean == 2 / 3
    assert records["cid"].share.decks == 3


def test_what_one_has_against_another_the_other_has_not() -> None:
    found = stats()
    for bot in found.names:
        for record in found.records(bot):
            (other,) = [each for each in found.records(record.opponent) if each.opponent == bot]
            assert other[1:4] == record[1:4][::-1]
            assert other.share.mean is not None
            assert other.share.mean + (record.share.mean or 0) == 1


def test_a_seat_s_wins_are_shared_and_its_scores_are_the_game_s_own() -> None:
    first, second, third = stats().by_seat("bob")
    assert [each.seats for each in (first, second, third)] == [(0,), (1,), (2,)]
    assert (first.wins.mean, first.score) == (1.0, 12.0)
    assert (second.wins.mean, second.score) == (0.25, 25.0)  # half of a win, in one game of two
    assert (third.wins.mean, third.score) == (None, None)


def leads_of(kind: str) -> list[tuple[str, float] | None]:
    """Id and lead of a kind of game of ann, bob and cid."""
    games = [getattr(each, kind) for each in stats().extremes]
    return [game and (game.game.id, game.lead) for game in games]


def test_best_and_worst_go_by_points_to_the_next_and_leave_forfeits_out() -> None:
    assert leads_of("best") == [("a1", 20), ("a2", 7), None]  # what cid won another forfeited
    assert leads_of("worst") == [("a2", -7), ("a1", -20), ("a2", -28)]


def test_the_closest_is_won_or_lost_by_least_and_has_one_winner() -> None:
    assert leads_of("closest") == [("a2", -7), ("a2", 7), ("a1", -20)]  # not a3, which two share


def extreme(lead: float, usual: float) -> Extreme:
    return Extreme(TEAMS, PLAYED[0], lead, usual)


def test_of_several_pools_games_compare_by_what_is_usual_there() -> None:
    chips = BotGames(extreme(40, 20), extreme(-60, 20), extreme(3, 20))
    sets = BotGames(extreme(5, 2), extreme(-4, 2), extreme(-1, 2))
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
    assert (
        ann.words
        == "median 14.5, half of the games from 12.25 to 16.75, all from 10 to 19; 2 games"
    )
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
