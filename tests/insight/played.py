"""Games for tests of the wing: played by a session, or at random, and opened as stored ones are."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import games
from arena.insight.positions import Recorded
from arena.league.files import Source, hash_source
from arena.model import Bot, Fixture, Pool
from tests.games.cases import Case
from tests.games.playing import play

NO_BOT = Bot("random", "0")


def source_of(text: str) -> Source:
    """Return a bot's source."""
    return Source((("bot.py", text.encode()),))


def recorded_of(record: Mapping[str, Any], pool: Pool, texts: Mapping[str, str]) -> Recorded:
    """Return a record of these bots as a stored game that was opened."""
    rules = games.load(pool.game)
    options = games.parse_options(rules.Options, record["options"])
    bots = record["meta"]["bots"]
    line_up = tuple(Bot(name, hash_source(source_of(texts[name]))) for name in sorted(set(bots)))
    seating = tuple([bot.name for bot in line_up].index(name) for name in bots)
    return Recorded(
        Fixture(record["meta"]["id"], line_up, seating, 0), pool, rules, options,
        rules.parse_setup(options, pool.players, record["setup"]),
        [(seat, action) for seat, action, *_ in record["actions"]],
        tuple(record["result"]["ranks"]),
    )  # fmt: skip


def random_game(case: Case, seed: int) -> Recorded:
    """Return a game played at random, forfeits too, as a stored one."""
    state = play(case.state(case.rng(seed)), case.seats, case.rng(seed), forfeits=0.01)
    pool = Pool(case.name, case.seats, json.dumps(case.given), "")
    setup = case.game.parse_setup(case.options, case.seats, json.loads(json.dumps(state.setup())))
    id = f"{Random(f'{case} {seed}').getrandbits(80):020x}"
    fixture = Fixture(id, (NO_BOT,) * case.seats, tuple(range(case.seats)), 0)
    actions, ranks = list(state.actions), tuple(state.result()["ranks"])
    return Recorded(fixture, pool, case.game, case.options, setup, actions, ranks)
