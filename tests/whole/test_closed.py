"""A league that closed: after that time the bots of the last run before it play."""

import json
import shutil
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from arena.store.plans import load_plan
from arena.store.store import Store
from tests.leagues import NOW, Done, main, make, pairs
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("closed")]

CLOSES = datetime.fromisoformat("2026-12-01T18:00:00+01:00")
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
GAME = pairs(1)
BOTS = {"ann": FIRST, "bob": FIRST + "# b\n", "lea": FIRST + "# l\n"}


def config(closes: str = "2026-12-01T18:00:00+01:00", game: str = GAME) -> str:
    return (f"entries_close = {closes}\n" if closes else "") + game


def write(league: Path, text: str) -> None:
    (league / "tournaments" / "cup.toml").write_text(text)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that ran in November, and whose bots were changed after it."""
    folder = tmp_path_factory.mktemp("kept")
    make(folder, config(), BOTS)
    assert run(folder, NOW).returncode == 0
    alter_bots(folder)
    return folder


@pytest.fixture
def league(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "league"))


def alter_bots(league: Path) -> None:
    (league / "bots" / "ann.py").write_text(FIRST + "# mended\n")
    (league / "bots" / "lea.py").unlink()
    (league / "bots" / "zoe.py").write_text(FIRST + "# z\n")


def run(league: Path, now: datetime, *words: object) -> Done:
    return main("tournament", league / "tournaments" / "cup.toml", "-q", *words, now=now)


def played(league: Path) -> dict[str, str]:
    with closing(Store.open(league / "results" / "cup")) as store:
        return dict(load_plan(store).bots)


def closing_in_tables(league: Path, words: str) -> object:
    """What standings.json says of closing, if the tables for people have these words."""
    json_, html, md = ((league / "results" / "cup" / f"standings.{kind}").read_text("utf-8")
                       for kind in ("json", "html", "md"))  # fmt: skip
    return json.loads(json_)["entries_close"] if words in html and words in md else None


SAID = (
    "Closed since 2026-12-01 18:00:00+01:00: the bots of the run of 2026-11-02 09:00:00+01:00 "
    "play. Not played: ann (changed), zoe (new). Still playing: lea (not in the league's folder "
    "now)."
)


@pytest.mark.parametrize("closes", ["2026-12-01T17:00:00Z", "2026-12-01T12:00:00-05:00"])
def test_a_second_before_it_bots_are_taken_and_at_it_no_more(league: Path, closes: str) -> None:
    before = played(league)
    write(league, config(closes))
    at = run(league, CLOSES)
    assert at.returncode == 0, at.stderr
    assert played(league) == before
    assert "bots of the run of 2026-11-02" in at.stderr.decode()
    other_offset = (CLOSES - SECOND).astimezone(datetime.fromisoformat("2026-01-01T00Z").tzinfo)
    assert run(league, other_offset).returncode == 0
    assert played(league).keys() == {"ann", "bob", "zoe"}
    assert played(league)["ann"] != before["ann"]


def test_it_says_what_differs_and_new_games_are_played_by_the_old_bots(league: Path) -> None:
    before = played(league)
    write(league, config(game=GAME.replace("deals = 1", "deals = 2")))
    done = run(league, CLOSES + DAY)
    assert (done.returncode, done.stderr.decode().splitlines()[0]) == (0, SAID)
    assert played(league) == before
    with closing(Store.open(league / "results" / "cup")) as store:
        assert store.count() == 12
    shutil.rmtree(league / "bots")
    (league / "bots").mkdir()
    again = run(league, CLOSES + 2 * DAY)
    assert again.returncode == 0, again.stderr
    assert played(league) == before
    expected = {"time": CLOSES.isoformat(), "bots_from_before": True}
    assert closing_in_tables(league, "bots as of the last run before it") == expected
    assert main("verify", league / "results" / "cup").returncode == 0


def test_where_none_ran_before_it_the_first_run_s_bots_play_from_then_on(tmp_path: Path) -> None:
    make(tmp_path, config(), BOTS)
    begun = run(tmp_path, CLOSES + DAY)
    assert begun.returncode == 0
    assert b"and no run was before that; today's bots play, also from now on." in begun.stderr
    first = played(tmp_path)
    alter_bots(tmp_path)
    done = run(tmp_path, CLOSES + 2 * DAY)
    assert b"Not played: ann (changed), zoe (new)" in done.stderr
    assert played(tmp_path) == first
    with closing(Store.open(tmp_path / "results" / "cup")) as store:
        plan = load_plan(store)
        assert (plan.run_began, plan.entries_close) == (CLOSES + DAY, CLOSES)
    words = "no run was before it, so bots as of the first run after it"
    expected = {"time": CLOSES.isoformat(), "bots_from_before": False}
    assert closing_in_tables(tmp_path, words) == expected


def test_moved_on_or_removed_it_is_open_again_and_then_closes_with_these_bots(league: Path) -> None:
    run(league, CLOSES)
    for text in (config("2026-12-09T18:00:00+01:00"), config("")):
        (league / "bots" / "bob.py").write_text(FIRST + f"# {len(text)}\n")
        write(league, text)
        done = run(league, CLOSES + DAY)
        assert done.returncode == 0, done.stderr
        assert b"Closed since" not in done.stderr
        opened = b"Open again: it had closed at 2026-12-01 18:00:00+01:00. Today's" in done.stderr
        assert opened is ("entries_close" in text)  # the second is a run like any other
        now = played(league)
        assert now.keys() == {"ann", "bob", "zoe"}
    write(league, config("2026-12-09T18:00:00+01:00"))
    (league / "bots" / "zoe.py").unlink()
    run(league, CLOSES + 9 * DAY)
    assert played(league) == now


def test_a_new_pool_has_the_kept_bots_of_its_globs_though_their_files_are_gone(
    league: Path,
) -> None:
    shutil.rmtree(league / "bots")
    table = GAME.partition("\n\n")[2]
    three = table.replace("sixteen", "no_thanks").replace("players = 2", "players = 3")
    some = table.replace("sixteen", "diciassette")
    some += 'bots = ["bots/l*", "bots/ann.py", "bots/bob", "!bots/l*"]\n'
    write(league, config(game=f'{GAME}{three}bots = ["bots/*"]\n{some}'))
    done = run(league, CLOSES)
    assert done.returncode == 0, done.stderr
    with closing(Store.open(league / "results" / "cup")) as store:
        entries = [[bot.name for bot in each.bots] for each in load_plan(store).entries]
    assert sorted(entries) == [["ann", "bob"], ["ann", "bob", "lea"], ["ann", "bob", "lea"]]
    write(league, config(""))
    assert b"no folder 'bots'" in run(league, CLOSES).stderr


def test_an_interrupted_run_counts_and_so_does_one_that_failed_to_play(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last run before the deadline began with the changed bots, and was killed at once."""
    monkeypatch.setattr("arena.runner.run.find_unloadable", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run(league, CLOSES - DAY)
    monkeypatch.undo()
    assert run(league, CLOSES).returncode == 0
    assert played(league).keys() == {"ann", "bob", "zoe"}


def test_begun_again_it_stays_closed(league: Path) -> None:
    before = played(league)
    assert run(league, CLOSES, "--fresh").returncode == 0
    assert played(league) == before
    assert run(league, CLOSES + DAY).returncode == 0
    assert played(league) == before
