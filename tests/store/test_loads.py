"""Loads that failed for once: what they cost is played anew, unless kept tables count it."""

import json
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from arena.model import Reason
from arena.runner.serial_executor import SerialExecutor
from arena.schedule.order import make_schedule
from arena.sequential.stages import find_look, limit_to_look
from arena.store.loads import UNLOADABLE, read_loads
from arena.store.plans import count_missing, find_missing, load_plan
from arena.store.store import Store
from tests.leagues import NOW, Done, alter, main, make, pairs
from tests.sessions import FIRST

BOTS = {name: f"{FIRST}# {name}\n" for name in ("ann", "bob", "eva", "max")}
KILLED = Reason("load", "killed by the kernel, most likely because memory ran out", how="memory")
CUP, NEXT_DAY = Path("results") / "cup", NOW + timedelta(days=1)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> dict[str, Reason]:
    """Bots that do not load on a machine short of memory; to be mended by tests."""
    failing = {"eva": KILLED, "max": KILLED}
    monkeypatch.setattr(SerialExecutor, "find_unloadable", lambda self, bots, steps: dict(failing))
    return failing


def run(league: Path, *words: object, now: datetime = NOW) -> Done:
    done = main("tournament", league / "tournaments" / "cup.toml", *words, now=now)
    assert done.returncode == 0, done.stderr.decode()
    return done


def verify(results: Path) -> None:
    done = main("verify", results)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith(b"OK: no problems found in ")


def forfeits(league: Path, results: Path = CUP) -> tuple[int, int]:
    """Forfeited games in the tables, and line-ups that were not played."""
    doc = json.loads((league / results / "standings.json").read_text("utf-8"))
    return sum(each["total"] for each in doc["faults"]), doc["pools"][0]["line_ups_not_played"]


@pytest.fixture
def short(tmp_path: Path, failing: dict[str, Reason]) -> Path:
    """After its first run 8 of 12 games were forfeited, and the 2 of eva and max not played."""
    make(tmp_path, pairs(1), BOTS)
    done = run(tmp_path)
    assert b"10 games played" in done.stderr
    assert b"eva: forfeits all 4 games (killed by the kernel, most likely because" in done.stderr
    assert forfeits(tmp_path) == (8, 1)
    return tmp_path


def test_a_bot_that_loads_at_the_second_run_plays_all_its_games(
    short: Path, failing: dict[str, Reason]
) -> None:
    assert b"Nothing new to play" in run(short).stderr
    assert forfeits(short) == (8, 1)
    told = b" ".join(main("standings", short / CUP).stdout.split())
    assert b"eva does not load: out of memory; the next run tries again" in told
    verify(short / CUP)
    with closing(Store.open(short / CUP)) as store:
        plan = load_plan(store)
        planned = [make_schedule(plan, plan.entries[0]._replace(deals=3))]
        assert count_missing(store, planned) == len(find_missing(store, *planned)) == 20
    del failing["eva"]
    done = run(short)
    assert b"4 games are played after all: eva did not load before" in done.stderr
    assert b"6 games played" in done.stderr  # those of eva and max too
    assert forfeits(short) == (6, 0)
    failing.clear()
    assert b"6 games played" in run(short).stderr
    assert forfeits(short) == (0, 0)
    assert b"Nothing new to play" in run(short, now=NEXT_DAY).stderr
    verify(short / CUP)


def test_what_a_kept_week_counted_stays_and_newcomers_are_played_properly(
    short: Path, failing: dict[str, Reason]
) -> None:
    failing.clear()
    done = run(short, now=NEXT_DAY)
    stays = b"8 games stay forfeited, because tables that are kept counted them: eva, max did not"
    assert stays in done.stderr
    assert b"Nothing new to play" in done.stderr
    assert forfeits(short) == (8, 1)
    verify(short / CUP)
    make(short, pairs(1), {"zoe": FIRST + "# zoe\n"})
    done = run(short, now=NEXT_DAY)
    assert b"8 games played" in done.stderr
    assert stays not in done.stderr
    assert forfeits(short) == (8, 1)
    verify(short / CUP)


def test_after_a_season_was_closed_nothing_is_played_anew(
    short: Path, failing: dict[str, Reason]
) -> None:
    assert main("season", "close", short / CUP, "--yes").returncode == 0
    (archive,) = (short / "seasons").iterdir()
    verify(archive)
    (past,) = (short / "results").glob("cup.*")
    failing.clear()
    run(short, "--results", past, "-q")
    assert forfeits(short, past) == (8, 1)


def test_looks_that_were_passed_keep_their_forfeits_and_the_last_is_made_anew(
    tmp_path: Path, failing: dict[str, Reason]
) -> None:
    make(tmp_path, pairs(80) + "stop_confidence = 0.95\n", BOTS)
    run(tmp_path, "-q")
    with closing(Store.open(tmp_path / CUP)) as store:
        (entry,) = load_plan(store).entries
    look = find_look(entry)
    passed = limit_to_look(entry, look - 1).deals
    assert look > 0
    assert forfeits(tmp_path) == (8 * entry.deals, 1)
    failing.clear()
    run(tmp_path, "-q")
    assert forfeits(tmp_path) == (8 * passed, 1)
    verify(tmp_path / CUP)


def test_what_was_cut_off_before_it_was_played_again_is_in_the_next_run(
    short: Path, failing: dict[str, Reason]
) -> None:
    alter(short / CUP / "arena.sqlite", "UPDATE fault SET reason = ''")
    alter(short / CUP / "arena.sqlite", "DELETE FROM meta WHERE key LIKE ?", f"{UNLOADABLE}%")
    failing.clear()
    assert b"10 games played" in run(short).stderr


def test_a_published_copy_has_what_everybody_may_read(tmp_path: Path) -> None:
    secret = "raise ValueError('for my author alone')\n"
    make(tmp_path, pairs(1), {"ann": FIRST, "bob": FIRST + "# b\n", "cid": secret})
    run(tmp_path, "-q")
    main("export", tmp_path / CUP, "--to", tmp_path / "out")
    (public,) = (tmp_path / "out").glob("*.sqlite")
    with closing(Store.open(public)) as store:
        (load,) = read_loads(store, load_plan(store).bots).values()
    assert load.lasting
    assert (load.why.error, load.why.message, load.why.traceback) == ("ValueError", "", "")
    assert b"for my author alone" not in public.read_bytes()
    assert b"cid does not load: ValueError, cid.py line 1" in main("standings", public).stdout
