"""Statistics of a played league: they agree with the standings, and are the same from any scan."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.faults.causes import KeptFault, group_by_cause
from arena.faults.reasons import publish
from arena.model import Fault, Place, Pool, Reason, Timing
from arena.site import stats
from arena.site.stats import Stats, collect_stats, find_bot_games, list_games, sum_up_cpu
from arena.site.stats_pool import BotGames
from arena.store.plans import read_lines
from arena.store.store import Store
from arena.tables.document import Standings
from arena.tables.results import make_document

POOL = Pool("sixteen", 2, "{}", "")


def test_quantiles_are_of_sessions_and_the_mean_is_of_decisions() -> None:
    def sum_up(*sessions: tuple[int, float, float]) -> Any:
        return sum_up_cpu([Timing(POOL, "ann", *session) for session in sessions])

    assert sum_up((100, 1.0, 0.02), (300, 9.0, 0.05), (0, 0.5, 0.0))["ann", POOL] == (
        2, 400, 10 / 400, (0.01, 0.03, 0.03), (0.02, 0.05, 0.05)
    )  # fmt: skip  # half of two is one; nine tenths are both
    assert sum_up(*((1, float(at), 0.0) for at in range(1, 11)))["ann", None].means_s \
        == (5.0, 9.0, 10.0)  # fmt: skip
    assert sum_up((0, 1.0, 0.0)) == {}


@pytest.mark.parametrize(
    ("error", "said"), [("ZeroDivisionError", "ZeroDivisionError, line 3"), ("Secret35", "line 3")]
)
def test_a_game_with_an_exception_is_told_with_its_name_if_python_gave_it(
    error: str, said: str
) -> None:
    reason = Reason("error", "35", error=error, places=(Place("bot.py", 3, "decide"),))
    kept = KeptFault("g", Fault(1, 4, publish(reason)))
    ((why,),) = stats.find_causes({"sven": group_by_cause([kept, kept], "sven.py")}).values()
    assert why.words == f"sven forfeits: raised an exception ({said}); one of 2 such games"
    assert (why.step, why.seat) == (4, 1)


@pytest.fixture(scope="module")
def store(played: Path) -> Iterator[Store]:
    with closing(Store.open(played / "results" / "cup")) as opened:
        yield opened


@pytest.fixture(scope="module")
def document(store: Store) -> Standings:
    return make_document(store)


@pytest.fixture(scope="module")
def league_stats(store: Store, document: Standings) -> Stats:
    return collect_stats(store, document)


@pytest.mark.whole
def test_records_seats_and_wins_are_the_standings_own(
    league_stats: Stats, document: Standings
) -> None:
    for table, own in zip(document.pools, league_stats.pools, strict=True):
        cross = table.crosstable
        for row, bot in enumerate(cross.bots):
            for record in own.records(bot):
                column = cross.bots.index(record.opponent)
                assert record.share.games == cross.games[row][column]
                assert record.share.mean == pytest.approx(cross.ahead_share[row][column], abs=6e-4)
                assert record.share.games == record.ahead + record.tied + record.behind
        for line in table.table:
            seats = own.by_seat(line.bot)
            assert sum(seat.wins.games for seat in seats) == line.games
            wins = sum(seat.wins.total for seat in seats) / line.games
            assert wins == pytest.approx(line.wins, abs=6e-4)


@pytest.mark.whole
def test_scanned_in_processes_they_are_the_same(
    store: Store, document: Standings, league_stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stats, "RATE_APART", 0)
    again = collect_stats(store, document)
    assert again.watched == league_stats.watched
    for one, other in zip(again.pools, league_stats.pools, strict=True):
        assert repr(one) == repr(other)


@pytest.mark.whole
def test_a_bot_s_games_are_the_same_looked_up_alone(store: Store, league_stats: Stats) -> None:
    for bot in ("ann", "bob", "cid", "dee"):
        assert find_bot_games(store, bot) == league_stats.bots[bot]
    assert find_bot_games(store, "ann").worst is not None
    assert find_bot_games(store, "zoe") == BotGames()


@pytest.mark.whole
def test_games_are_listed_as_records_tell_them(store: Store, document: Standings) -> None:
    def listed(kind: Any, bot: str | None = None) -> set[str]:
        return {each.game.id for each in list_games(store, kind, bot, document)}

    records = {one["meta"]["id"]: one for one in map(json.loads, read_lines(store))}
    assert listed("all") == records.keys()
    for bot in ("ann", "bob", "cid", "dee"):
        mine, lost, failed = set(), set(), set()
        for id, record in records.items():
            bots, faults = record["meta"]["bots"], record["meta"]["faults"]
            won = (bot, 1) in zip(bots, record["result"]["ranks"], strict=True)
            mine |= {id} if bot in bots else set()
            lost |= {id} if bot in bots and not faults and not won else set()
            failed |= {id for seat, *_ in faults if bots[seat] == bot}
        assert (listed("all", bot), listed("lost", bot), listed("fault", bot)) \
            == (mine, lost, failed)  # fmt: skip
        assert list_games(store, "lost", bot, document, "sixteen") == [
            each
            for each in list_games(store, "lost", bot, document)
            if each.pool.startswith("Sixteen")
        ]
    upsets = list_games(store, "upset", None, document)
    ann = {each.game.id for each in upsets if "ann" in each.game.bots}
    assert listed("upset", "ann") == ann


@pytest.mark.whole
def test_lost_games_with_even_chances_come_first(store: Store, document: Standings) -> None:
    for bot in ("ann", "bob", "cid", "dee"):
        lost = list_games(store, "lost", bot, document)
        chances = [min(each.expected or 0, 0.5) for each in lost]
        assert chances == sorted(chances, reverse=True)
        even = [each.weight[1] for each in lost if each.expected and each.expected >= 0.5]
        assert even == sorted(even), "farthest behind first"


@pytest.mark.whole
def test_more_games_than_a_site_takes_are_refused(
    store: Store, document: Standings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The league has 120, in 4 + 6 + 6 + 6 + 4 line-ups; two pools have two games a line-up."""
    monkeypatch.setattr(stats, "MOST_ASKED", 100)
    some = collect_stats(store, document, 3).watched
    assert len(some) == 4 * 3 + 6 * 3 + 6 * 2 + 6 * 2 + 4 * 3
    with pytest.raises(UsageError, match="--games 99: that is 120 games, and a site takes 100"):
        collect_stats(store, document, 99)
