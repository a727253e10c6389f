"""The standings: one document, the same whatever order the outcomes come in."""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec import UNSET, structs

from arena.model import LADDER, Bot, NotRanked, Pool
from arena.tables import formats
from arena.tables.columns import Row, Status
from arena.tables.document import GameTable, PoolTable, Seat, Standings
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import score_ladder
from tests.documents import (
    DUEL,
    FOUR,
    MIXED,
    OUT,
    SAME,
    SKILL,
    THREE,
    example,
    outcome,
    play,
    played_pools,
    pool_of,
    row_of,
    standings,
    table,
    width,
    with_not_ranked,
)


@pytest.mark.whole
def test_the_document_is_the_same_in_whatever_order_the_games_finished() -> None:
    rng, pools, bots = Random(20), [*played_pools()], [Bot(name, "") for name in SKILL]
    first = formats.json(standings(*pools, bots=bots))
    for _ in range(2):
        rng.shuffle(pools)
        pools = [
            pool._replace(
                names=tuple(rng.sample(pool.names, len(pool.names))),
                games=rng.sample([*pool.games], len([*pool.games])),
            )
            for pool in pools
        ]
        assert formats.json(standings(*pools, bots=rng.sample(bots, len(bots)))) == first


def test_a_shared_win_is_divided_among_its_sharers() -> None:
    found = table(THREE, outcome("abc", (1, 1, 3), 1), outcome("abc", (1, 2, 3), 2))
    # By hand: a 1/2 + 1 in two games, b 1/2 + 0.
    assert [row_of(found, bot).wins for bot in "abcd"] == [0.75, 0.25, 0.0, None]


def test_a_seat_s_wins_have_an_interval_by_decks() -> None:
    # Seat 0 wins 6 decks of 9, each played once: 2/3, and s = 1/2 of single games.
    games = [outcome("ab", (1, 2), n) for n in range(6)] + [outcome("ba", (2, 1), 9)] * 3
    # By hand: 2.306, Student's t with 8, times 1/2 / sqrt(9).
    assert table(DUEL, *games).seats[0].interval == (
        round(2 / 3 - 2.306 / 6, 3),
        round(2 / 3 + 2.306 / 6, 3),
    )


def test_games_that_share_a_deck_are_one_in_a_seat_s_interval() -> None:
    games = [(outcome(bots, (1, 2)), deal) for deal in range(9) for bots in ("ab", "ba")]
    games += [(outcome(bots, (2, 1)), 9) for bots in ("ab", "ba")]
    apart, together = (
        rate_pool(PlayedPool(DUEL, ("a", "b"), shared, 0, games)).part.seats[0].interval or (0, 0)
        for shared in (False, True)
    )
    assert together[1] - together[0] > 1.3 * (apart[1] - apart[0]) > 0


def test_the_crosstable_counts_who_finished_ahead_a_tie_half() -> None:
    found = table(
        THREE,
        outcome("abc", (1, 2, 2), 1),
        outcome("bca", (1, 2, 3), 2),
        outcome("abd", (1, 2, 3), 3),
        outcome("bad", (2, 1, 3), 4),
    ).crosstable
    at = {bot: index for index, bot in enumerate(found.bots)}

    def pair(a: str, b: str) -> tuple[float | None, int]:
        return found.ahead_share[at[a]][at[b]], found.games[at[a]][at[b]]

    # By hand: a was ahead of b in games 1, 3 and 4, behind in 2; b and c tied in 1, b won 2.
    assert (pair("a", "b"), pair("b", "a")) == ((0.75, 4), (0.25, 4))
    assert (pair("b", "c"), pair("c", "b")) == ((0.75, 2), (0.25, 2))
    assert (pair("c", "d"), pair("a", "a")) == ((None, 0), (None, 0))


def test_team_mates_are_not_compared() -> None:
    found = table(MIXED, outcome("abcd", (1, 2, 1, 2))).crosstable
    at = {bot: index for index, bot in enumerate(found.bots)}
    assert found.ahead_share[at["a"]][at["c"]] is None
    assert found.ahead_share[at["a"]][at["b"]] == found.ahead_share[at["c"]][at["d"]] == 1.0
    assert found.left_seat_win_share is None


