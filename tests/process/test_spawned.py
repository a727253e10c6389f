"""Bots' processes without walls: they answer as those behind walls do, and end as surely."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena import ids
from arena.faults.reasons import in_full
from arena.league.bots import BotPath
from arena.league.files import hash_source, read_bot, write_snapshots
from arena.model import Bot, Entry, Limits, Place, Played, Pool
from arena.process.asker import Launcher
from arena.process.spawned import ENVIRONMENT, SpawnClient
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire
from arena.schedule.order import Schedule
from arena.session.session import Job, Session
from tests import one_process
from tests.one_process import Bench
from tests.places import ROOT

POOL = Pool("no_thanks", 3, "{}", "")
DECIDE = "def decide(view):\n"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(one_process, "LIMITS", one_process.LIMITS._replace(wall_ms=300))
    (folder := tmp_path / "bot").mkdir()
    bench = Bench(SpawnClient(), folder)
    yield bench
    for process in bench.processes:
        process.end()


def test_the_same_games_come_of_it_as_behind_the_walls() -> None:
    """With a bot that draws, one that learns as it plays, and one that iterates over a set."""
    names = ("champion", "ledger", "random_choice")
    sources = {name: read_bot(BotPath(name, ROOT / "bots" / f"{name}.py")) for name in names}
    bots = [Bot(name, hash_source(source)) for name, source in sources.items()]
    entry = Entry(POOL, tuple(bots), 2, "all", shared_decks=False)
    games = tuple(Schedule(entry, ids.Identity(POOL, 1, Limits(), "none", False)))

    def play(launcher: Launcher, paths: dict[str, str]) -> dict[str, Played]:
        played: list[Played] = []
        job = Job(POOL, Limits(), False, games, ids.secret_from_seed(7), {})
        Session(job, paths, launcher, played.append, lambda: None).play()
        return {game.fixture.id: game for game in played}

    with write_snapshots(sources, bots) as paths, closing(ZygoteClient()) as zygote:
        behind, without = play(zygote, paths), play(SpawnClient(), paths)
    assert behind == without
    assert len(without) == 12


@pytest.mark.parametrize(
    ("source", "kind", "told"),
    [
        ("__import__('os')._exit(3)", "crash", "its process exited with status 3"),
        ("__import__('os').kill(__import__('os').getpid(), 15)", "crash", "killed by SIGTERM"),
        ("all(iter(int, 1)) or any(iter(int, 1))", "time", "over the time limit: 300 ms of wall"),
        ("__import__('time').sleep(60)", "time", "over the time limit: 300 ms of wall time a de"),
    ],
)
def test_a_process_that_is_lost_has_its_reason(
    bench: Bench, source: str, kind: str, told: str
) -> None:
    reply = bench.death(f"{DECIDE}    if view.table == 3: {source}\n    return 'pass'")
    assert (reply.reason.kind, reply.question) == (kind, 3)
    assert in_full(reply.reason).startswith(told)


def test_an_error_has_its_line_and_costs_one_game(bench: Bench) -> None:
    answer = bench.answer(f"{DECIDE}    return 'pass' if view.table else 1 / 0")
    (failure,) = answer.failures
    place = Place("bot.py", 2, "decide", "return 'pass' if view.table else 1 / 0")
    assert (failure.error, failure[6:10]) == ("ZeroDivisionError", tuple(vars_of(place)))
    assert answer.decisions == ["", *["pass"] * 7]


def vars_of(place: Place) -> list[object]:
    return [getattr(place, name) for name in place.__struct_fields__]


@pytest.mark.parametrize(
    ("source", "how", "told"),
    [
        ("def decide(view:", "error", "SyntaxError"),
        ("import nothing_like_it", "error", "ModuleNotFoundError"),
        ("x = 1", "error", "no bot is defined"),
        ("while True: pass", "time", "over the time limit: 700 ms of wall time to load"),
    ],
)
def test_what_does_not_load_is_told_so(bench: Bench, source: str, how: str, told: str) -> None:
    reason = bench.start(source).load()
    assert reason is not None
    assert (reason.kind, reason.how) == ("load", how)
    assert told in in_full(reason)


def test_its_surroundings_are_those_behind_the_walls(bench: Bench) -> None:
    """The order of sets, the folder it is in, and the random numbers while it loads."""
    source = (
        "import os, random, sys\nDRAWN, FOLDER = random.random(), os.getcwd()\n"
        f"{DECIDE}    raise ValueError(list(map(hash, 'abc')), FOLDER, sys.argv[1:], DRAWN)"
    )
    with closing(ZygoteClient()) as zygote:
        walled = Bench(zygote, bench.folder)
        behind, without = (each.answer(source, 1).failures[0] for each in (walled, bench))
        for process in walled.processes:
            process.end()
    assert behind.message == without.message


def test_prints_are_kept_up_to_their_limit_and_nothing_is_left(bench: Bench) -> None:
    process = bench.start(f"{DECIDE}    print('x' * 1000)\n    return 'pass'")
    assert process.load() is None
    process.tell(wire.Hello("no_thanks", {}))
    assert isinstance(one_process.ask(process, one_process.begin(8), 8), wire.Answer)
    process.end()
    assert len(process.printed) == one_process.LIMITS.max_output_kib << 10
    assert process.printed.startswith("table 0: xxx")
    assert os.listdir(bench.folder.parent) == [bench.folder.name]
    assert not ENVIRONMENT.keys() & {*os.environ} - {"OPENBLAS_NUM_THREADS"}
