"""What moved from one league to another: whom it is measured from, and how it is told."""

import csv
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from arena.errors import UsageError
from arena.model import Anchor, Bot, Outcome, Pool
from arena.tables import against, formats
from arena.tables.against import Against, BotMove, MoveTable, compare_leagues
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import League, RatedPool, assemble_standings
from tests.leagues import copied, main
from tests.tables.test_standings import DUEL, THREE

SKILL = {"ann": 2.0, "bob": 1.0, "cid": 0.5, "dee": 0.0}
FOUR = THREE._replace(players=4)


def games(pool: Pool, skill: dict[str, float], seed: int) -> list[tuple[Outcome, int]]:
    """Games of random line-ups: skill, and three times as much luck."""
    rng, out = Random(seed), []
    for deal in range(60):
        bots = rng.sample(sorted(skill), pool.players)
        points = [round(skill[bot] + 3 * rng.random(), 1) for bot in bots]
        ranks = tuple(1 + sum(other > own for other in points) for own in points)
        nobody = ("",) * len(bots)
        out.append((Outcome(f"{deal:04x}", tuple(bots), ranks, ranks, nobody), deal))
    return out


@cache
def rating_of(
    pool: Pool, skill: tuple[tuple[str, float], ...], seed: int, anchor: str | None
) -> RatedPool:
    played, names = games(pool, dict(skill), seed), tuple(name for name, _ in skill)
    anchored = Anchor(pool, anchor, 25.0) if anchor else None
    return rate_pool(PlayedPool(pool, names, False, 0, played, anchored))


def league(
    seed: int,
    skill: dict[str, float] = SKILL,
    pools: tuple[Pool, ...] = (DUEL, THREE),
    anchor: str | None = None,
    changed: tuple[str, ...] = (),
    name: str = "cup",
) -> League:
    own = {pool: rating_of(pool, tuple(skill.items()), seed, anchor) for pool in pools}
    bots = [Bot(bot, "other" if bot in changed else "same") for bot in skill]
    return League(assemble_standings(name, False, "full", bots, own.values()), own)


def moves(table: MoveTable) -> dict[str, BotMove]:
    return {move.bot: move for move in table.moves}


def moved(now: League, then: League) -> Against:
    return compare_leagues(now, then, "results/old")


def test_the_same_league_twice_has_not_moved() -> None:
    found = moved(league(1), league(1))
    assert found.overall
    for table in (found.overall, *found.games, *found.pools):
        for move in table.moves:
            assert (move.difference, move.verdict, move.then) == (0.0, "luck", move.now)
    assert [table.title for table in found.pools] == [DUEL.title, THREE.title][::-1]
    assert (found.new, found.gone, found.changed, found.new_pools) == ((), (), (), ())


def test_bots_that_come_go_and_change_are_told_and_measured_from_those_that_stayed() -> None:
    then = league(2, SKILL | {"eve": 1.5})
    now = league(3, SKILL | {"flo": 1.5, "dee": 6.0}, changed=("dee",))
    found = moved(now, then)
    assert (found.new, found.gone, found.changed) == (("flo",), ("eve",), ("dee",))
    for table in found.pools:
        assert table.reference == ("ann", "bob", "cid")
        by_bot = moves(table)
        assert (by_bot["dee"].status, by_bot["dee"].verdict) == ("changed", "up")
        assert by_bot["ann"].verdict == "luck"
        eve, flo = by_bot["eve"], by_bot["flo"]
        assert (eve.now, eve.difference, eve.interval, eve.verdict) == (None,) * 4
        assert (flo.then, flo.difference, flo.interval, flo.verdict) == (None,) * 4
        assert eve.then
        assert table.moves[-1] is eve
        shown = [move.now for move in table.moves[:-1]]
        assert shown == sorted(shown, key=lambda place: place or 99)


@pytest.mark.parametrize(
    ("anchors", "changed", "reference"),
    [
        (("bob", "bob"), (), ("bob",)),
        (("bob", "ann"), (), ("ann", "bob", "cid", "dee")),
        (("bob", None), (), ("ann", "bob", "cid", "dee")),
        (("bob", "bob"), ("bob",), ("ann", "cid", "dee")),  # another bot under its name
    ],
)
def test_an_anchor_that_both_set_is_what_is_measured_from(
    anchors: tuple[str, str | None], changed: tuple[str, ...], reference: tuple[str, ...]
) -> None:
    then, now = league(4, anchor=anchors[0]), league(5, anchor=anchors[1], changed=changed)
    for table in moved(now, then).pools:
        assert (table.reference, table.anchored) == (reference, len(reference) == 1)
        if table.anchored:
            assert moves(table)["bob"].interval == (0.0, 0.0)


def test_nothing_is_measured_from_a_bot_that_lost_every_game() -> None:
    hopeless = SKILL | {"zed": -9.0}
    for table in moved(league(6, hopeless), league(7, hopeless)).pools:
        assert table.reference == ("ann", "bob", "cid", "dee")


def test_a_game_s_change_is_the_mean_over_the_pools_of_both() -> None:
    then, now = league(8, pools=(THREE, FOUR)), league(9, pools=(THREE, FOUR, DUEL))
    found = moved(now, then)
    assert (found.new_pools, found.gone_pools, found.overall) == ((DUEL.title,), (), None)
    (mean,) = found.games
    for bot, move in moves(mean).items():
        own = [moves(table)[bot].difference or 0.0 for table in found.pools]
        assert move.difference == pytest.approx(sum(own) / 2, abs=0.001)


