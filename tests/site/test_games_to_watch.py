"""The choice of games to watch, and those that tell a story: which, in which order, and why."""

import pytest

from arena.model import Outcome, Pool
from arena.records.record import judge_record
from arena.site import games_to_watch
from arena.site.games_to_watch import ROOM, choose_games, find_candidates
from arena.site.stats import games_of_bots
from arena.site.stats_pool import Games, collect_games, pool_stats
from arena.site.stories import (
    KINDS,
    Comeback,
    Strength,
    Tale,
    WatchedGame,
    Why,
    find_close_games,
    find_comeback,
    find_narrow,
    find_upsets,
    tell_comebacks,
)

DUEL = Pool("sixteen", 2, "{}", "")
EVEN = Strength((25.0, 25.0, 25.0), (1, 1, 1), 0.1)
APART = Strength((35.0, 25.0, 15.0), (1, 2, 3), 0.1)  # ann, bob, cid


def game(id: str, one: str, other: str, points: tuple[int, int], fault: str = "") -> Outcome:
    """Return a duel that the first to be named won, unless they tied."""
    ranks = (1, 1) if points[0] == points[1] else (1, 2)
    return Outcome(id, (one, other), ranks, points, ("", fault))


def played(*outcomes: Outcome) -> Games:
    return collect_games(DUEL, ["ann", "bob", "cid"], False, [(each, 0) for each in outcomes])


def candidates(outcomes: list[Outcome], strength: Strength = EVEN) -> list[WatchedGame]:
    games = played(*outcomes)
    return find_candidates(games, pool_stats(games), strength)


def watched(outcomes: list[Outcome]) -> tuple[WatchedGame, ...]:
    return choose_games([candidates(outcomes)], bots=games_of_bots([pool_stats(played(*outcomes))]))


SOME = [
    game("a1", "ann", "bob", (5, 3)),
    game("a2", "cid", "ann", (6, 5)),
    game("a3", "ann", "cid", (7, 2)),
    game("a4", "bob", "cid", (9, 9)),
    game("a5", "ann", "bob", (9, 0), "time"),
    game("a6", "cid", "ann", (8, 1)),
]


def test_a_cause_of_faults_is_seen_in_one_game_at_its_step() -> None:
    why = Why("fault", "bob forfeits", -122, "bob", step=7, seat=1)
    games = played(*SOME)
    found = find_candidates(games, pool_stats(games), EVEN, causes={"a5": [why], "b1": [why]})
    (fault,) = [each for each in found if each.kind == "fault"]
    (why,) = fault.reasons
    assert (fault.game.id, why.words, why.step, why.seat) == ("a5", "bob forfeits", 7, 1)


def test_upsets_come_first_and_chance_last_and_among_equals_there_are_none() -> None:
    games = choose_games([candidates(SOME, APART)])
    kinds = [KINDS.index(each.kind) for each in games]
    assert kinds == sorted(kinds)
    assert games[0].kind == "upset"
    assert "upset" not in {each.kind for each in candidates(SOME, EVEN)}


def test_each_bot_has_its_own_games_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_to_watch, "MOST", 1)
    monkeypatch.setattr(games_to_watch, "ROOM", dict.fromkeys(KINDS, 0))
    own = games_of_bots([pool_stats(played(*SOME))])
    chosen = {each.game.id for each in watched(SOME)}
    assert chosen == {game.game.id for bot in own.values() for _, game in bot.by_kind}
    assert len(chosen) > 1


def test_each_line_up_has_a_game_that_nobody_forfeited_if_it_can() -> None:
    outcomes = [game("a0", "ann", "bob", (9, 0), "error"), *SOME]
    lines = [each for each in candidates(outcomes) if each.kind == "line-up"]
    assert [each.game.id for each in lines] == ["a1", "a2", "a4"]


def test_a_game_chosen_twice_is_there_once_with_both_reasons() -> None:
    games = {each.game.id: each.why for each in watched(SOME)}
    assert len(games) == len(watched(SOME))
    both = {"ann's best game: wins by 5 sets", "cid's worst game: 5 sets behind the winner"}
    assert both <= {*games["a3"]}


