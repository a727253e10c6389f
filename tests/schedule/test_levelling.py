"""Turns of line-ups: seats and neighbours level over all of them, and no stored game ever lost."""

from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.model import Bot, Fixture, Limits, Pool, StoredPlan, Wanted
from arena.schedule import choices, levelling
from arena.schedule.order import Schedule
from arena.store.plans import keep_choices, keep_plan, load_choices, load_plan
from arena.store.store import Store
from tests.benchmarks.seat_counts import Asked, asked, planned, spread

pytestmark = pytest.mark.whole

Choices = dict[Pool, choices.Choice]

OF_THE_CHECK = [  # schedule, seats and neighbours before, and at most now
    (asked(5, 10), (126, 0), (1, 0)),
    (asked(5, 10, deals=5), (630, 0), (0, 0)),
    (asked(5, 12, line_ups=200), (84, 0), (1, 0)),
    (asked(6, 10), (0, 36), (0, 2)),
    (asked(6, 10, deals=2), (0, 72), (0, 2)),
    (asked(7, 9), (28, 0), (3, 0)),
    (asked(3, 10, 3, 2), (144, 16), (0, 0)),
    (asked(3, 10, 3), (72, 8), (0, 2)),
    (asked(4, 10, 7), (84, 28), (1, 3)),
    (asked(4, 8, 6), (35, 0), (1, 0)),
    (asked(4, 8, 6, line_ups=40, partners="mixed"), (20, 0), (1, 0)),
    pytest.param(asked(4, 20, 7, line_ups=200), (40, 7), (2, 3), marks=pytest.mark.whole),
    (asked(5, 10, gauntlet=True), (126, 0), (1, 0)),
    (asked(5, 8, 7, 3, shared=True), (105, 60), (2, 5)),
    (asked(5, 8, "rotations"), (0, 100), (0, 100)),  # of one order: as documented
    (asked(4, 8), (0, 0), (0, 0)),
]


@pytest.mark.parametrize(("ask", "was", "most"), OF_THE_CHECK, ids=lambda each: str(each)[:60])
def test_seats_and_neighbours_are_level(
    ask: Asked, was: tuple[int, int], most: tuple[int, int]
) -> None:
    k = ask.wanted.entry.pool.entrants
    before, after = (spread(planned(ask, turned), k) for turned in (False, True))
    assert (before.seats, before.neighbours) == was
    assert after.seats <= most[0]
    assert after.neighbours <= most[1]


@pytest.mark.parametrize(
    "k", [2, 3, 4, *(pytest.param(k, marks=pytest.mark.whole) for k in (5, 6))]
)
def test_every_sample_of_any_bots_is_level_to_within_a_few(k: int) -> None:
    """Most less least: 1 would be level; few or odd seatings of five and more stay above it."""
    for bots in (k, k + 1, k + 3):
        for count in (1, 2, 3, 4, 5, 7, 13, 23):
            if count < {2: 2, 3: 6, 4: 24}.get(k, 25):
                for deals in (1, 3):
                    found = spread(planned(asked(k, bots, count, deals)), k)
                    assert found.seats <= 4, (bots, count, deals)
                    assert found.neighbours <= 6, (bots, count, deals)


def made(ask: Asked, before: Choices) -> tuple[Schedule, Choices]:
    (entry,), chosen = choices.make_choices([ask.wanted], before)
    games = planned(ask, turned=False)
    return Schedule(entry, games.identity), chosen


def with_bots(ask: Asked, *names: str) -> Asked:
    bots = tuple(Bot(name, "") for name in sorted(names))
    entry = ask.wanted.entry._replace(bots=bots)
    return Asked(ask.title, ask.wanted._replace(entry=entry))


def ids(games: Schedule) -> set[str]:
    return {game.id for game in games}


def with_all(games: Schedule, names: set[str]) -> set[str]:
    return {game.id for game in games if names >= {bot.name for bot in game.line_up}}


SIX = ("bea", "cid", "dee", "eve", "flo", "gil")
SEVEN = ("ann", *SIX)  # who comes first by name, so that every line-up's number is another
FIVES = asked(5, 6, 24, 2)


