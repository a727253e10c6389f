"""Bots' own decisions are charged what bots do, and nothing of what is done around them."""

import time
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import games
from tests.benchmarks import house
from tests.benchmarks.house import Deal, decide_of, measured, play

pytestmark = pytest.mark.whole

BURN_S = 0.002
KINDS = {
    "decide": "def decide(view):\n    return view.legal[-1]\n",
    "Bot": "class Bot:\n    def __init__(self, game):\n        self.seat = game.seat\n"
    "    def decide(self, view):\n        assert view.seat == self.seat\n"
    "        return view.legal[-1]\n",
    "decide_many": "def decide_many(views, rngs):\n    assert len(views) == len(rngs)\n"
    "    return [view.legal[-1] for view in views]\n",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("game", "players"), [("no_thanks", 3), ("sixteen", 4)])
def test_all_kinds_of_bots_play_the_games_of_a_plain_loop(
    game: str, players: int, kind: str
) -> None:
    rules, bot = games.load(game), ModuleType("bot")
    exec(KINDS[kind], bot.__dict__)
    options, bots = rules.Options(), tuple(f"bot{seat}" for seat in range(players))
    dealt = [rules.deal(options, players, Random(number)) for number in range(300)]  # two batches
    deals = [Deal(rules, options, setup, bots) for setup in dealt]
    made = play(deals, dict.fromkeys(bots, decide_of(bot)), None)
    for setup, decisions in zip(dealt, made, strict=True):
        state, wanted = rules.State(options, players, setup), []
        while state.to_act is not None:
            if state.has_choice():
                wanted.append(state.legal()[-1])
            state.apply(state.legal()[-1])
        assert decisions == wanted
    assert play(deals, {}, made) == made


def test_what_bots_burn_is_their_own_and_the_loop_is_not() -> None:
    def burn(playing: Any, views: Any) -> list[str]:
        until_s = time.process_time() + BURN_S * len(views)
        while time.process_time() < until_s:
            pass
        return ["take"] * len(views)

    records = [
        {"game": "no_thanks", "players": 3, "options": {},
         "meta": {"id": f"{number:020x}", "bots": ["ann", "bob", "cid"]}}
        for number in range(20)
    ]  # fmt: skip
    told = measured(records, lambda name: burn)
    assert told["games"] == 20
    assert told["decisions"] == 20 * 24  # each card is taken at once
    assert told["own_s"] == pytest.approx(480 * BURN_S, rel=0.05)


@pytest.mark.long
def test_a_tournament_of_the_house_is_taken_in_two(tmp_path: Path) -> None:
    config = tmp_path / "few.toml"
    bots = ", ".join(f'"bots/{name}"' for name in ("almanac", "arrays.py", "champion.py"))
    pools = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 20\n'
    config.write_text(f"bots = [{bots}, 'bots/ledger.py']\nworkers = 1\n{pools}")
    cost = house.cost(config, 1)
    assert cost.games == 4 * 6 * 20
    assert 0.01 < cost.own_s < cost.else_s