def test_of_many_pools_each_has_its_turn_until_the_room_of_a_kind_is_full() -> None:
    bots = [f"{place:02}" for place in range(40)]
    strength = Strength(tuple(40.0 - 4 * place for place in range(40)), tuple(range(1, 41)), 0.1)
    pools = []
    for title in "abc":
        wins = [game(f"{title}{low}", low, bots[0], (5, 1)) for low in bots[1:]]
        games = collect_games(DUEL, bots, False, [(each, 0) for each in wins])
        found = find_candidates(games, pool_stats(games), strength)
        pools.append([each._replace(pool=title) for each in found])
    upsets = [each.pool for each in choose_games(pools) if each.kind == "upset"]
    assert len(upsets) == ROOM["upset"]
    assert [upsets.count(title) for title in "abc"] == [14, 13, 13]


NAMES = ("ann", "bob", "cid", "dee")


def tale(*outcomes: Outcome) -> Tale:
    """Return games of bots: ann is the best, and each next one surely weaker."""
    pool = Pool("no_thanks", 3, "{}", "")  # fewest points win
    games = collect_games(pool, NAMES, False, [(each, deal) for deal, each in enumerate(outcomes)])
    return Tale(games, Strength((40.0, 30.0, 20.0, 10.0), (1, 2, 3, 4), 0.1))


def chips_game(id: str, bots: str, *scores: int, fault: str = "") -> Outcome:
    ranks = tuple(1 + sum(other < own for other in scores) for own in scores)
    return Outcome(id, tuple(bots.split()), ranks, scores, (fault, "", ""))


CLEAR = chips_game("a1", "cid ann bob", 10, 40, 50)
NARROW = chips_game("a2", "ann bob cid", 20, 22, 25)
EXPECTED = chips_game("a3", "ann bob cid", 0, 60, 90)


def test_an_upset_says_who_beat_whom_by_how_much_and_a_narrow_one_comes_later() -> None:
    lucky = chips_game("a0", "dee ann bob", 10, 11, 50)
    clear, narrow = find_upsets(tale(lucky, CLEAR, NARROW, EXPECTED), 9)
    assert (clear.game.id, narrow.game.id) == ("a1", "a0")
    assert clear.why == ("cid, 3rd, beats ann, 1st, by 30 points",)


def test_a_close_game_says_how_close_all_of_them_are() -> None:
    shared = chips_game("a4", "ann bob cid", 5, 5, 9)
    forfeited = chips_game("a5", "ann bob cid", 5, 6, 9, fault="time")
    (close,) = find_close_games(tale(CLEAR, NARROW, EXPECTED, shared, forfeited), 9)
    assert close.why == ("ann, 1st, beats bob, 2nd, by 2 points; all 3 end within 5 points",)
    assert (close.winners, close.losers) == (["ann"], ["bob", "cid"])


def test_comebacks_are_looked_for_in_the_narrowest_games() -> None:
    assert find_narrow(tale(CLEAR, NARROW, EXPECTED).games, 2) == ["a2", "a1"]
    assert find_narrow(tale().games, 9) == []
    assert [*find_upsets(tale(), 9)] == []


def test_a_comeback_says_from_how_far_behind_and_opens_there() -> None:
    far, near = Comeback("a2", 60, 88, 31), Comeback("a1", 70, 80, 1)
    (told,) = tell_comebacks(tale(CLEAR, NARROW, EXPECTED), [near, far])
    words = "ann, 1st, was last, 31 points behind at step 60 of 88 and wins by 2 points"
    assert (told.why, told.reasons[0].step) == ((words,), 60)


def test_a_comeback_is_where_the_winner_was_last_by_most_in_the_second_half() -> None:
    """Seat 0 takes all cards from 35 to 21, first every second one, then what lies between and
    makes a run of them; the others have to take what is left.
    """
    cards = [*range(35, 20, -2), *range(34, 21, -2), *range(19, 2, -2)]
    takes = [*[(0, "take")] * 15, (0, "pass"), *[(1, "take")] * 3, (1, "pass"), *[(2, "take")] * 6]
    result = {"ranks": [1, 3, 2], "scores": [11, 40, 36], "reason": "complete"}
    record = {
        "v": 1, "game": "no_thanks", "players": 3, "options": {}, "actions": [*map(list, takes)],
        "setup": {"deck": cards, "removed": [*range(4, 21, 2)], "first": 0}, "result": result,
    }  # fmt: skip
    assert judge_record(record).result() == result
    # At 13 of 26, by hand: 25 + 23 + 21 points less 11 chips, where the others have only chips.
    assert find_comeback(record, "c1") == Comeback("c1", 13, 26, 58 + 11)
    result["ranks"] = [2, 3, 1]  # had seat 2 won: it was never last
    assert find_comeback(record, "c1") is None
