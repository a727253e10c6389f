"""A bot's opponents over several pools: what adds up, and what ratings expect."""

import pytest

from arena.site.opponents import find_opponents
from tests.site.leagues import FOUR, TWO, league


def test_all_games_together_are_those_of_the_pools() -> None:
    _, doc, stats = league()
    for each in find_opponents("ann", doc.pools, stats.pools):
        known = [record for record in each.records if record]
        assert each.share.games == sum(record.share.games for record in known)
        assert each.share.total == sum(record.ahead + record.tied / 2 for record in known)


def test_expected_is_the_mean_by_games_of_the_pools_that_ratings_know() -> None:
    _, doc, stats = league()
    for each in find_opponents("bob", doc.pools, stats.pools):
        known = [record for record in each.records if record and record.expected is not None]
        games = [record.share.games for record in known]
        assert each.rated.games == sum(games)
        total = sum((record.expected or 0) * of for record, of in zip(known, games, strict=True))
        assert each.expected == pytest.approx(total / sum(games))


def test_of_teams_of_two_bots_ratings_expect_nothing() -> None:
    _, doc, stats = league(pools=(FOUR,))
    for each in find_opponents("ann", doc.pools, stats.pools):
        assert each.share.games
        assert (each.expected, each.beyond, each.off) == (None, None, 0)


def test_two_bots_expect_of_each_other_what_makes_one() -> None:
    _, doc, stats = league(pools=(TWO,))
    (one,) = [met for met in find_opponents("ann", doc.pools, stats.pools) if met.name == "eve"]
    (other,) = [met for met in find_opponents("eve", doc.pools, stats.pools) if met.name == "ann"]
    assert one.expected is not None
    assert other.expected == pytest.approx(1 - one.expected)
    assert one.expected < 0.5  # those named later are better
    assert one.off == -other.off
