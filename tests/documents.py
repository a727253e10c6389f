"""Documents of standings: from made-up games, and the example that the golden files show."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from arena.faults.kinds import KINDS
from arena.model import Bot, NotRanked, NotRankedStatus, Outcome, Pool
from arena.tables import formats
from arena.tables.columns import Row, Status
from arena.tables.document import BotVersion, Fit, PoolTable, Residual, Standings
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import assemble_standings

SKILL = {"abacus": 2.0, "bold": 1.0, "copycat": 1.0, "drifter": 0.0, "late-comer": 0.5}
BOTS = [Bot(name, sha256(name.encode()).hexdigest()) for name in SKILL]
THREE = Pool("no_thanks", 3, "{}", "")
FOUR = Pool("no_thanks", 4, '{"open_chips":true}', "")
DUEL = Pool("sixteen", 2, "{}", "")
SAME = Pool("sixteen", 4, '{"bonus":true}', "same")
MIXED = Pool("sixteen", 4, "{}", "mixed")
OUT = (NotRanked("abacus", "guest"), NotRanked("copycat", "unranked", "plays twice", "2026-12-01"))


def outcome(bots: str, ranks: tuple[int, ...], number: int = 0, **more: Any) -> Outcome:
    """A game between bots of one letter each, in the order of the seats."""
    more = {"scores": (0,) * len(bots), "faults": ("",) * len(bots)} | more
    return Outcome(f"{number:04x}", tuple(bots), ranks, **more)


def pool_of(pool: Pool, *outcomes: Outcome, names: str = "abcd", not_played: int = 0) -> PlayedPool:
    """A pool in which every game has a deck of its own."""
    games = [(outcome, deal) for deal, outcome in enumerate(outcomes)]
    return PlayedPool(pool, tuple(names), False, not_played, games)


def table(pool: Pool, *outcomes: Outcome, names: str = "abcd") -> PoolTable:
    return rate_pool(pool_of(pool, *outcomes, names=names)).part


def row_of(table: PoolTable, bot: str) -> Row:
    return {row.bot: row for row in table.table}[bot]


def standings(*pools: PlayedPool, names: Iterable[str] = "abcd", **more: Any) -> Standings:
    """The standings of these pools; bots of one letter each, all of other files."""
    bots = more.pop("bots", [Bot(name, name) for name in names])
    return assemble_standings("x", False, "full", bots, map(rate_pool, pools), **more)


def play(pool: Pool, bots: list[str], rounds: int, seed: int) -> list[tuple[Outcome, int]]:
    """Made-up games of every line-up: skill, noise, rounded so that ties come up, some faults."""
    rng, out = Random(seed), []
    for line_up in combinations(bots, pool.entrants):
        for number in range(rounds):
            sides = sorted(line_up, key=lambda _: rng.random())
            points = [round(SKILL[bot] + 3 * rng.random()) for bot in sides]
            seats = [seat % len(sides) for seat in range(pool.players)]
            broke = rng.random() < 0.03 and sides[0] == "drifter"
            outcome = Outcome(
                sha256(f"{pool}{line_up}{number}".encode()).hexdigest()[:16],
                tuple(sides[side] for side in seats),
                tuple(1 + sum(p > points[side] for p in points) for side in seats),
                tuple(points[side] for side in seats),
                tuple("time" if broke and seat == 0 else "" for seat in range(pool.players)),
            )
            out.append((outcome, number))
    return out


@cache
def played_pools() -> tuple[PlayedPool, ...]:
    """The pools of the example."""
    pools = [(THREE, 5, 40, 0), (FOUR, 5, 40, 1), (DUEL, 4, 30, 0), (SAME, 4, 8, 0)]
    return tuple(
        PlayedPool(pool, tuple(SKILL)[:bots], False, not_played,
                   play(pool, [*SKILL][:bots], rounds, seed))
        for seed, (pool, bots, rounds, not_played) in enumerate(pools)
    )  # fmt: skip


@cache
def _example() -> Standings:
    return assemble_standings("example", True, "none", BOTS, map(rate_pool, played_pools()))


def example(**changes: Any) -> Standings:
    """The example, with some of its keys changed."""
    return replace(_example(), **changes)


def with_pool(doc: Standings, at: int, **changes: Any) -> Standings:
    """The document with one of its pools changed."""
    pools = [*doc.pools[:at], replace(doc.pools[at], **changes), *doc.pools[at + 1 :]]
    return replace(doc, pools=tuple(pools))


@cache
def with_not_ranked(*not_ranked: NotRanked) -> Standings:
    """The standings of the example's pools, with these bots without a place."""
    pools = [pool._replace(not_ranked=not_ranked) for pool in played_pools()]
    return replace(standings(*pools, names=SKILL), not_ranked=not_ranked or UNSET)


