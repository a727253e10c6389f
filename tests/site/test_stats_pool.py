"""A pool's statistics, of games few enough to count by hand."""

from arena.model import Outcome, Pool
from arena.site.stats_pool import Games, PoolStats, collect_games, pool_stats

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


def test_best_and_worst_go_by_points_to_the_next_and_leave_forfeits_out() -> None:
    found = stats()
    ann, bob, cid = found.best
    assert [(each.game.id, each.lead) for each in ann] == [("a1", 20)]
    assert [(each.game.id, each.lead) for each in bob] == [("a2", 7)]
    assert cid == ()  # what it won, another forfeited
    assert [(each.game.id, each.lead) for each in found.worst[2]] == [("a2", -28), ("a1", -20)]


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
    assert found.best[0][0].lead == 3


def test_a_pool_without_games_has_empty_stats() -> None:
    found = pool_stats(collect_games(THREE, ["ann", "bob", "cid"], False, []))
    assert [*found.records("ann")] == []
    assert found.best == ((), (), ())
    assert {each.games for each in found.scores.bots} == {0}