def test_wins_are_counted_by_opponent_and_by_left_neighbour() -> None:
    found = table(
        THREE,
        outcome("abc", (1, 1, 3), 1),
        outcome("acb", (1, 2, 3), 2),
        outcome("bac", (1, 2, 3), 3),
        outcome("abd", (2, 1, 3), 4),
    ).crosstable
    at = {bot: index for index, bot in enumerate(found.bots)}
    a, b, c = at["a"], at["b"], at["c"]
    # By hand: with b against it, a won 1/2 + 1 + 0 + 0 of 4; with c, 1/2 + 1 + 0 of 3.
    assert (found.win_share[a][b], found.win_share[a][c]) == (0.375, 0.5)
    assert found.left_seat_games
    assert found.left_seat_win_share
    # b sat to a's left in games 1 and 4, c in 2 and 3; a sat to b's left in 2 and 3.
    assert (found.left_seat_games[a][b], found.left_seat_win_share[a][b]) == (2, 0.25)
    assert (found.left_seat_games[a][c], found.left_seat_win_share[a][c]) == (2, 0.5)
    assert (found.left_seat_games[b][a], found.left_seat_win_share[b][a]) == (2, 0.5)


def test_a_team_of_one_bot_twice_wins_once() -> None:
    found = table(SAME, outcome("abab", (1, 2, 1, 2), scores=(7, 2, 7, 2)), names="ab")
    assert [(line.bot, line.wins, line.score, line.games) for line in found.table] \
        == [("a", 1.0, 7.0, 1), ("b", 0.0, 2.0, 1)]  # fmt: skip
    assert [seat.wins for seat in found.seats] == [1.0, 0.0, 1.0, 0.0]


def test_equal_ratings_share_the_better_place_and_stand_by_name() -> None:
    found = table(DUEL, outcome("ab", (1, 1), 1), outcome("dc", (1, 2), 2)).table
    assert [(line.place, line.bot) for line in found] == [
        (1, "d"), (2, "a"), (2, "b"), (4, "c"),
    ]  # fmt: skip


def test_a_game_of_one_bot_against_itself_counts_for_nothing_but_its_faults() -> None:
    odd = outcome("aa", (1, 2), 1, faults=("", "error"))
    found = row_of(table(DUEL, odd, outcome("ab", (2, 1), 2)), "a")
    assert (found.wins, found.games) == (0.0, 2)
    assert (found.faults, found.faults_total) == ({"error": 1}, 1)


def test_faults_stand_in_the_order_of_the_tables_and_add_up() -> None:
    games = [
        outcome("ab", (2, 1), number, faults=(kind, ""))
        for number, kind in enumerate(("time", "illegal", "time"))
    ]
    found = standings(pool_of(DUEL, *games, names="ab"), names="ab").faults
    assert [(entry.bot, [*entry.faults.items()], entry.total) for entry in found] \
        == [("a", [("illegal", 1), ("time", 2)], 3), ("b", [], 0)]  # fmt: skip


def test_bots_that_lack_pools_are_listed_without_a_place_and_change_no_other_line() -> None:
    duels = pool_of(DUEL, outcome("ab", (1, 2)), outcome("cb", (1, 2)), names="abc")
    open_chips = Pool("no_thanks", 2, '{"open_chips":true}', "")
    found = standings(
        duels,
        pool_of(THREE, outcome("abd", (1, 2, 3)), names="abd"),
        pool_of(open_chips, outcome("ab", (1, 2)), names="ab"),
        pool_of(FOUR, names="abcd"),  # without a game: no bot lacks it, and no mean has it
    )
    assert [(row.bot, row.status, row.missing_pools) for row in found.overall] == [
        ("a", "ranked", UNSET), ("b", "ranked", UNSET),
        ("c", "partial", ('No Thanks! 2p {"open_chips":true}', "No Thanks! 3p")),
        ("d", "partial", ('No Thanks! 2p {"open_chips":true}', "Sixteen 2p")),
    ]  # fmt: skip
    assert [{row.bot for row in game.table} for game in found.games] == [{*"abd"}, {*"abc"}]
    assert {row.status for row in found.pools[2].table} == {"unplayed"}
    alone = next(row for row in found.pools[-1].table if row.bot == "c")
    assert found.overall[2].mu == alone.mu  # of its only pool
    assert found.overall[2].place is None
    assert [order.bot for order in found.majority_order] == ["a", "b"]
    without = standings(*(pool_of(pool, names="ab") for pool in (THREE, FOUR)))
    assert "missing_pools" not in formats.json(without)


