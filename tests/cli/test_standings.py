"""`arena standings --all`; `arena watch`: a tournament followed from outside, never disturbed."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
import typer

from arena.cli.standings import PREPARES, _Watched, publishing
from arena.errors import INTERRUPTED, UsageError
from arena.model import StoredPlan
from arena.store import plans
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.system.locks import lock_folder
from arena.system.signals import Stopped
from tests.keyboards import Keyboard
from tests.leagues import SMALL_GAMES, main, make, wait_for_games, wait_for_page


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.whole
def test_of_one_that_is_over_it_says_so_and_ends(league: Path) -> None:
    results = league / "results" / "cup"
    before = contents(results)
    done = main("watch", results)
    assert done.returncode == 0
    told = done.stdout.decode()
    assert told.startswith(f"cup: {SMALL_GAMES} of {SMALL_GAMES} games; wins above chance: ")
    assert len(told.splitlines()) == 1
    assert done.stderr.decode() == f"Finished. Tables: arena standings {results}\n"
    assert contents(results) == before


@pytest.mark.whole
def test_of_one_that_was_interrupted_it_says_how_many_are_missing(league: Path) -> None:
    results = league / "results" / "cup"
    store = Store.create_or_open(results)
    store.drop(list(store.games())[:7])
    store.close()
    done = main("watch", results)
    assert done.stdout.decode().startswith(f"cup: {SMALL_GAMES - 7} of {SMALL_GAMES} games")
    assert b"Not running. 7 games left; resume with the same `arena tournament`" in done.stderr


@pytest.mark.whole
def test_what_is_stored_while_it_looks_is_counted_at_the_next_look(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = league / "results" / "cup"

    def change_after(store: Store) -> StoredPlan:
        plan = load_plan(store)
        with closing(Store.create_or_open(results)) as writer:
            writer.drop(list(writer.games())[:7])
        return plan

    monkeypatch.setattr(plans, "load_plan", change_after)
    follower = plans.Follower(results)
    assert sum(each.games for each in follower.look()) == SMALL_GAMES
    assert (follower.stored, follower.missing) == (SMALL_GAMES, 0)


@pytest.mark.whole
def test_while_a_run_holds_the_lock_it_is_not_finished(league: Path) -> None:
    results = league / "results" / "cup"
    lock = lock_folder(results)  # as a run does before it has noted its plan
    with Keyboard("watch", results, cwd=league) as keys:
        try:
            keys.until("running; preparing games or tables")
            told = _Watched(results)
            assert told.look()
            assert told.line(plays=True) == f"cup: {SMALL_GAMES} games stored; {PREPARES}"
        finally:
            os.close(lock)
        assert keys.end() == 0
    assert "Finished. Tables: " in keys.seen


RELOADS = '<meta http-equiv="refresh" content="1">'


@pytest.mark.whole
def test_while_games_are_played_a_site_says_how_far_it_is_and_at_the_end_that_it_stopped(
    league: Path,
) -> None:
    results = league / "results" / "cup"
    with closing(Store.create_or_open(results)) as store:
        store.drop(list(store.games())[:7])
    come = f"{SMALL_GAMES - 7} of {SMALL_GAMES} games"
    page = results / "site" / "index.html"
    with suppress(Stopped), publishing(results, every_s=1):
        told = wait_for_page(page, f"Still playing: {come} at ")
        assert RELOADS in told
        assert json.loads((page.parent / "standings.json").read_text())["pools"]
        assert len(list((page.parent / "games").glob("*.js"))) == 3
        assert [
            each.name for each in page.parent.glob("*.html") if RELOADS in each.read_text()
        ] == ["index.html"]
        raise Stopped
    told = page.read_text()
    assert f"Not finished: {come}." in told
    assert RELOADS not in told
    assert len(list((page.parent / "games").glob("*.js"))) > 3


@pytest.mark.whole
def test_a_run_that_is_interrupted_within_its_first_minute_leaves_a_site(league: Path) -> None:
    results = league / "results" / "cup"
    with closing(Store.create_or_open(results)) as store:
        store.drop(list(store.games())[:7])
    with pytest.raises(typer.Exit), publishing(results):
        raise typer.Exit(INTERRUPTED)
    told = (results / "site" / "index.html").read_text()
    assert f"Not finished: {SMALL_GAMES - 7} of {SMALL_GAMES} games." in told


@pytest.mark.whole
def test_a_run_that_is_refused_before_it_plays_makes_no_site(league: Path) -> None:
    results = league / "results" / "cup"
    with pytest.raises(UsageError), publishing(results):
        raise UsageError
    assert not (results / "site").exists()


LONG = """\
seed = 5
workers = 1

[[games]]
game = "no_thanks"
players = 3
deals = 40000
"""
LONG_GAMES = "960,000"  # 4 line-ups x 6 seatings x 40,000: minutes, more than the test waits for


@pytest.mark.whole
def test_a_running_tournament_is_followed_and_not_disturbed(tmp_path: Path) -> None:
    config, results = make(tmp_path, LONG), tmp_path / "results" / "cup"
    words = [sys.executable, "-m", "arena", "tournament", str(config), "-q"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as playing:
        try:
            wait_for_games(results, 1, playing)
            with Keyboard("watch", results, cwd=tmp_path) as keys:
                keys.until(f" of {LONG_GAMES} games")
                keys.until("leaders so far, wins above chance:")
                keys.process.send_signal(signal.SIGINT)
                assert keys.end() == 130
                assert keys.modes() == keys.before
            assert "Press Ctrl-C to leave; the tournament continues." in keys.seen
            piped_words = [sys.executable, "-m", "arena", "watch", str(results)]
            with subprocess.Popen(piped_words, stdout=subprocess.PIPE, text=True) as piped:
                assert piped.stdout is not None
                assert f" of {LONG_GAMES} games" in piped.stdout.readline()
                piped.send_signal(signal.SIGINT)
                assert piped.wait(120) == 130
            with Keyboard("watch", results, cwd=tmp_path) as keys:
                keys.until(f" of {LONG_GAMES} games")
                assert playing.poll() is None, "it was not disturbed"
                playing.send_signal(signal.SIGINT)
                assert keys.end() == 0
            assert "Not running. " in keys.seen
            assert playing.wait(120) == 130
        finally:
            playing.kill()


@pytest.mark.whole
def test_all_shows_the_columns_and_the_cpu_times_that_are_else_left_out(league: Path) -> None:
    results = league / "results" / "cup"
    first, every = (main("standings", results, *words).stdout.decode() for words in ([], ["--all"]))
    for told in (" next ", " wins ", "\nCPU time per decision, limit 100 ms:\n"):
        assert told in every
        assert told not in first
