"""`arena standings --all`; `arena watch`: a tournament followed from outside, never disturbed."""

import json
import os
import shutil
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
from tests.leagues import main, make, wait_for_games, wait_for_page

GAMES = 6  # of the league


def drop(results: Path, games: int) -> None:
    with closing(Store.create_or_open(results)) as store:
        store.drop(list(store.games())[:games])


def test_of_one_that_is_over_it_says_so_and_ends(fresh: Path) -> None:
    def found() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in fresh.rglob("*") if file.is_file()}

    before, done = found(), main("watch", fresh)
    (line,) = done.stdout.decode().splitlines()
    assert line.startswith(f"cup: {GAMES} of {GAMES} games")
    assert done.stderr.decode() == f"Finished. Tables: arena standings {fresh}\n"
    assert (done.returncode, found()) == (0, before)


def test_of_one_that_was_interrupted_it_says_how_many_are_missing(fresh: Path) -> None:
    drop(fresh, 2)
    done = main("watch", fresh)
    assert done.stdout.decode().startswith(f"cup: {GAMES - 2} of {GAMES} games")
    assert b"Not running. 2 games left; resume with the same `arena tournament`" in done.stderr


def test_what_is_stored_while_it_looks_is_counted_at_the_next_look(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_after(store: Store) -> StoredPlan:
        plan = load_plan(store)
        drop(fresh, 2)
        return plan

    monkeypatch.setattr(plans, "load_plan", change_after)
    follower = plans.Follower(fresh)
    assert sum(each.games for each in follower.look()) == GAMES
    assert (follower.stored, follower.missing) == (GAMES, 0)


@pytest.mark.whole
def test_while_a_run_holds_the_lock_it_is_not_finished(fresh: Path) -> None:
    lock = lock_folder(fresh)  # as a run does before it has noted its plan
    with Keyboard("watch", fresh, cwd=fresh) as keys:
        try:
            keys.until("running; preparing games or tables")
            told = _Watched(fresh)
            assert told.look()
            assert told.line(plays=True) == f"cup: {GAMES} games stored; {PREPARES}"
        finally:
            os.close(lock)
        assert keys.end() == 0
    assert "Finished. Tables: " in keys.seen


@pytest.mark.whole
def test_while_games_are_played_a_site_says_how_far_it_is_and_then_stopped(fresh: Path) -> None:
    drop(fresh, 2)
    come, site = f"{GAMES - 2} of {GAMES} games", fresh / "site"
    reloads = '<meta http-equiv="refresh" content="1">'
    with suppress(Stopped), publishing(fresh, every_s=1):
        wait_for_page(site / "index.html", f"Still playing: {come} at ")
        assert json.loads((site / "standings.json").read_text())["pools"]
        assert len(list((site / "games").glob("*.js"))) == 2
        found = [each.name for each in site.glob("*.html") if reloads in each.read_text()]
        assert found == ["index.html"]
        raise Stopped
    told = (site / "index.html").read_text()
    assert (f"Not finished: {come}." in told, reloads in told) == (True, False)
    assert len(list((site / "games").glob("*.js"))) > 2


@pytest.mark.whole
def test_a_run_that_is_interrupted_within_its_first_minute_leaves_a_site(fresh: Path) -> None:
    drop(fresh, 2)
    with pytest.raises(typer.Exit), publishing(fresh):
        raise typer.Exit(INTERRUPTED)
    told = (fresh / "site" / "index.html").read_text()
    assert f"Not finished: {GAMES - 2} of {GAMES} games." in told
    shutil.rmtree(fresh / "site")
    with pytest.raises(UsageError), publishing(fresh):
        raise UsageError  # refused before it plays
    assert not (fresh / "site").exists()


@pytest.mark.whole
def test_a_running_tournament_is_followed_and_not_disturbed(tmp_path: Path) -> None:
    """960,000 games, 4 line-ups x 6 seatings x 40,000: minutes, more than the test waits for."""
    pool = 'seed = 5\nworkers = 1\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 40000\n'
    config, results = make(tmp_path, pool), tmp_path / "results" / "cup"
    program = [sys.executable, "-m", "arena"]
    words = [*program, "tournament", str(config), "-q"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as playing:
        try:
            wait_for_games(results, 1, playing)
            with Keyboard("watch", results, cwd=tmp_path) as keys:
                keys.until(" of 960,000 games")
                keys.until("leaders so far, wins above chance:")
                keys.process.send_signal(signal.SIGINT)
                assert keys.end() == 130
                assert keys.modes() == keys.before
            assert "Press Ctrl-C to leave; the tournament continues." in keys.seen
            with subprocess.Popen(
                [*program, "watch", results], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as piped:
                assert piped.stdout is not None
                assert b" of 960,000 games" in piped.stdout.readline()
                assert playing.poll() is None, "it was not disturbed"
                playing.send_signal(signal.SIGINT)
                assert b"Not running. " in piped.communicate(timeout=120)[1]
                assert piped.returncode == 0
            assert playing.wait(120) == 130
        finally:
            playing.kill()


def test_all_shows_the_columns_and_the_cpu_times_that_are_else_left_out(cup: Path) -> None:
    first, every = (main("standings", cup, *words).stdout.decode() for words in ([], ["--all"]))
    for told in (" next ", " wins ", "\nCPU time per decision, limit 100 ms:\n"):
        assert told in every
        assert told not in first
