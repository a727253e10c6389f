"""Shards: whose each line-up is, counted another way."""

import hashlib
import re
from itertools import combinations

import pytest

from arena.ids import Identity, line_up_id
from arena.model import Bot, Entry, Limits, Pool
from arena.schedule.order import Schedule
from arena.schedule.shards import Shard, by_shard, own, shard_of

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(f"b{number}", "0f") for number in range(7))


def games(deals: int = 3) -> Schedule:
    entry = Entry(POOL, BOTS, deals, "auto", False)
    return Schedule(entry, Identity(POOL, 1, Limits(), "walls", False))


@pytest.mark.parametrize("word", ["", "1", "0/3", "4/3", "-1/3", "1/0", "1/3 ", "1/3/5", "a/b",
                                  "1.5/3", "1/1000000", "\u0661/3"])  # fmt: skip
def test_a_shard_is_said_as_i_of_n(word: str) -> None:
    assert shard_of("2/3") == (2, 3)
    assert str(shard_of("2/3")) == "2/3"
    with pytest.raises(ValueError, match=f"^{re.escape(word)}$"):
        shard_of(word)


def test_a_line_up_s_id_is_the_hash_that_the_readme_says() -> None:
    text = '["arena line-up",["no_thanks",3,"{}",""],[["b0","0f"],["b1","0f"],["b2","0f"]]]'
    assert line_up_id(POOL, BOTS[:3]) == hashlib.sha256(text.encode()).hexdigest()[:20]


@pytest.mark.parametrize("of", [1, 2, 3, 10])
def test_every_game_is_in_one_shard_with_all_games_of_its_line_up(of: int) -> None:
    schedule = games()
    numbers = range(len(schedule))
    shards = [own(schedule, numbers, Shard(number, of)) for number in range(1, of + 1)]
    assert sorted(number for shard in shards for number in shard) == list(numbers)
    line_ups = [{schedule[number].line_up for number in shard} for shard in shards]
    assert sum(map(len, line_ups)) == len(list(combinations(BOTS, 3)))
    for number, each in enumerate(line_ups, 1):
        assert {int(line_up_id(POOL, line_up), 16) % of for line_up in each} <= {number % of}
    assert by_shard(schedule, numbers, of) == {
        number: len(shard) for number, shard in enumerate(shards, 1) if shard
    }


def test_a_further_stage_leaves_every_line_up_in_its_shard() -> None:
    shard = Shard(2, 3)
    few, many = games(deals=1), games(deals=4)
    first, later = (
        {each[number].line_up for number in own(each, range(len(each)), shard)}
        for each in (few, many)
    )
    assert first == later
