"""What was played goes into the store, and the disk is waited for as seldom as may be."""

from contextlib import closing
from pathlib import Path

from arena.model import Bot, Entry, Limits, Played, Pool, StoredPlan, Tally, Wanted
from arena.plan.plan import Plan
from arena.runner.executor import Finished, Machine
from arena.runner.intake import Intake
from arena.sandbox.walls import NONE
from arena.schedule.order import schedule_for
from arena.session.session import Job
from arena.store import usage
from arena.store.chunk import chunk_of
from arena.store.store import Store
from tests.crews import Unshown

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = [Bot(name, name * 8) for name in ("ann", "bob", "cid")]
ENTRY = Entry(POOL, tuple(BOTS), 1, "all", False)


def test_a_session_of_many_bots_is_two_writes(tmp_path: Path) -> None:
    """One of its games, one of what its bots used. With one a bot, 27 of them took seven eighths of
    the time that a session of 32 bots takes to be stored.
    """
    plan = Plan("cup", tmp_path, 1, 1, Limits(), NONE, (Wanted(ENTRY, None, False),), {})
    games = list(schedule_for(StoredPlan("cup", True, NONE, Limits(), (ENTRY,)), ENTRY))
    played = [Played(game, b"{}", (1, 2, 3), (0, 0, 0), ()) for game in games]
    tallies = [Tally(bot.name, 7, 0.5, 0.1, ("a note",), "printed") for bot in BOTS]
    job = Job(POOL, Limits(), False, games, b"secret", {})
    said = list[str]()
    with closing(Store.create_or_open(tmp_path)) as store:
        for bot in BOTS:
            store.keep_bot(bot, ())
        intake = Intake(plan, store, Unshown(), None)
        store.db.set_trace_callback(said.append)
        intake.take(Finished(job, (chunk_of(POOL, played),), tallies, Machine("far", 1.25)))
        store.db.set_trace_callback(None)
        kept = list(usage.kept(store))
        assert store.count() == intake.played == len(games)
    assert said.count("COMMIT") == 2
    assert [each[1:4] for each in kept] == [(bot, 7, 0.5) for bot in BOTS]
    assert {each[5:] for each in kept} == {("[]", '["a note"]', "printed", 0.1)}
    assert {usage.played_by(each)["host"] for each in kept} == {"far"}
