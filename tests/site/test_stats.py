"""Facts of a played league: they agree with the standings, and are the same from any scan."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.site import stats
from arena.site.games_to_watch import Wanted
from arena.site.opponents import opponents
from arena.site.stats import Facts, facts_in
from arena.store.plans import lines_of
from arena.store.store import Store
from arena.tables.document import Standings
from arena.tables.from_store import document_of

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def store(played: Path) -> Iterator[Store]:
    with closing(Store.open(played / "results" / "cup")) as opened:
        yield opened


@pytest.fixture(scope="module")
def document(store: Store) -> Standings:
    return document_of(store)


@pytest.fixture(scope="module")
def found(store: Store, document: Standings) -> Facts:
    return facts_in(store, document)


def test_records_are_the_crosstable_s(found: Facts, document: Standings) -> None:
    for table, own in zip(document.pools, found.pools, strict=True):
        cross = table.crosstable
        for row, bot in enumerate(cross.bots):
            for record in own.records(bot):
                column = cross.bots.index(record.opponent)
                assert record.share.games == cross.games[row][column]
                assert record.share.mean == pytest.approx(cross.ahead[row][column], abs=6e-4)
                assert record.share.games == record.ahead + record.tied + record.behind


def test_seats_and_scores_are_the_standings_own(found: Facts, document: Standings) -> None:
    for table, own in zip(document.pools, found.pools, strict=True):
        for row in table.table:
            seats = own.by_seat(row.bot)
            games = sum(seat.wins.games for seat in seats)
            assert games == row.games
            wins = sum(seat.wins.total for seat in seats)
            assert wins / games == pytest.approx(row.wins, abs=6e-4)


def test_scanned_in_processes_they_are_the_same(
    store: Store, document: Standings, found: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stats, "SCAN_APART", 0)
    again = facts_in(store, document)
    assert again.watched == found.watched
    for one, other in zip(again.pools, found.pools, strict=True):
        assert repr(one) == repr(other)


def test_games_to_watch_are_of_the_store(store: Store, found: Facts) -> None:
    records = {line.split(b'"id":"')[1][:20].decode() for line in lines_of(store)}
    assert {each.game.id for each in found.watched} <= records


def test_every_bot_has_its_bane_first(found: Facts, document: Standings) -> None:
    own = opponents("ann", document.pools, found.pools)
    assert {each.name for each in own} == {"bob", "cid", "dee"}
    means = [each.share.mean for each in own]
    assert means == sorted(means, key=lambda mean: mean or 0)
    for each in own:
        assert each.share.games == sum(met.record.share.games for met in each.pools if met)
        assert each.interval is not None
        assert each.sure is not None
        assert each.sure[0] <= each.interval[0] <= (each.share.mean or 0) <= each.sure[1]


def test_what_was_used_is_told_by_pool_and_in_all(found: Facts) -> None:
    for bot in ("ann", "bob", "cid", "dee"):
        pools = found.cpu[bot]
        assert sum(cpu.decisions for cpu in pools.values()) == found.cpu_overall[bot].decisions > 0


def test_more_games_than_a_site_takes_are_refused(
    store: Store, document: Standings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        stats, "MOST_ASKED", 100
    )  # the league has 120, in 4 + 6 + 6 + 6 + 4 line-ups
    with pytest.raises(UsageError, match="--games all: that is 120 games, and a site takes 100"):
        facts_in(store, document, Wanted("all"))
    some = facts_in(store, document, Wanted("line-ups", 3)).watched
    assert len(some) == 4 * 3 + 6 * 3 + 6 * 2 + 6 * 2 + 4 * 3  # two pools have two games a line-up
    with pytest.raises(UsageError, match=r"--games 9: that is 1\d\d games"):
        facts_in(store, document, Wanted("line-ups", 9))
