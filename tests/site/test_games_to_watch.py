"""The choice of games to watch: which, in which order, and why."""

import pytest

from arena.errors import UsageError
from arena.model import Outcome, Pool
from arena.site.games_to_watch import (
    MOST,
    ROOM,
    USUAL,
    Selection,
    Strength,
    WatchedGame,
    choose_games,
    find_candidates,
    parse_selection,
)
from arena.site.stats_pool import Games, collect_games, pool_stats

DUEL = Pool("sixteen", 2, "{}", "")
EVEN = Strength((25.0, 25.0, 25.0), 0.1)
APART = Strength((35.0, 25.0, 15.0), 0.1)  # ann, bob, cid


def game(id: str, one: str, other: str, points: tuple[int, int], fault: str = "") -> Outcome:
    """Return a duel that the first to be named won, unless they tied."""
    ranks = (1, 1) if points[0] == points[1] else (1, 2)
    return Outcome(id, (one, other), ranks, points, ("", fault))


def played(*outcomes: Outcome) -> Games:
    return collect_games(DUEL, ["ann", "bob", "cid"], False, [(each, 0) for each in outcomes])


def candidates(
    outcomes: list[Outcome], strength: Strength = EVEN, selection: Selection = USUAL, pool: int = 0
) -> list[WatchedGame]:
    games = played(*outcomes)
    return find_candidates(games, pool_stats(games), strength, selection, pool)


def watched(outcomes: list[Outcome], selection: Selection = USUAL) -> tuple[WatchedGame, ...]:
    return choose_games([candidates(outcomes, selection=selection)], selection)


SOME = [
    game("a1", "ann", "bob", (5, 3)),
    game("a2", "cid", "ann", (6, 5)),
    game("a3", "ann", "cid", (7, 2)),
    game("a4", "bob", "cid", (9, 9)),
    game("a5", "ann", "bob", (9, 0), "time"),
    game("a6", "cid", "ann", (8, 1)),
]


def test_a_fault_is_watched_first_and_says_whose_and_what() -> None:
    first = watched(SOME)[0]
    assert (first.game.id, first.kind) == ("a5", "fault")
    assert first.why[0] == "bob forfeited it: time, its only one in this pool"


def test_an_upset_is_of_the_least_chance_and_of_two_bots_the_plainest() -> None:
    upsets = [each for each in candidates(SOME, APART) if each.kind == "upset"]
    assert [each.game.id for each in upsets] == ["a6"]  # not a2, which cid won by less
    assert upsets[0].why[0] == "cid won ahead of ann, for which the ratings gave it 0.0 %"


def test_among_equals_there_are_no_upsets() -> None:
    assert [each for each in candidates(SOME, EVEN) if each.kind == "upset"] == []


def test_each_line_up_has_a_game_that_nobody_forfeited_if_it_can() -> None:
    outcomes = [game("a0", "ann", "bob", (9, 0), "error"), *SOME]
    lines = [each for each in candidates(outcomes) if each.kind == "line-up"]
    assert [each.game.id for each in lines] == ["a1", "a2", "a4"]


def test_so_many_a_line_up_are_taken_whatever_their_number() -> None:
    two = Selection("line-ups", 2)
    chosen = candidates(SOME, selection=two)
    assert [each.game.id for each in chosen] == [
        "a1",
        "a2",
        "a4",
        "a3",
        "a5",
    ]  # cid and bob met once


def test_a_game_chosen_twice_is_there_once_with_both_reasons() -> None:
    games = watched(SOME)
    ids = [each.game.id for each in games]
    assert len(ids) == len(set(ids))
    assert games[ids.index("a3")].why == (
        "ann's best: 5 points ahead of the next",
        "cid's worst: 5 points behind the winner",
    )


def test_all_are_all_and_the_remarkable_ones_say_so() -> None:
    plain = game("a7", "ann", "bob", (5, 3))  # as a1
    games = watched([*SOME, plain], Selection("all"))
    assert sorted(each.game.id for each in games) == [each.id for each in (*SOME, plain)]
    assert games[0].why == ("bob forfeited it: time, its only one in this pool",)
    assert (games[-1].game, games[-1].why) == (plain, ("all games are here",))


def test_of_many_pools_each_has_its_turn_and_there_are_no_more_than_the_most() -> None:
    outcomes = [game(f"{at:04}", "ann", "bob", (at + 2, 1), "error") for at in range(200)]
    faults = Selection("faults")
    pools = [
        [each._replace(pool=title, game=each.game._replace(id=title + each.game.id))
         for each in candidates(outcomes, selection=faults)]
        for title in "abc"
    ]  # fmt: skip
    games = choose_games(pools, faults)
    assert len(games) == MOST
    assert [sum(each.pool == title for each in games) for title in "abc"] == [100, 100, 100]


def test_bots_take_turns_as_pools_do() -> None:
    first = [
        [each.why[0].split("'")[0] for each in candidates(SOME, pool=pool)
         if each.kind == "best" and each.rank == 0]
        for pool in range(4)
    ]  # fmt: skip
    assert first == [["ann"], ["bob"], ["cid"], ["ann"]]


def test_what_a_kind_has_room_for_leaves_room_for_line_ups() -> None:
    assert sum(ROOM.values()) < MOST


def test_what_is_asked_for_is_read_and_anything_else_refused() -> None:
    assert [parse_selection(text) for text in ("", "all", "faults", "3")] == [
        USUAL,
        Selection("all"),
        Selection("faults"),
        Selection("line-ups", 3),
    ]
    with pytest.raises(UsageError, match=r"--games: found 'fault'; did you mean 'faults'\?"):
        parse_selection("fault")
    with pytest.raises(UsageError, match="it takes all, faults, upsets, or how many a line-up"):
        parse_selection("0")
