"""The yardstick of the site publishes games that were played."""

import json

import pytest

import games
from arena.model import Bot, Fixture, Pool
from arena.records.format import line_of
from arena.records.judge import judge
from tests.benchmarks.site import records


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("fault", [False, True])
def test_its_records_are_whole_games_by_the_rules(name: str, fault: bool) -> None:
    seats = games.load(name).seat_counts(games.load(name).Options())[0]
    pool = Pool(name, seats, "{}", "")
    bots = tuple(Bot(f"bot{seat}", "") for seat in range(seats))
    fixture = Fixture("ab", bots, tuple(range(seats)), 0)
    forfeits = [(0, "error", 0)] if fault else []
    record = json.loads(line_of(pool, fixture, forfeits, records(pool)(fault)))
    judged = judge(record)
    assert judged.agree, judged.why
    assert record["result"].get("forfeits", []) == ([0] if fault else [])