def hostile(text: str) -> Standings:
    """The example of two pools, `text` in place of every string that is not the arena's own."""
    doc = json.loads(formats.json(example(pools=example().pools[:2])))
    doc["tournament"] = doc["confinement"] = text
    for bot in doc["bots"]:
        bot["hash"] = text
    for rows in [doc["overall"], *(part["table"] for part in doc["games"] + doc["pools"])]:
        for row in rows:
            row |= {"status": "unranked", "place": None} if row["bot"] == "drifter" else {}
    for pool in doc["pools"]:
        pool["title"] = pool["options"] = text
        if pool["fit"]:
            cycle = [bot["name"] for bot in doc["bots"][:3]]
            pool["fit"] |= {"significant": True, "cycles": [cycle], "cycles_total": 1}
            for each in pool["fit"]["residuals"]:
                each |= {"observed_share": 0.9, "expected_share": 0.1}
    out = {"bot": "drifter", "status": "unranked", "reason": text, "ranked_again": text}
    doc["not_ranked"] = [out]
    for order in doc["majority_order"]:
        order["majority_place"] += 3  # so that a note tells
    for entry in doc["faults"]:
        entry |= {"faults": {text: 1}, "total": 1}
    told = json.dumps(doc)
    for at, bot in enumerate(doc["bots"]):
        told = told.replace(json.dumps(bot["name"]), json.dumps(f"{text}{at}"))
    return msgspec.convert(json.loads(told), Standings)


def of_many(bots: int) -> Standings:
    """The example with so many bots of long names in each pool."""
    doc = example()
    names = tuple(f"a_bot_of_a_rather_long_name_{number:04}" for number in range(bots))
    square, counts = ((0.512,) * bots,) * bots, ((1234,) * bots,) * bots
    row = replace(doc.pools[0].table[0], games=12345, place_range=(10, 20))
    rows = tuple(replace(row, bot=name, place=place) for place, name in enumerate(names, 1))
    cross = replace(
        doc.pools[0].crosstable, bots=names, games=counts, ahead_share=square, win_share=square,
        left_seat_games=counts, left_seat_win_share=square,
    )  # fmt: skip
    failed = replace(doc.faults[0], faults=dict.fromkeys(KINDS, 3), total=27)
    return replace(
        doc,
        bots=tuple(BotVersion(name=name, hash="0" * 64) for name in names),
        overall=rows,
        games=tuple(replace(game, table=rows) for game in doc.games),
        pools=tuple(replace(pool, table=rows, crosstable=cross) for pool in doc.pools),
        faults=tuple(replace(failed, bot=name) for name in names),
    )


def fit(**changes: Any) -> Fit:
    """A fit of bots a and b, off by 10 points."""
    off = Residual(
        bot="a", other="b", games=99, observed_share=0.9, expected_share=0.8, standardised=3.0
    )
    found: dict[str, Any] = {
        "chi_square": 9.0, "degrees_of_freedom": 3.0, "p_value": 0.02, "significant": False,
        "residuals": (off,), "cycles": (), "cycles_total": 0,
    }  # fmt: skip
    return Fit(**found | changes)


def width(row: Row) -> float:
    """The width of an interval that has both ends, with mu in the middle."""
    low, high = (end for end in row.interval or () if end is not None)
    assert abs(row.mu - (low + high) / 2) <= 0.001
    return high - low


def set_status(rows: Sequence[Row], bot: str, status: Status) -> tuple[Row, ...]:
    ranked = [row.mu for row in rows if row.ranked and row.bot != bot]
    lines = []
    for row in rows:
        if row.ranked and row.bot != bot:
            low, high = (end and min(end, len(ranked)) for end in row.place_range or (0, 0))
            place = 1 + sum(mu > row.mu for mu in ranked)
            row = replace(row, place=place, place_range=(low, high) if low else None)
        lines.append(without_place(row, status) if row.bot == bot else row)
    return tuple(sorted(lines, key=lambda row: row.order))


def without_place(row: Row, status: Status) -> Row:
    return replace(row, status=status, place=None, place_range=None, best_probability=None,
                   top_probabilities=None, better_than_next=None)  # fmt: skip


def with_status(doc: Standings, bot: str, status: Status) -> Standings:
    """The standings with a bot without a place in all tables."""
    games = (replace(game, table=set_status(game.table, bot, status)) for game in doc.games)
    pools = (replace(pool, table=set_status(pool.table, bot, status)) for pool in doc.pools)
    overall = set_status(doc.overall, bot, status)
    return replace(doc, overall=overall, games=tuple(games), pools=tuple(pools))


def put_aside(doc: Standings, bot: str, because: str = "") -> Standings:
    """The standings with a bot that is out for a reason, or a guest."""
    kind: NotRankedStatus = "unranked" if because else "guest"
    return replace(with_status(doc, bot, kind), not_ranked=(NotRanked(bot, kind, because),))
