"""What a config leaves open: chosen once, kept, and only extended."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.model import Bot, Entry, Limits, Pool, SequentialTest, StoredPlan, Wanted
from arena.schedule import choices
from arena.schedule.choices import Choice
from arena.schedule.line_ups import LineUps
from arena.schedule.seatings import count_decks_of_deal
from arena.sequential import stages
from arena.store import schema
from arena.store.plans import keep_choices, keep_plan, load_choices, load_plan
from arena.store.store import Store

POOL = Pool("no_thanks", 3, "{}", "")


def wanted(bots: int, line_ups: int | None = None, pool: Pool = POOL) -> Wanted:
    named = tuple(Bot(f"b{number:02}", "") for number in range(bots))
    return Wanted(Entry(pool, named, 2, "auto", False), line_ups)


def test_what_leaves_nothing_open_is_as_it_is_and_nothing_is_chosen() -> None:
    assert choices.make_choices([wanted(5)], {}) == ((wanted(5).entry,), {})


def test_line_ups_are_drawn_once_and_extended_for_bots_that_come_or_come_back() -> None:
    (before,), chosen = choices.make_choices([wanted(9, 12)], {})
    assert before.line_ups is not None
    assert len(before.line_ups) == len(chosen[POOL].line_ups) == 12
    (after,), more = choices.make_choices([wanted(10, 12)], chosen)
    assert after.line_ups is not None
    assert after.line_ups[:12] == before.line_ups
    assert more[POOL].line_ups[:12] == chosen[POOL].line_ups
    assert choices.make_choices([wanted(10, 12)], more) == ((after,), more)
    _, chosen = choices.make_choices([wanted(8, 12)], chosen)
    (again,), _ = choices.make_choices([wanted(10, 12)], chosen)
    assert before.drawn_before == (0,) * 9
    assert again.drawn_before == (*before.drawn_before, len(chosen[POOL].line_ups))


def test_a_league_that_grows_keeps_all_its_line_ups_though_its_number_stays() -> None:
    drawn, chosen = 0, dict[Pool, Choice]()
    for bots in range(9, 19):
        (entry,), chosen = choices.make_choices([wanted(bots, 36)], chosen)
        assert len(entry.line_ups or ()) == len(chosen[POOL].line_ups)
        assert max(entry.drawn_before) == drawn
        drawn = len(entry.line_ups or ())
    assert drawn > 36 + 9 * 6
    (entry,), chosen = choices.make_choices([wanted(18, 20)], chosen)
    assert len(entry.line_ups or ()) < drawn
    assert choices.make_choices([wanted(18, 20)], chosen) == ((entry,), chosen)


def test_in_a_gauntlet_its_bot_is_drawn_into_all_and_the_others_equally_often() -> None:
    ask = wanted(9, 12)
    ask = ask._replace(entry=ask.entry._replace(fixed_bots=("b04",)))
    (entry,), chosen = choices.make_choices([ask], {})
    met = Counter(bot.name for line_up in LineUps(entry) for bot in line_up)
    assert met == {"b04": 12} | {f"b{n:02}": 3 for n in (0, 1, 2, 3, 5, 6, 7, 8)}
    assert choices.make_choices([ask], chosen) == ((entry,), chosen)


def at_looks(entry: Entry) -> list[list[frozenset[str]]]:
    assert entry.test
    looks = (stages.limit_to_look(entry, look) for look in range(entry.test.look_count))
    return [[frozenset(bot.name for bot in each) for each in LineUps(look)] for look in looks]


def test_each_look_adds_to_the_line_ups_of_the_look_before_also_once_bots_have_come() -> None:
    def settled(bots: int) -> Wanted:
        ask = wanted(bots, 280)
        decks = count_decks_of_deal(ask.entry, 280)
        entry = stages.plan_stages(ask.entry._replace(deals=1), decks, 0.95, 280)
        return ask._replace(entry=entry)

    (before,), chosen = choices.make_choices([settled(20)], {})
    looks = at_looks(before)
    assert [*map(len, looks)] == [134, 154, 180, 207, 240, 280]
    for some, each in zip(looks, (20, 23, 27, 31, 36, 42), strict=True):
        assert looks[-1][: len(some)] == some
        games = Counter(bot for line_up in some for bot in line_up)
        assert {*games.values()} <= {each, each + 1}
    (after,), more_chosen = choices.make_choices([settled(22)], chosen)
    grown = at_looks(after)
    assert {*looks[0]} <= {*grown[0]}  # what the first look counted, it counts still
    assert {*looks[-1]} <= {*grown[-1]}  # and no game was in vain
    games = Counter(bot for line_up in grown[0] for bot in line_up)
    assert min(games.values()) >= 20
    assert choices.make_choices([settled(22)], more_chosen) == ((after,), more_chosen)


def test_when_all_line_ups_are_drawn_they_are_a_sample_no_more_and_lead_the_next_one() -> None:
    (every,), chosen = choices.make_choices([wanted(5, 10)], {})
    assert every.line_ups is None
    (grown,), _ = choices.make_choices([wanted(9, 30)], chosen)
    names = [tuple(bot.name for bot in line_up) for line_up in LineUps(grown)]
    assert names[:10] == [*chosen[POOL].line_ups]
    assert len(names) < 84


def test_a_changed_bot_and_a_pool_that_comes_back_play_the_line_ups_drawn_before() -> None:
    ask = wanted(9, 12)
    before, chosen = choices.make_choices([ask], {})
    _, between = choices.make_choices([wanted(9, pool=POOL._replace(players=4))], chosen)
    assert choices.make_choices([ask], between) == (before, chosen)
    bots = tuple(bot._replace(hash="new") for bot in ask.entry.bots)
    changed = ask._replace(entry=ask.entry._replace(bots=bots))
    assert choices.make_choices([changed], chosen) == ((before[0]._replace(bots=bots),), chosen)


def test_choices_are_kept_with_the_results_and_damage_is_said(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "cup")
    assert load_choices(None) == load_choices(store) == {}
    (entry,), made = choices.make_choices([wanted(9, 12)], {})
    keep_choices(store, made)
    came = tuple((f"b{number:02}", 0) for number in range(9))
    kept = Choice(POOL, made[POOL].line_ups, came=came, drawn=((12, 12),))
    assert load_choices(store) == made == {POOL: kept}
    store.set_meta("choices", "[[")
    with pytest.raises(ArenaError, match=rf"{schema.FILE}: the drawn line-ups are dam"):
        load_choices(store)
    (entry,), made = choices.make_choices([wanted(6, pool=POOL._replace(players=5))], {})
    assert entry.seating_turns is not None
    ((choice,), plan) = made.values(), StoredPlan("cup", True, "walls", Limits(), (entry,))
    keep_choices(store, made)
    keep_plan(store, plan)
    assert (load_plan(store), load_choices(store)) == (plan, made)
    (turned,) = choice.turned
    for turns in (turned.turns[1:], (40, *turned.turns[1:])):
        keep_choices(store, {choice.pool: choice._replace(turned=(turned._replace(turns=turns),))})
        with pytest.raises(ArenaError, match="are damaged"):
            load_choices(store)
    store.close()


def test_a_plan_that_nobody_makes_is_damaged(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "cup")
    looks, turn = "its looks are not valid", r"its plan is damaged .*turn"
    damaged: list[tuple[dict[str, Any], str]] = [
        ({"drawn_before": (0, 0)}, "it has 6 bots, and 2 came"),
        ({"test": SequentialTest(0.95, 100, 10, 0, 1)}, "its test is of version 1, not 2"),
        ({"test": SequentialTest(0.95, 100, 9, 20, 2)}, looks),
        ({"test": SequentialTest(0.95, 100, 1, 101, 2)}, looks),
        ({"test": SequentialTest(0.95, 1, 1, 1, 2, line_up_counts=(2,))}, looks),
        *(
            ({"seating_turns": turns}, turn)
            for turns in (((0, 40),), ((6, 0),), ((-1, 0),), ((1, 0), (0, 0)))
        ),
    ]
    entry = wanted(6, pool=POOL._replace(players=5)).entry._replace(deals=100)
    for change, why in damaged:
        keep_plan(store, StoredPlan("cup", True, "walls", Limits(), (entry._replace(**change),)))
        with pytest.raises(ArenaError, match=why):
            load_plan(store)
    store.close()
