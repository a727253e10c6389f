"""Games in columns, and merged: who counts, who stands where, and what shares a deck."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arena.model import Mirrored, Pool, Sharing
from arena.rating.outcomes import MergedGames, count_differing, select_counted
from tests.simulated import merge, play

DUEL = Pool("sixteen", 2, "{}", "")
THREE = Pool("no_thanks", 3, "{}", "")
SAME = Pool("sixteen", 4, "{}", "same")
MIXED = Pool("sixteen", 4, "{}", "mixed")

BOTH, APART = (Mirrored(("a", "b"), apart) for apart in (False, True))

Game = tuple[str, tuple[int, ...], int]  # bots of one letter each by seat, ranks, deal


def rated(pool: Pool, *games: Game, shared: Sharing = False) -> MergedGames:
    return merge(play(pool, "abcdef", *games), shared)


def endings(merged: MergedGames) -> list[tuple[str, list[bool], int]]:
    """The sites: the bots by place, whether a place is shared with the next, and how often."""
    sites = merged.sites
    placed = (sites.bots[:, :, at].ravel() for at in range(len(sites.counts)))
    bots = ("".join("abcdef"[bot] for bot in each) for each in placed)
    return [*zip(bots, sites.ties.T.tolist(), sites.counts.tolist(), strict=True)]


def test_games_that_ended_alike_are_one_site() -> None:
    merged = rated(THREE, ("abc", (2, 1, 3), 0), ("bca", (1, 3, 2), 0), ("cab", (1, 2, 3), 1))
    assert endings(merged) == [("bac", [False, False], 2), ("cab", [False, False], 1)]
    assert merged.site.tolist() == [0, 0, 1]


def test_games_of_drawn_line_ups_are_weighed_and_have_no_strata() -> None:
    games = ("ab", (1, 2), 0), ("ba", (2, 1), 1), ("ac", (1, 2), 0), ("bc", (1, 2), 0)
    merged = merge(play(DUEL, "abc", *games), True, {("a", "b"): 3, ("a", "c"): 1, ("b", "c"): 1})
    assert merged.sites.counts.tolist() == [2, 1, 1]
    assert merged.sites.evidence.tolist() == [3, 0.5, 0.5]  # 2 * 3, 1 and 1, of 8 that 4 games have
    assert (merged.strata, merged.decks) == ((), 4)


def test_who_shares_a_place_stands_by_seat() -> None:
    merged = rated(THREE, ("cba", (1, 1, 3), 0), ("bca", (1, 1, 3), 0))
    assert endings(merged) == [("bca", [True, False], 1), ("cba", [True, False], 1)]


def test_a_team_is_one_competitor_and_who_is_on_both_sides_does_not_count() -> None:
    teams = rated(SAME, ("abab", (1, 2, 1, 2), 0), ("baba", (1, 1, 1, 1), 1))
    duels = rated(DUEL, ("ab", (1, 2), 0), ("ba", (1, 1), 1), ("aa", (1, 2), 2))
    assert endings(teams) == endings(duels) == [("ab", [False], 1), ("ba", [True], 1)]
    mixed = rated(MIXED, ("dbca", (2, 1, 2, 1), 0), ("cadb", (2, 1, 2, 1), 1))
    assert endings(mixed) == [("abcd", [False], 2)]
    assert endings(rated(MIXED, ("abca", (1, 2, 1, 2), 0))) == []


def test_a_cluster_is_what_shares_a_deck() -> None:
    first: list[Game] = [("ab", (1, 2), 0), ("ba", (1, 2), 0)]
    games: list[Game] = [*first, ("ab", (2, 1), 1), ("ca", (1, 2), 0)]
    assert rated(DUEL, *games, shared=True).cluster.tolist() == [0, 0, 1, 2]
    assert len({*rated(DUEL, *games, shared=False).cluster.tolist()}) == 4
    assert rated(DUEL, *games, shared=True).line_ups.T.tolist() == [[0, 1], [0, 1], [0, 2]]


@given(st.data())
def test_the_order_of_the_games_changes_no_site_and_no_cluster(data: st.DataObject) -> None:
    bots = st.permutations("abcdef").map(lambda order: "".join(order[:3]))
    ranks = st.tuples(*[st.integers(1, 3)] * 3)
    games = data.draw(st.lists(st.tuples(bots, ranks, st.integers(0, 3)), max_size=60))
    first = rated(THREE, *games, shared=True)
    again = rated(THREE, *data.draw(st.permutations(games)), shared=True)
    for one, other in zip(
        (*first.sites, first.line_ups), (*again.sites, again.line_ups), strict=True
    ):
        assert np.array_equal(one, other)


def differing(pool: Pool, *games: Game, shared: Sharing = BOTH) -> int:
    """Decks that are not even between a and b."""
    counted = select_counted(play(pool, "abcdef", *games))
    return count_differing(counted, rated(pool, *games, shared=shared), 0, 1)


def test_a_deck_is_even_where_two_bots_came_to_the_same_places() -> None:
    level: list[Game] = [("ab", (1, 2), 0), ("ba", (1, 2), 0), ("ab", (1, 1), 1), ("ba", (1, 1), 1)]
    assert differing(DUEL, *level) == 0
    won: list[Game] = [("ab", (1, 2), 2), ("ba", (2, 1), 2), ("ab", (1, 2), 3), ("ba", (1, 1), 3)]
    assert differing(DUEL, *level, *won) == 2
    first_and_last, twice_second = ("abc", (1, 2, 3), 0), ("bac", (2, 3, 1), 0)
    assert differing(THREE, first_and_last, twice_second) == 1
    assert differing(THREE, first_and_last, ("bac", (1, 2, 3), 0)) == 0
    teams: list[Game] = [("abab", (1, 2, 1, 2), 0), ("baba", (1, 2, 1, 2), 0)]
    assert (differing(SAME, *teams), differing(SAME, teams[0])) == (0, 1)


def test_a_deck_of_a_match_is_two_games_in_which_the_two_changed_seats() -> None:
    ways = ["abc", "bac", "acb", "bca", "cab", "cba"]
    games: list[Game] = [(way, (1, 2, 3), deal) for way in ways for deal in (0, 1)]
    of = dict(zip(games, rated(THREE, *games, shared=BOTH).cluster.tolist(), strict=True))
    for first, second in (ways[:2], ways[2:4], ways[4:]):
        for deal in (0, 1):
            assert of[first, (1, 2, 3), deal] == of[second, (1, 2, 3), deal]
    assert len(set(of.values())) == 6
    teams: list[Game] = [("abab", (1, 2, 1, 2), 0), ("baba", (1, 2, 1, 2), 0)]
    assert len(set(rated(SAME, *teams, shared=BOTH).cluster.tolist())) == 1
    fine, coarse = rated(THREE, *games, ("abd", (1, 2, 3), 0), shared=BOTH).strata
    assert [len(set(of.tolist())) for of in (fine, coarse)] == [3 + 1, 1 + 1]


def test_a_deck_that_two_play_apart_has_a_cluster_of_each() -> None:
    games: list[Game] = [("cda", (1, 2, 3), 0), ("cdb", (1, 2, 3), 0), ("dab", (1, 2, 3), 1)]
    alone: list[Game] = [("dca", (1, 2, 3), 0), ("aec", (1, 2, 3), 0), ("cda", (1, 2, 3), 2)]
    merged = rated(THREE, *games[:2], *alone, shared=APART)
    of_games = merged.cluster.tolist()
    assert merged.twins is not None
    assert merged.twins[of_games].tolist() == [of_games[1], of_games[0], -1, -1, -1]
    assert (merged.decks, len(merged.twins)) == (4, 5)
    assert all(rated(THREE, *games, shared=each).twins is None for each in (True, BOTH))


def test_two_that_play_apart_differ_where_their_places_on_a_deck_do() -> None:
    first: list[Game] = [("acd", (1, 2, 3), 0), ("cda", (1, 2, 3), 0), ("acd", (1, 2, 3), 1)]
    second: list[Game] = [("bcd", (1, 3, 2), 0), ("cdb", (2, 3, 1), 0), ("bcd", (2, 1, 3), 1)]
    assert differing(THREE, *first, *second, shared=APART) == 2


def test_a_win_is_not_the_place_of_a_tie() -> None:
    assert differing(DUEL, ("ac", (1, 2), 0), ("bc", (1, 1), 0), shared=APART) == 1
    assert differing(THREE, ("abc", (1, 1, 3), 0), ("bac", (1, 2, 3), 0)) == 1