@pytest.mark.parametrize("key", ["mu", "beats"])
def test_the_means_weigh_pools_and_then_games_equally(key: str) -> None:
    doc = example()

    def value(lines: Sequence[Row], bot: str) -> float:
        return float(next(getattr(line, key) for line in lines if line.bot == bot))

    for bot in (row.bot for row in doc.overall if not row.missing_pools):
        by_game = []
        for game in doc.games:
            pools = [value(pool.table, bot) for pool in doc.pools if pool.game == game.game]
            by_game.append(sum(pools) / len(pools))
            assert value(game.table, bot) == pytest.approx(by_game[-1], abs=0.0015)
        mean = sum(by_game) / len(by_game)
        assert value(doc.overall, bot) == pytest.approx(mean, abs=0.0015)  # three roundings


def test_both_orders_of_the_overall_table_are_told() -> None:
    """A landslide for a in one game, three narrow wins for b in the pools of another."""
    duels = [outcome("ab", (1, 2), number) for number in range(30)]
    chips = [Pool("no_thanks", 2, f'{{"chips":{n}}}', "") for n in (9, 10, 11)]
    narrow = [pool_of(pool, outcome("ba", (1, 2)), names="ab") for pool in chips]
    found = standings(pool_of(DUEL, *duels, names="ab"), *narrow, names="ab")
    # Two games, one vote each: even. By rating a leads, by majority neither.
    assert [(o.bot, o.place, o.majority_place, o.majority_wins) for o in found.majority_order] == [
        ("a", 1, 1, 0.5), ("b", 2, 1, 0.5),
    ]  # fmt: skip
    alone = standings(*narrow, names="ab")
    assert [(o.bot, o.majority_wins) for o in alone.majority_order] == [("b", 1.0), ("a", 0.0)]


def test_a_pool_without_games_has_a_table_all_the_same() -> None:
    found = rate_pool(pool_of(THREE, names="abc", not_played=1)).part
    assert [(line.place, line.mu, line.wins, line.beats) for line in found.table] \
        == [(None, 25.0, None, None)] * 3  # fmt: skip
    assert (found.games, found.line_ups_not_played) == (0, 1)
    assert found.seats == (Seat(wins=None, interval=None),) * 3


@pytest.mark.parametrize("decks", [7, 8])
def test_a_bot_has_an_interval_from_8_decks_on(decks: int) -> None:
    games = [outcome("ab", (1, 2) if number % 3 else (2, 1), number) for number in range(decks)]
    for line in table(DUEL, *games, names="ab").table:
        assert line.decks == decks
        assert [line.interval is None, line.place_range is None, line.beats is None] \
            == [decks < 8] * 3  # fmt: skip
        if line.interval:
            assert 0 < width(line) < 50


@pytest.mark.parametrize(
    ("times", "loads", "status"),
    [(4, 0, "ranked"), (5, 0, "broken"), (2, 4, "broken"), (1, 5, "not loaded")],
)
def test_a_bot_that_forfeits_half_of_its_games_has_no_place(
    times: int, loads: int, status: Status
) -> None:
    kinds = [*["time"] * times, *["load"] * loads, *[""] * (10 - times - loads)]
    games = [
        outcome(bots, (2, 1), number, faults=(kind if bots[0] == "a" else "", ""))
        for number, kind in enumerate(kinds)
        for bots in ("ab", "bc")
    ]
    found = table(DUEL, *games, names="abc")
    assert [(row.bot, row.status, row.place) for row in found.table] == [
        ("c", "ranked", 1), ("b", "ranked", 2), ("a", status, 3 if status == "ranked" else None),
    ]  # fmt: skip
    assert found.comparisons
    assert found.comparisons.bots == tuple(each.bot for each in found.table if each.ranked)


def test_bots_of_the_same_files_are_never_told_apart() -> None:
    names = ("abacus", "bold", "drifter")
    one = PlayedPool(DUEL, names, False, 0, play(DUEL, [*names], 400, 3))
    apart = rate_pool(one).part.table
    first, second, _ = (each.bot for each in apart)
    assert [each.place_range for each in apart] == [(1, 1), (2, 2), (3, 3)]
    alike = rate_pool(one._replace(same=((first, second),))).part
    assert [each.place_range for each in alike.table] == [(1, 2), (1, 2), (3, 3)]
    assert alike.table[0].better_than_next == 0.5
    assert alike.table[1].better_than_next == apart[1].better_than_next
    assert alike.comparisons
    better = alike.comparisons.better_probability
    assert better[0][1] == better[1][0] == 0.5
    assert alike.comparisons.confidence[0][1] == 0
    bots = [Bot(name, "same" if name in (first, second) else name) for name in names]
    doc = standings(one, bots=bots)
    assert doc.overall[0].better_than_next == 0.5