def test_leagues_with_nothing_in_common_are_refused() -> None:
    then = league(1)
    strangers = league(1, {name.upper(): skill for name, skill in SKILL.items()})
    with pytest.raises(UsageError, match=r"results/old: has no bot in common with cup; name"):
        moved(strangers, then)
    with pytest.raises(UsageError, match=r"results/old: has no pool in common with cup; name"):
        moved(league(1, pools=(FOUR,)), then)


def test_a_pool_without_a_common_bot_says_so_beside_others_that_have_one() -> None:
    then, now = league(1), league(2)
    other = league(3, {name.upper(): skill for name, skill in SKILL.items()}, pools=(DUEL,))
    bots = sorted({*then.document.bots, *other.document.bots}, key=lambda bot: bot.name)
    document = replace(then.document, bots=tuple(bots))
    found = moved(now, League(document, {**then.pools, **other.pools}))
    (duel,) = [table for table in found.pools if table.title == DUEL.title]
    assert duel.reference == ()
    assert {move.difference for move in duel.moves} == {None}
    assert "No bot is in both, so nothing can be compared." in against.plain(found)


def test_every_format_tells_the_same() -> None:
    found = moved(
        league(3, SKILL | {"flo": 1.5, "dee": 6.0}, changed=("dee",), name="new=|cup"), league(2)
    )
    told = json.loads(formats.json(found))
    rows = list(csv.DictReader(against.csv(found).splitlines()))
    tables = [told["overall"], *told["games"], *told["pools"]]
    assert [(row["title"], row["bot"]) for row in rows] == [
        (table["title"], move["bot"]) for table in tables for move in table["moves"]
    ]
    (dee,) = [row for row in rows if row["table"] == "overall" and row["bot"] == "dee"]
    (same,) = [move for move in told["overall"]["moves"] if move["bot"] == "dee"]
    assert (dee["status"], dee["verdict"]) == (same["status"], same["verdict"]) == ("changed", "up")
    assert dee["difference"] == f"{same['difference']:.3f}"
    assert [float(dee["from"]), float(dee["to"])] == same["interval"]
    assert "# new=&#124;cup against cup" in against.markdown(found)
    for text in (against.plain(found), against.markdown(found)):
        assert f"+{same['difference']:.2f}" in text
        assert "changed, up" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_its_lines_fit(width: int) -> None:
    skill = {f"{name}-{'long' * 6}": own for name, own in SKILL.items()}
    found = moved(league(2, skill, changed=(min(skill),)), league(1, skill))
    assert max(map(len, against.plain(found, width).splitlines())) <= width


@pytest.mark.whole
def test_results_and_exports_are_compared_in_any_order_of_options(
    league: Path, tmp_path: Path
) -> None:
    results, old = league / "results" / "cup", tmp_path / "old"
    assert main("export", results, "--to", old).returncode == 0
    config = league / "tournaments" / "cup.toml"
    config.write_text(config.read_text().replace("seed = 5", "seed = 6"))
    (league / "bots" / "bob.py").write_text((league / "bots" / "bob.py").read_text() + "# new\n")
    assert main("tournament", config, "-q", "--fresh").returncode == 0
    words = ["--against", old, "--json", "--game", "sixteen"]
    done = [main("standings", *order) for order in ([results, *words], [*words, results])]
    assert [each.returncode for each in done] == [0, 0], done[0].stderr.decode()
    assert done[0].stdout == done[1].stdout
    told = json.loads(done[0].stdout)
    assert told["changed"] == ["bob"]
    assert [table["title"] for table in told["pools"]] == ["Sixteen 2p", "Sixteen 2v2"]
    assert b"bots changed: bob" in main("standings", results, "--against", old).stdout


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--against", "nowhere"],
            "nowhere: no such folder or file; a results folder is",
        ),
        (["--against", "week 9"], '--against: the last weeks are "20'),
        (["--against", "results/cup"], "--against: results/cup: same folder as RESULTS; name one"),
        (["--against", "copy", "--format", "html"], "--format: found 'html'; expected 'plain', "),
        (["--against", "copy", "--game", "sixten"], "no game 'sixten' in these standings; did you"),
    ],
)
def test_what_cannot_be_compared_is_said(
    played: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    (tmp_path / "results").symlink_to(played / "results")
    copied(played / "results" / "cup", tmp_path / "copy")
    done = main("standings", "results/cup", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.decode().split())


@pytest.mark.parametrize("why", [{"aside": "out"}, {"aside": "guest"}, {"broken": True}])
def test_a_bot_that_is_not_ranked_has_moved_too_and_has_no_place(why: dict[str, Any]) -> None:
    then = league(1)
    bot = next(iter(SKILL))

    def parted(pool: RatedPool) -> RatedPool:
        rows = (replace(row, **why) if row.bot == bot else row for row in pool.part.table)
        return pool._replace(part=replace(pool.part, table=tuple(rows)))

    now = then._replace(pools={pool: parted(rated) for pool, rated in then.pools.items()})
    for was, is_ in ((then, now), (now, then), (now, now)):
        for table in moved(is_, was).pools:
            move = moves(table)[bot]
            assert (move.then is None, move.now is None) == (was is now, is_ is now)
            assert (move.status, move.difference) == ("same", 0.0)
            assert len(table.moves) == len(SKILL)
