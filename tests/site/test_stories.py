"""Games that tell a story: who beat whom, by how much, and from how far behind."""

from typing import Any

from arena.model import Outcome, Pool
from arena.records.record import judge_record
from arena.site.stats_pool import collect_games
from arena.site.stories import (
    Comeback,
    Strength,
    Tale,
    find_close_games,
    find_comeback,
    find_narrow,
    find_upsets,
    tell_comebacks,
)

CHIPS = Pool("no_thanks", 3, "{}", "")  # fewest points win
TEAMS = Pool("sixteen", 4, "{}", "mixed")
NAMES = ("ann", "bob", "cid", "dee")


def tale(*outcomes: Outcome, pool: Pool = CHIPS) -> Tale:
    """Return games of bots of which ann is the best, and each next one surely weaker."""
    games = collect_games(pool, NAMES, False, [(each, deal) for deal, each in enumerate(outcomes)])
    return Tale(games, Strength((40.0, 30.0, 20.0, 10.0), (1, 2, 3, 4), 0.1))


def game(id: str, bots: str, *scores: int, fault: str = "") -> Outcome:
    ranks = tuple(1 + sum(other < own for other in scores) for own in scores)
    return Outcome(id, tuple(bots.split()), ranks, scores, (fault, "", ""))


CLEAR = game("a1", "cid ann bob", 10, 40, 50)
NARROW = game("a2", "ann bob cid", 20, 22, 25)
EXPECTED = game("a3", "ann bob cid", 0, 60, 90)
SHARED = game("a4", "ann bob cid", 5, 5, 9)
FORFEITED = game("a5", "ann bob cid", 5, 6, 9, fault="time")


def test_an_upset_says_who_beat_whom_by_how_much() -> None:
    upsets = [*find_upsets(tale(CLEAR, NARROW, EXPECTED), 9)]
    assert [(each.game.id, each.why) for each in upsets] == [
        ("a1", ("cid, 3rd, beats ann, 1st, by 30 points",))
    ]


def test_a_narrow_upset_comes_after_a_clear_one() -> None:
    lucky = game("a0", "dee ann bob", 10, 11, 50)
    upsets = find_upsets(tale(lucky, CLEAR, EXPECTED), 9)
    assert [each.game.id for each in upsets] == ["a1", "a0"]


def test_a_close_game_says_how_close_all_of_them_are() -> None:
    (close,) = find_close_games(tale(CLEAR, NARROW, EXPECTED, SHARED, FORFEITED), 9)
    assert close.why == ("ann, 1st, beats bob, 2nd, by 2 points; all 3 end within 5 points",)
    assert (close.winners, close.losers) == (["ann"], ["bob", "cid"])


def test_a_team_beats_a_team() -> None:
    bots = ("cid", "ann", "dee", "bob")
    won = Outcome("b1", bots, (1, 3, 1, 3), (7, 3, 7, 3), ("",) * 4)
    (upset,) = find_upsets(tale(won, pool=TEAMS), 9)
    assert upset.why == ("cid, 3rd, and dee, 4th, beat ann, 1st, and bob, 2nd, by 4 sets",)
    assert upset.winners == ["cid", "dee"]


def test_comebacks_are_looked_for_in_the_narrowest_games() -> None:
    assert find_narrow(tale(CLEAR, NARROW, EXPECTED, SHARED).games, 2) == ["a2", "a1"]


def test_a_comeback_says_from_how_far_behind_and_opens_there() -> None:
    far, near = Comeback("a2", 60, 88, 31), Comeback("a1", 70, 80, 1)
    (told,) = tell_comebacks(tale(CLEAR, NARROW, EXPECTED), [near, far])
    words = "ann, 1st, was last, 31 points behind at step 60 of 88 and wins by 2 points"
    assert (told.why, told.reasons[0].step) == ((words,), 60)


HIGH, BETWEEN, LOW = range(35, 20, -2), range(34, 21, -2), range(19, 2, -2)


def come_back() -> dict[str, Any]:
    """Return a record in which seat 0 takes all cards from 35 to 21, first every second one, then
    what lies between and makes a run of them; the others have to take what is left.
    """
    deck = [*HIGH, *BETWEEN, *LOW]
    takes = (
        [(0, "take")] * 15 + [(0, "pass")] + [(1, "take")] * 3 + [(1, "pass")] + [(2, "take")] * 6
    )
    return {
        "v": 1, "game": "no_thanks", "players": 3, "options": {},
        "setup": {"deck": deck, "removed": [4, 6, 8, 10, 12, 14, 16, 18, 20], "first": 0},
        "actions": [[*each] for each in takes],
        "result": {"ranks": [1, 3, 2], "scores": [11, 40, 36], "reason": "complete"},
    }  # fmt: skip


def test_a_comeback_is_where_the_winner_was_last_by_most_in_the_second_half() -> None:
    record = come_back()
    assert judge_record(record).result() == record["result"]
    # At 13 of 26, by hand: 25 + 23 + 21 points less 11 chips, where the others have only chips.
    assert find_comeback(record, "c1") == Comeback("c1", 13, 26, 58 + 11)
    record["result"]["ranks"] = [2, 3, 1]  # had seat 2 won: it was never last
    assert find_comeback(record, "c1") is None


def test_without_games_there_is_no_story() -> None:
    assert [
        *find_upsets(tale(), 9),
        *find_close_games(tale(), 9),
        *tell_comebacks(tale(), []),
    ] == []
    assert find_narrow(tale().games, 9) == []