def test_bots_that_are_aside_leave_the_order_and_nothing_else() -> None:
    """Also with `abacus`, which wins most: of all others, no rating and no count is another."""
    all_ranked, doc = with_not_ranked(), with_not_ranked(*OUT)
    unplaced = {
        "place": None, "place_range": None, "better_than_next": None, "best_probability": None,
        "top_probabilities": None,
    }  # fmt: skip

    def tables(doc: Standings) -> list[tuple[Row, ...]]:
        parts: list[GameTable | PoolTable] = [*doc.games, *doc.pools]
        return [doc.overall, *(part.table for part in parts)]

    for before, every in zip(tables(all_ranked), tables(doc), strict=True):
        ranked = [row for row in every if row.ranked]
        assert [row.bot for row in ranked] == [
            row.bot for row in before if row.ranked and row.bot not in ("abacus", "copycat")
        ]
        assert [row.place for row in ranked] == [*range(1, len(ranked) + 1)]
        assert ranked[-1].better_than_next is None
        assert sum(row.best_probability or 0 for row in ranked) == pytest.approx(1, abs=0.02)
        assert all(len(row.top_probabilities or ()) == len(ranked) for row in ranked)
        assert all(row.place_range and row.place_range[1] <= len(ranked) for row in ranked)
        by_bot = {row.bot: structs.asdict(row) for row in before}
        for row in every:
            old, new = by_bot[row.bot], structs.asdict(row)
            assert {k for k in new if new[k] != old[k]} <= {"status", *unplaced}
            if not row.ranked:
                assert row.status == {each.bot: each.status for each in OUT}.get(row.bot, "partial")
                assert {k: new[k] for k in unplaced} == unplaced
    for was, pool in zip(all_ranked.pools, doc.pools, strict=True):
        assert pool.crosstable.bots == tuple(row.bot for row in pool.table)
        assert pool.comparisons
        assert pool.comparisons.bots == tuple(row.bot for row in pool.table if row.ranked)
        assert (pool.fit, pool.seats) == (was.fit, was.seats)
    assert [one.bot for one in doc.majority_order] == [row.bot for row in doc.overall if row.ranked]
    assert doc.not_ranked == OUT


def test_no_bot_is_surely_above_another_because_of_one_that_is_aside() -> None:
    """All results go one way, so that exact tests count how many are better: of those left."""
    games = [outcome(pair, (1, 2), at) for at, pair in enumerate(["ab", "bc", "ac"] * 40)]
    pool = pool_of(DUEL, *games, names="abc")
    every = rate_pool(pool).part
    assert [row.place_range for row in every.table] == [(1, 1), (2, 2), (3, 3)]
    left = rate_pool(pool._replace(not_ranked=(NotRanked("a", "unranked"),))).part
    assert [(row.bot, row.place, row.place_range) for row in left.table] == [
        ("b", 1, (1, 1)), ("c", 2, (2, 2)), ("a", None, None),
    ]  # fmt: skip


def test_bots_that_are_aside_are_so_where_they_play() -> None:
    assert "not_ranked" not in formats.json(formats.select(with_not_ranked(), "no_thanks"))
    doc = with_not_ranked(NotRanked("late-comer", "guest"))
    sixteen = next(pool for pool in doc.pools if pool.game == "sixteen")
    assert all(row.ranked for row in sixteen.table)  # it is not in that pool


def test_a_bot_has_points_for_the_rungs_that_it_stands_above() -> None:
    (row, *_) = example().pools[0].table
    mus = {**{rung: 10.0 * at for at, rung in enumerate(LADDER)}, "ann": 25.0, "bob": 45, "cid": -1}
    ends = {bot: (mu - 1, mu + 1) for bot, mu in mus.items()}
    rows = [structs.replace(row, bot=bot, mu=mus[bot], interval=ends[bot]) for bot in mus]
    rows.append(structs.replace(row, bot="dee", interval=None))
    points = {row.bot: row.ladder for row in score_ladder(rows)}
    assert points == {**dict.fromkeys((*LADDER, "dee")), "ann": 60, "bob": 100, "cid": 0}
    assert score_ladder(rows[1:]) == rows[1:]  # a rung is missing
