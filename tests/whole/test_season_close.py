"""A season is closed: its secret is public, its archive proves all, the next one begins."""

import hashlib
import os
import shutil
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from arena import ids
from arena.store.history import read_weeks
from arena.store.store import Store
from tests.kills import killed_at_each
from tests.leagues import THREE, Done, alter, main, make, pairs, played_in
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("season close")]

CONFIG = pairs(1)
CUP, PAST = Path("results") / "cup", Path("results") / "cup.2026-11-02"
ARCHIVE = Path("seasons") / "cup-2026-11-02"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that was played with a secret."""
    return played_in(tmp_path_factory.mktemp("kept") / "league", CONFIG, THREE).parents[1]


@pytest.fixture
def league(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "league"))


def close(league: Path, *words: str) -> Done:
    return main("season", "close", league / CUP, *(words or ("--yes",)))


def secret_of(results: Path) -> bytes:
    with closing(Store.open_damaged(results)) as store:
        return bytes(store.meta("secret"))


def test_its_archive_is_verified_elsewhere_and_the_next_season_has_a_secret_of_its_own(
    league: Path, tmp_path: Path
) -> None:
    old = secret_of(league / CUP)
    done = close(league)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{league / ARCHIVE}\n"
    said = done.stderr.decode().splitlines()
    assert [line[:4] for line in said[:4]] == ["1/4 ", "2/4 ", "3/4 ", "4/4 "]
    assert f"Commitment of the next season: {ids.commit('cup', secret_of(league / CUP))}" in said
    assert secret_of(league / PAST) == old != secret_of(league / CUP)

    copy = Path(shutil.copytree(league / ARCHIVE, tmp_path / "elsewhere"))
    verified = main("verify", copy)
    assert verified.returncode == 0, verified.stdout.decode()
    assert b"deals: recomputed from the secret" in verified.stdout
    with closing(Store.open(copy)) as store:
        assert [week.week.name for week in read_weeks(store)[0]] == ["2026-11-02", "final"]
    assert sorted(path.name for path in (copy / "history").iterdir()) == ["0001.json", "0002.json"]
    sums = [line.split("  ") for line in (copy / "SHA256SUMS").read_text().splitlines()]
    files = {path.relative_to(copy).as_posix(): path for path in copy.rglob("*") if path.is_file()}
    assert files.pop("SHA256SUMS")
    there = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    assert there == {name: digest for digest, name in sums}

    begun = main("tournament", league / "tournaments" / "cup.toml")
    assert begun.returncode == 0, begun.stderr.decode()
    assert ids.commit("cup", secret_of(league / CUP)) in begun.stderr.decode()
    assert b"6 games played" in begun.stderr
    site, page = league / CUP / "site", f"season-{ARCHIVE.name}.html"
    for changed in (False, True):  # then it is not the archive's
        assert main("publish", league / CUP).returncode == 0
        assert (page in (site / "index.html").read_text()) is not changed
        assert changed or (site / page).read_bytes() == (copy / "standings.html").read_bytes()
        (league / ARCHIVE / "standings.html").write_text("<script>")


@pytest.mark.parametrize("words", [(), ("--with-sources",)])
def test_no_bot_is_in_it_unless_asked_for(league: Path, words: tuple[str, ...]) -> None:
    assert close(league, "--yes", *words).returncode == 0
    with closing(Store.open(league / ARCHIVE)) as store:
        assert {store.source_of(bot) is not None for bot in store.bots()} == {bool(words)}
    again = main("verify", league / ARCHIVE, "--replay-bots", 2)
    assert again.returncode == (0 if words else 2)
    refused = b"ask its owner for a copy made with --with-sources" in again.stderr
    assert refused is not bool(words), again


def test_what_cannot_be_closed_is_left_as_it_was(league: Path) -> None:
    main("export", league / CUP, "--to", league / "copy")
    before = secret_of(league / CUP)
    for said, *words in (
        ("Nothing was closed; add --yes", "close", league / CUP),
        ("is a published copy", "close", league / "copy", "--yes"),
        ("arena season", "open", league / CUP, "--yes"),
        ("run `arena tournament`", "close", league / CUP, "--yes"),
    ):
        if "tournament" in str(said):
            with closing(Store.create_or_open(league / CUP)) as store:
                store.drop([next(iter(store.games()))])
        done = main("season", *words)
        assert (done.returncode in (1, 2), str(said) in done.stderr.decode()) == (True, True), done
        assert secret_of(league / CUP) == before
        assert not (league / CUP / "secret.json").exists()


def test_killed_anywhere_it_is_finished_by_the_same_command(kept: Path, tmp_path: Path) -> None:
    at, seen = tmp_path / "at", set()
    for after in killed_at_each(kept, at, close, stride=23):
        past, archive = (after / PAST).exists(), (after / ARCHIVE).exists()
        seen.add((past, archive))
        assert archive or not past
        if archive:
            assert main("verify", after / ARCHIVE).returncode == 0
        if not past:
            done = close(after)
            assert done.returncode == 0, done.stderr.decode()
        assert (after / PAST / "secret.json").exists()
        assert [path.name for path in (after / "seasons").iterdir()] == [ARCHIVE.name]
        done = main("tournament", after / "tournaments" / "cup.toml", "-q")
        assert done.returncode == 0, done.stderr.decode()
        assert secret_of(after / PAST) != secret_of(after / CUP)
    assert {(False, False), (True, True)} <= seen


@pytest.fixture
def half_closed(league: Path) -> Path:
    """A league whose archive is made, killed before it began the next season."""
    assert close(league).returncode == 0
    shutil.rmtree(league / CUP)
    (league / PAST).rename(league / CUP)
    return league


@pytest.mark.parametrize("name", ["games.csv", "SHA256SUMS"])
def test_an_archive_that_changed_after_a_kill_is_made_again_beside_it(
    half_closed: Path, name: str
) -> None:
    """What a kill left beside it is removed."""
    (half_closed / "seasons" / ".cup.arena-season-abcd_123.draft").mkdir()
    with (half_closed / ARCHIVE / name).open("ab") as stream:
        stream.write(b"0")
    done = close(half_closed)
    assert done.stdout.decode() == f"{half_closed / ARCHIVE}-2\n", done
    assert main("verify", f"{half_closed / ARCHIVE}-2").returncode == 0
    assert len([*(half_closed / "seasons").iterdir()]) == 2


def test_an_archive_under_a_seed_is_not_taken_for_the_next_season_s(tmp_path: Path) -> None:
    """The seed, and so the tables, are the same ones; the secret stays. From inside its folder the
    path of results has no name by which the old ones could be called.
    """
    config = make(tmp_path, "seed = 5\n" + CONFIG, THREE)
    for place, inside in ((ARCHIVE, "history"), (Path(f"{ARCHIVE}-2"), ".")):
        assert main("tournament", config, "-q").returncode == 0
        results = ".." if inside == "history" else "."
        done = main("season", "close", results, "--yes", cwd=tmp_path / CUP / inside)
        assert Path(done.stdout.decode().strip()).resolve() == (tmp_path / place).resolve()
        assert b"Commitment" not in done.stderr
        assert not (tmp_path / place / "secret.json").exists()


def test_where_archives_cannot_lie_nothing_is_closed(league: Path) -> None:
    seasons, mine = league / "seasons", league / "mine"
    mine.mkdir()
    for plant in (
        seasons.touch,
        partial(seasons.symlink_to, mine),
        partial(seasons.symlink_to, league / "nowhere"),
    ):
        plant()
        done = close(league)
        told = f"{seasons}: is a link or no folder; move it away, and close the season again\n"
        assert (done.returncode, done.stderr.decode()) == (2, told)
        assert not (league / CUP / "secret.json").exists()
        seasons.unlink()
    assert not [*mine.iterdir()]
    assert not (league / "nowhere").exists()


def test_closed_already_it_says_where_the_archive_is_and_the_new_season_has_a_backup(
    league: Path, tmp_path: Path
) -> None:
    assert close(league).returncode == 0
    again = close(league)
    assert (again.returncode, again.stdout) == (0, b"")
    assert again.stderr.decode().endswith(f"the last one is in {league / ARCHIVE}\n")
    done = main("backup", league / CUP, tmp_path / "safe")
    assert done.returncode == 0, done.stderr.decode()
    (copy,) = (tmp_path / "safe").iterdir()
    assert secret_of(copy) == secret_of(league / CUP)


@pytest.mark.parametrize("kind", ["zeros", "a pipe", "a copy", "a whole copy"])
def test_what_another_put_among_the_archives_is_not_read_and_not_believed(
    league: Path, kind: str
) -> None:
    """Anyone who knows the published tables may put something there, before or after a close."""
    planted = league / "seasons" / "cup-2026-10-01"
    planted.mkdir(parents=True)
    table = planted / "standings.json"
    if kind == "zeros":
        table.symlink_to("/dev/zero")
    elif kind == "a pipe":
        os.mkfifo(table)
    elif kind == "a copy":
        shutil.copy(league / CUP / table.name, table)
    else:
        shutil.copytree(league / CUP, planted, dirs_exist_ok=True)
        sums = hashlib.sha256(table.read_bytes()).hexdigest()
        (planted / "SHA256SUMS").write_text(f"{sums}  standings.json\n")
    done = close(league)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{league / ARCHIVE}\n"
    assert main("verify", league / ARCHIVE).returncode == 0
    planted.rename(planted.with_name("cup-2026-12-24"))
    assert f"the last one is in {league / ARCHIVE}\n" in close(league).stderr.decode()


def test_a_damaged_week_is_left_out_of_the_archive(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    assert main("tournament", config, "--label", "week 2", "-q").returncode == 0
    alter(league / CUP / "arena.sqlite", "UPDATE meta SET value = x'00' WHERE key = 'history 0001'")
    verified = main("verify", league / CUP)
    assert verified.returncode == 1
    assert b"history/0001.json: " not in verified.stdout  # which is as good as its week was
    assert b"To replace damaged games" not in verified.stderr
    done = close(league)
    assert (done.returncode, b"week 1 is damaged" in done.stderr) == (1, True)
    assert main("verify", league / ARCHIVE).returncode == 0
    assert "0001.json" not in {path.name for path in (league / ARCHIVE / "history").iterdir()}


def test_in_the_middle_of_closing_a_run_says_how_to_finish(league: Path) -> None:
    with closing(Store.create_or_open(league / CUP)) as store:
        store.set_meta("revealed", 1)
    make(league, CONFIG, THREE | {"dee": FIRST + "# d\n"})
    done = main("tournament", league / "tournaments" / "cup.toml", "-q")
    assert b"finish closing its season with `arena season close`" in done.stderr
    final = main("tournament", league / "tournaments" / "cup.toml", "-q", "--label", "final")
    assert (final.returncode, b"is for `arena season close`" in final.stderr) == (2, True)
