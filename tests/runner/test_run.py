"""What was played goes into the store, and the disk is waited for as seldom as may be."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from arena import model
from arena.model import NONE, Bot, Fault, Fixture, Limits, Played, Pool, Reason, StoredPlan, Tally
from arena.plan.plan import Plan
from arena.progress import SILENT
from arena.runner.executor import Finished
from arena.runner.run import Collector
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.store.chunk import make_chunk
from arena.store.store import Store

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = [Bot(name, name * 8) for name in ("ann", "bob", "cid")]
ENTRY = model.Entry(POOL, tuple(BOTS), 1, "all", False)


GAMES = list(make_schedule(StoredPlan("cup", True, NONE, Limits(), (ENTRY,)), ENTRY))
TALLIES = [Tally(bot.name, 7, 0.5, 0.1, ("a note",), "printed") for bot in BOTS]


@pytest.fixture
def collects(tmp_path: Path) -> Iterator[tuple[Collector, Store]]:
    with closing(Store.create_or_open(tmp_path)) as store:
        for bot in BOTS:
            store.keep_bot(bot, ())
        entered = (model.Wanted(ENTRY, None),)
        plan = Plan("cup", tmp_path, 1, 1, Limits(), NONE, entered, {})
        yield Collector(plan, store, SILENT), store


def session_of(games: Sequence[Fixture]) -> Finished:
    fault = Fault(0, 3, Reason("error", "why"))
    played = [Played(game, b"{}", (1, 2, 3), (0, 0, 0), (fault,)) for game in games]
    half = len(played) // 2
    chunks = make_chunk(POOL, played[:half]), make_chunk(POOL, played[half:])
    return Finished(Job(POOL, Limits(), False, games, b"secret", {}), chunks, TALLIES, "far")


def test_a_session_of_many_bots_is_one_write(collects: tuple[Collector, Store]) -> None:
    (collector, store), said = collects, list[str]()
    store.db.set_trace_callback(said.append)
    collector.take(session_of(GAMES))
    store.db.set_trace_callback(None)
    assert store.count() == collector.played == len(GAMES)
    assert said.count("COMMIT") == 1
    kept = "name, decisions, cpu_s, worst_s, ends, notes, printed"
    rows = store.db.execute(f"SELECT {kept} FROM timing JOIN bot ON bot.id = bot ORDER BY name")
    texts = "[]", '["a note"]', "printed"
    assert rows.fetchall() == [(bot.name, 7, 0.5, 0.1, *texts) for bot in BOTS]


def test_of_a_session_whose_worker_was_lost_after_its_last_game_nothing_is_left_to_keep(
    collects: tuple[Collector, Store],
) -> None:
    """It is played again without games; what its bots used was known to that worker alone."""
    collector, store = collects
    rest = session_of(GAMES[:4]).job._replace(fixtures=())
    collector.take(session_of(GAMES[:4])._replace(tallies=None))
    before = store.db.total_changes
    collector.take(Finished(rest, (), TALLIES))
    assert store.db.total_changes == before
    assert collector.played == 4
