"""Tables that are measured from a bot: what moves, what stays, and what they say."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from arena.model import Anchor, Bot, Pool
from arena.tables import formats, layout, terminal
from arena.tables.document import Standings
from arena.tables.document_ranking import Row
from arena.tables.standings import standings
from tests.leagues import SMALL, main, make
from tests.tables.test_standings import DUEL, SKILL, THREE, league, outcome, pool_of

BOTS = [Bot(name, "") for name in SKILL]


@cache
def document(bot: str | None, rating: float = 25.0, but: tuple[Pool, ...] = ()) -> Standings:
    """The kept league, anchored in all pools but some."""
    pools = [
        each._replace(anchor=Anchor(each.pool, bot, rating) if bot else None)
        if each.pool not in but
        else each
        for each in league()
    ]
    return standings("x", False, "full", BOTS, pools)


def rows(doc: Standings) -> list[Row]:
    tables = [doc.overall, *(game.table for game in doc.games), *(pool.table for pool in doc.pools)]
    return [row for table in tables for row in table]


def without_scale(row: Row) -> dict[str, Any]:
    told: dict[str, Any] = to_builtins(row)
    return {key: value for key, value in told.items() if key not in ("mu", "interval", "low")}


@pytest.mark.parametrize("rating", [25.0, -1.2345])
def test_an_anchor_moves_ratings_alike_and_no_place_range_or_probability(rating: float) -> None:
    plain, moved = document(None), document("copycat", rating)
    assert [*map(without_scale, rows(moved))] == [*map(without_scale, rows(plain))]
    for before, after in zip(plain.pools, moved.pools, strict=True):
        assert after.anchor
        shifts = {round(b.mu - a.mu, 3) for a, b in zip(before.table, after.table, strict=True)}
        assert shifts == {after.anchor.moved}
        told = [replace(pool, anchor=None, table=()) for pool in (before, after)]
        assert told[0] == told[1]
    for row in rows(moved):
        assert row.interval
        if row.bot == "copycat":
            assert row.mu == round(rating, 3)
            assert row.interval == (row.mu, row.mu)
        else:
            low, high = row.interval
            assert low is not None
            assert high is not None
            assert low < row.mu < high


def test_bots_of_equal_rating_still_share_a_place() -> None:
    """Measured from a rating with digits beyond the third, they must not be rounded apart."""
    games = [outcome(*each, number) for number, each in enumerate([
        ("ab", (1, 2)), ("ab", (2, 1)), ("ac", (1, 2)), ("ac", (2, 1)), ("bc", (1, 2)),
        ("bc", (2, 1)),
    ] * 8)]  # fmt: skip
    own = pool_of(DUEL, *games, names="abc")
    bots = [Bot(name, "") for name in "abc"]
    for rating in (25.0, 0.0005, 1 / 3):
        anchored = own._replace(anchor=Anchor(DUEL, "a", rating))
        (pool,) = standings("x", False, "full", bots, [anchored]).pools
        assert [row.place for row in pool.table] == [1, 1, 1]


def test_the_tables_say_what_they_are_measured_from() -> None:
    doc = document("bold")
    assert layout.facts(doc)[-1] == "anchor: bold at 25; ± is of the difference to it"
    assert "anchor: bold at 25" in layout.pool_note(doc.pools[0])
    for text in (formats.markdown(doc), formats.html(doc), terminal.plain(doc)):
        assert "anchor: bold at 25; ± is" in text
    assert json.loads(formats.json(doc))["pools"][0]["anchor"]["bot"] == "bold"


def test_where_not_all_pools_are_anchored_the_tables_say_so() -> None:
    fact = layout.facts(document("bold", but=(THREE,)))[-1]
    assert fact == (
        "anchor: bold at 25, in 3 of 4 pools; there ± is of the difference to it; a mean that "
        "takes in other pools compares with no other league"
    )


def test_a_bot_that_lost_every_game_anchors_nothing_and_the_table_says_why() -> None:
    games = [outcome("ab", (1, 2), number) for number in range(9)]
    bots = [Bot("a", ""), Bot("b", "")]
    plain = pool_of(DUEL, *games, names="ab")
    one, other = (
        standings("x", False, "full", bots, [pool]).pools[0]
        for pool in (plain, plain._replace(anchor=Anchor(DUEL, "b", 0.0)))
    )
    assert other.table == one.table
    assert other.anchor
    assert other.anchor.moved == 0
    said = "; not anchored, its mean is 25: b never finished ahead of another bot, nor tied; "
    assert said in layout.pool_note(other)
    doc = standings("x", False, "full", bots, [plain._replace(anchor=Anchor(DUEL, "b", 0.0))])
    assert layout.facts(doc)[-1] == (
        "anchor: none could be used, as the pools' lines say; a pool's mean is 25"
    )


@pytest.mark.whole
def test_an_anchor_set_later_plays_nothing_and_is_verified_and_published(
    league: Path, tmp_path: Path
) -> None:
    """From the league as it was played: its config gets an anchor, and then loses it again."""
    config, results = league / "tournaments" / "cup.toml", league / "results" / "cup"
    before = (results / "standings.json").read_bytes()
    make(league, 'anchor = { bot = "cid", rating = 0 }\n' + SMALL)
    told = main("tournament", config, "--dry-run").stderr.decode()
    assert "anchor none -> cid at 0 (no_thanks 3p, sixteen 2p, " in told
    assert "changed" not in told
    done = main("tournament", config)
    assert done.returncode == 0, done.stderr.decode()
    assert b"0 games played" in done.stderr
    after = json.loads((results / "standings.json").read_bytes())
    assert {pool["anchor"]["bot"] for pool in after["pools"]} == {"cid"}
    used = [pool for pool in after["pools"] if not pool["anchor"]["refused"]]
    assert used
    for pool in used:
        assert {row["mu"] for row in pool["table"] if row["bot"] == "cid"} == {0.0}
    assert main("verify", results).returncode == 0
    assert main("export", results, "--to", tmp_path / "public").returncode == 0
    printed = main("standings", tmp_path / "public", "--json").stdout
    assert json.loads(printed) == after
    make(league, SMALL)
    assert main("tournament", config, "-q").returncode == 0
    assert (results / "standings.json").read_bytes() == before
