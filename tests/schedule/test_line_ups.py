"""Samples of line-ups: balanced, and only ever extended."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.model import Bot, Entry, Pool
from arena.schedule.line_ups import Names, sample_line_ups, weigh_line_ups


def names(count: int) -> list[str]:
    return [f"b{number:02}" for number in range(count)]


def games(drawn: Sequence[Names], bots: Sequence[str]) -> list[int]:
    counts = Counter(bot for line_up in drawn for bot in line_up)
    return [counts[bot] for bot in bots]


def is_sound(drawn: Sequence[Names], bots: Sequence[str], size: int, share: int) -> bool:
    """Return whether they are different sets that hang together, with its share for each bot."""
    met = {bots[0]}
    while more := {*met, *(bot for line_up in drawn if met & {*line_up} for bot in line_up)} - met:
        met |= more
    sets = len(set(drawn)) == len(drawn) and all(len(set(one)) == size for one in drawn)
    sets = sets and met == set(bots) and min(games(drawn, bots)) >= share
    return sets and all(list(one) == sorted(one) for one in drawn)


@pytest.mark.parametrize(
    ("bots", "size", "count"),
    [(20, 4, 15), (20, 4, 97), (9, 4, 60), (12, 3, 219), (8, 2, 14), (7, 5, 20), (15, 6, 40)],
)
def test_every_bot_plays_as_often_as_every_other_to_within_one(
    bots: int, size: int, count: int
) -> None:
    drawn = sample_line_ups([], names(bots), size, count)
    assert len(drawn) == count
    assert is_sound(drawn, names(bots), size, count * size // bots)
    played = games(drawn, names(bots))
    assert max(played) - min(played) < 2
    assert sample_line_ups([], Random(5).sample(names(bots), bots), size, count) == drawn


def test_more_line_ups_than_there_are_is_all_of_them() -> None:
    some = sample_line_ups([], names(6), 3, 7)
    more = sample_line_ups(some, names(6), 3, 10_000)
    assert more[:7] == some
    assert sorted(more) == list(combinations(names(6), 3))


@pytest.mark.whole
def test_a_larger_number_extends_the_sample_and_is_level_and_a_smaller_takes_its_beginning() -> (
    None
):
    began = process_time()
    few = sample_line_ups([], names(20), 4, 100)
    many = sample_line_ups(few, names(20), 4, 400)
    assert process_time() - began < 5
    assert many[:100] == few
    assert len(many) == 400
    assert set(games(many, names(20))) == {80}  # 400 x 4 / 20
    met = Counter(pair for line_up in many for pair in combinations(line_up, 2)).values()
    assert len(met) == 190
    assert max(met) <= 1.2 * min(met)  # 400 x 6 / 190 = 12.6 on average
    assert sample_line_ups(many, names(20), 4, 100) == few


def test_a_new_bot_gets_its_share_of_line_ups_and_takes_none_away() -> None:
    before = sample_line_ups([], names(20), 4, 100)
    after = sample_line_ups(before, names(21), 4, 100)
    assert after[:100] == before
    assert len(after) == 100 + 100 * 4 // 21
    assert all("b20" in line_up for line_up in after[100:])
    assert is_sound(after, names(21), 4, 100 * 4 // 21)
    assert sample_line_ups(after, names(21), 4, 100, {*after}) == after
    with_new = Counter(bot for line_up in after[100:] for bot in line_up)
    assert {with_new[bot] for bot in names(20)} == {2, 3}  # 19 x 3 / 20


@pytest.mark.parametrize(("coming", "size"), [(4, 2), (4, 4)])
def test_newcomers_meet_all_others_alike(coming: int, size: int, seed: int) -> None:
    """Five weeks of newcomers on ten bots; once they met none but each other."""
    rng, met, fair = Random(seed), 0, 0.0
    bots = [f"b{rng.random()}" for _ in range(10)]
    drawn = sample_line_ups([], bots, size, len(bots) * 24 // size)
    for _ in range(5):
        new = {f"b{rng.random()}" for _ in range(coming)}
        bots += new
        kept = {*drawn}
        drawn = sample_line_ups(drawn, bots, size, len(bots) * 24 // size, kept)
        opponents = [len(new.intersection(one)) - 1 for one in drawn for bot in one if bot in new]
        met += sum(opponents)
        fair += len(opponents) * (size - 1) * (coming - 1) / (len(bots) - 1)
        assert {*drawn} >= kept
        assert all(new.intersection(one) for one in drawn if one not in kept)
    assert abs(met - fair) < 6 * sqrt(fair), (met, fair)


def drawn_entry(line_ups: Sequence[str], came: Sequence[int], **terms: Any) -> Entry:
    bots = "abcdefgh"[: len(came)]
    places = tuple(tuple(bots.index(bot) for bot in line_up) for line_up in line_ups)
    entry = Entry(
        Pool("no_thanks", len(line_ups[0]), "{}", ""), tuple(Bot(bot, "") for bot in bots),
        1, "auto", False, places, drawn_before=tuple(came),
    )  # fmt: skip
    return entry._replace(**terms)


def test_line_ups_of_newcomers_stand_for_as_many_as_could_have_been_drawn() -> None:
    entry = drawn_entry(["ab", "bc", "cd", "be"], (0, 0, 0, 0, 3))
    weights = weigh_line_ups(entry)  # 3 of the 6 without e, 1 of the 4 with it
    assert weights == {("a", "b"): 0.8, ("b", "c"): 0.8, ("c", "d"): 0.8, ("b", "e"): 1.6}
    entry = drawn_entry(["abc", "acd", "abe"], (5, 0, 0, 0, 3), fixed_bots=("a",))
    weights = weigh_line_ups(entry)  # 2 of the 3 without e, 1 of the 3 with it
    assert weights == {("a", "b", "c"): 0.75, ("a", "c", "d"): 0.75, ("a", "b", "e"): 1.5}


def test_bots_that_came_together_weigh_the_same_and_all_line_ups_nothing() -> None:
    sample = drawn_entry(["ab", "bc", "cd"], (0, 0, 0, 0))
    assert weigh_line_ups(sample) == dict.fromkeys([("a", "b"), ("b", "c"), ("c", "d")], 1)
    assert weigh_line_ups(sample._replace(drawn_before=())) == weigh_line_ups(sample)
    assert weigh_line_ups(drawn_entry(["ab", "bc", "ac"], (0, 0, 1))) is None
    assert weigh_line_ups(sample._replace(line_ups=None)) is None
    assert weigh_line_ups(sample._replace(fixed_bots=("a", "b"))) is None


@pytest.mark.parametrize(("bots", "size", "count"), [(20, 2, 10), (30, 3, 10), (40, 2, 40)])
def test_a_sample_too_small_to_hang_together_is_extended(bots: int, size: int, count: int) -> None:
    """Forty bots with two line-ups each fell apart into three groups."""
    drawn = sample_line_ups([], names(bots), size, count)
    assert is_sound(drawn, names(bots), size, count * size // bots)
    assert count < len(drawn) <= 3 * count


@settings(max_examples=12)
@given(data=st.data(), size=st.integers(2, 4))
def test_whatever_comes_and_goes_all_have_their_share_and_what_was_drawn_stays(
    data: st.DataObject, size: int
) -> None:
    drawn: list[Names] = []
    kept: list[Names] = []
    most = 0
    for _ in range(8):
        bots = sorted(data.draw(st.sets(st.sampled_from(names(14)), min_size=size)))
        count = data.draw(st.integers(len(bots), 40))
        kept = kept if count >= most else []
        used = sample_line_ups(drawn, bots, size, count, kept)
        share = min(count, comb(len(bots), size)) * size // len(bots)
        assert len(used) >= min(count, comb(len(bots), size))
        assert is_sound(used, bots, size, share)
        assert {one for one in kept if {*one} <= {*bots}} <= {*used}
        kept, most = list(dict.fromkeys([*kept, *used])), count
        drawn = list(dict.fromkeys([*kept, *drawn]))
        assert sample_line_ups(drawn, bots, size, count, kept) == used