def test_a_new_bot_adds_games_and_takes_none_away() -> None:
    small, chosen = made(with_bots(FIVES, *SIX), {})
    large, _ = made(with_bots(FIVES, *SEVEN), chosen)
    assert ids(small) == with_all(large, set(SIX))
    assert len(large) == 21 * 24 * 2  # 7 choose 5
    assert spread(large, 5).seats <= 2


def test_a_bot_that_is_gone_takes_its_own_games_and_comes_back_to_them() -> None:
    whole, chosen = made(with_bots(FIVES, *SEVEN), {})
    without, later = made(with_bots(FIVES, *SIX), chosen)
    assert ids(without) == with_all(whole, set(SIX))
    again, _ = made(with_bots(FIVES, *SEVEN), later)
    assert ids(again) == ids(whole)


def test_more_deals_and_a_changed_config_lose_no_game() -> None:
    first, chosen = made(asked(5, 9, 24, 2, line_ups=12), {})
    for ask in (
        asked(5, 9, 24, 4, line_ups=12),
        asked(5, 9, 24, 2, line_ups=20),
        asked(5, 9, 24, 2),
        asked(5, 9, "all", 2),
    ):
        later, _ = made(ask, chosen)
        assert ids(first) < ids(later), ask.title
    _, between = made(asked(5, 9, 7), chosen)
    assert ids(made(asked(5, 9, 24, 2, line_ups=12), between)[0]) == ids(first)


def test_asked_again_nothing_is_chosen_anew() -> None:
    games, chosen = made(FIVES, {})
    assert made(FIVES, chosen)[1] == chosen
    assert choices.make_choices([FIVES.wanted], chosen)[0] == (games.entry,)


def test_so_many_line_ups_that_chance_levels_them_stay_by_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, chosen = made(with_bots(FIVES, *SIX), {})
    monkeypatch.setattr(levelling, "MOST", 20)
    many, later = made(with_bots(FIVES, *SEVEN), chosen)
    assert ids(few) == with_all(many, set(SIX))
    assert len(many.entry.turns or ()) == 6
    assert [many.number(game) for game in many] == list(range(len(many)))
    monkeypatch.setattr(levelling, "MOST", 1000)
    assert ids(made(with_bots(FIVES, *SEVEN), later)[0]) == ids(many)


# Kept in a store


def stored(wanted: Wanted) -> tuple[StoredPlan, Choices]:
    entries, chosen = choices.make_choices([wanted], {})
    return StoredPlan("cup", True, "walls", Limits(), entries), chosen


def test_a_store_keeps_its_turns(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "new")
    plan, chosen = stored(FIVES.wanted)
    keep_choices(store, chosen)
    keep_plan(store, plan)
    assert load_plan(store) == plan
    assert plan.entries[0].turns is not None
    assert load_choices(store) == chosen
    store.close()


def test_damaged_turns_are_said(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "cup")
    plan, chosen = stored(FIVES.wanted)
    keep_plan(store, plan)
    for turns in (((0, 40),), ((6, 0),), ((-1, 0),), ((1, 0), (0, 0))):
        damaged = plan._replace(entries=(plan.entries[0]._replace(turns=turns),))
        keep_plan(store, damaged)
        with pytest.raises(ArenaError, match=r"its plan is damaged .*turn"):
            load_plan(store)
    (choice,) = chosen.values()
    (own,) = choice.turned
    for wrong in (own._replace(turns=own.turns[1:]), own._replace(turns=(40, *own.turns[1:]))):
        keep_choices(store, {choice.pool: choice._replace(turned=(wrong,))})
        with pytest.raises(ArenaError, match="are damaged"):
            load_choices(store)
    store.close()


def seating_of(game: Fixture) -> tuple[str, ...]:
    return tuple(game.line_up[place].name for place in game.seating)


def test_line_ups_are_turned_differently_and_deals_too() -> None:
    games = list(planned(FIVES))
    assert len({game.seating for game in games[::24]}) > 3  # first seatings of 6 line-ups, 2 deals
    assert seating_of(games[0]) != seating_of(games[6 * 24])
