"""Games that begin by a script: with steps played before any bot is asked."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import games
from arena import ids
from arena.insight.positions import list_steps
from arena.model import Fixture, Pool
from arena.session.game import Beginning, Script
from tests.places import source
from tests.sessions import FIRST, LIMITS, SECRET, Bench

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

POOLS = [
    Pool("no_thanks", 3, "{}", ""),
    Pool("diciassette", 3, "{}", ""),
    Pool("sixteen", 4, "{}", "same"),
]
COUNTS = source("counts")
SOUND = {"a": COUNTS, "b": COUNTS, "c": FIRST}
FAILS, DIES = (
    {**SOUND, "a": COUNTS.replace("self.asked += 1\n", f"self.asked += 1\n        {line}\n")}
    for line in (
        "if view.table % 4 == 0 and self.asked == 2: 1 / 0",
        "if view.table % 20 == 0 and self.asked == 3: __import__('os')._exit(1)",
    )
)
Prefix = Callable[[dict[str, Any]], int]  # how many actions of a record a game begins with


class Again(Script):
    """Begins games as they were played, with their own numbers and the first of their actions."""

    at_once = 32

    def __init__(self, pool: Pool, played: dict[str, dict[str, Any]], prefix: Prefix) -> None:
        self.pool, self.rules, self.played = pool, games.load(pool.game), played
        self.lengths = {id: prefix(record) for id, record in played.items()}
        self.key = ids.bots_key(SECRET)

    def begin(self, fixture: Fixture) -> Beginning:
        line_up, where = ids.find_deck(False, fixture.line_up, fixture.seating)
        options, seats = self.rules.Options(), self.pool.players
        given = self.rules, options, SECRET, self.pool, line_up, fixture.deal, where
        setup = ids.deal_setup(*given)
        course = self.played[fixture.id]["actions"][: self.lengths[fixture.id]]
        steps = list_steps(self.rules.State(options, seats, setup), course, 0)
        return self.rules.State(options, seats, setup), steps

    def numbers(self, fixture: Fixture) -> ids.SeatNumbers:
        return ids.draw_numbers(self.key, False, self.pool, fixture)


def some(record: dict[str, Any]) -> int:
    """A number of actions, drawn by the game: none or all, too."""
    return Random(record["meta"]["id"]).randrange(len(record["actions"]) + 1)


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.title)
@pytest.mark.parametrize(
    "prefix", [lambda record: 0, some, lambda record: len(record["actions"]) - 1]
)
def test_a_bot_with_a_memory_plays_on_as_before(bench: Bench, pool: Pool, prefix: Prefix) -> None:
    """It counts its questions and draws a number at each: asked once too often, it would differ."""
    deals = 20 if pool.partners else 40  # games enough for a session to begin some later
    played = bench.play(SOUND, pool, deals=deals)
    again = bench.play(SOUND, pool, deals=deals, script=Again(pool, played, prefix))
    assert [id for id, record in played.items() if again[id] != record] == []
    assert all(tally.notes == () for tally in bench.tallies.values())


def test_a_process_that_is_lost_in_such_a_game_costs_that_game_alone(bench: Bench) -> None:
    sound, limits = bench.play(SOUND, deals=80), LIMITS._replace(max_restarts=200)
    again = bench.play(DIES, deals=80, limits=limits, script=Again(POOLS[0], sound, some))
    hit = {id for id, record in again.items() if record["meta"]["faults"]}
    assert 2 < len(hit) < len(again) / 5
    assert {id for id, record in again.items() if record != sound[id]} == hit


def test_a_seat_that_forfeited_in_those_steps_is_asked_no_more(bench: Bench) -> None:
    played = bench.play(FAILS, deals=40)
    forfeits = {id: r["meta"]["faults"][0][2] for id, r in played.items() if r["meta"]["faults"]}
    assert len(forfeits) > 10
    script = Again(POOLS[0], played, lambda record: 1 + forfeits.get(record["meta"]["id"], -1))
    again = bench.play(FAILS, deals=40, script=script)
    for id, record in played.items():
        assert again[id]["meta"].pop("faults") == []
        record["meta"].pop("faults")
        assert again[id] == record
