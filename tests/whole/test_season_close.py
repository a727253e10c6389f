"""A season is closed: its secret is public, its archive proves all, the next one begins."""

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena import ids
from arena.store.history import read_weeks
from arena.store.store import Store
from tests.kills import killed_at_each
from tests.leagues import THREE, Done, alter, main, make, pairs
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("season close")]

CONFIG = pairs(1)
CUP, PAST = Path("results") / "cup", Path("results") / "cup.2026-11-02"
ARCHIVE = Path("seasons") / "cup-2026-11-02"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that was played with a secret."""
    folder = tmp_path_factory.mktemp("kept") / "league"
    assert main("tournament", make(folder, CONFIG, THREE), "-q").returncode == 0
    return folder


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
    sums = (copy / "SHA256SUMS").read_text().splitlines()
    for line in sums:
        digest, name = line.split("  ")
        assert hashlib.sha256((copy / name).read_bytes()).hexdigest() == digest
    there = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    assert there == {line.split("  ")[1] for line in sums} | {"SHA256SUMS"}

    begun = main("tournament", league / "tournaments" / "cup.toml")
    assert begun.returncode == 0, begun.stderr.decode()
    assert ids.commit("cup", secret_of(league / CUP)) in begun.stderr.decode()
    assert b"6 games played" in begun.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [([], 2, b"ask its owner for a copy made with --with-sources"), (["--with-sources"], 0, b"")],
)
def test_no_bot_is_in_it_unless_asked_for(
    league: Path, words: list[str], code: int, said: bytes
) -> None:
    assert close(league, "--yes", *words).returncode == 0
    with closing(Store.open(league / ARCHIVE)) as store:
        assert {store.source_of(bot) is not None for bot in store.bots()} == {bool(words)}
    again = main("verify", league / ARCHIVE, "--replay-bots", 2)
    assert (again.returncode, said in again.stderr) == (code, True), again


@pytest.mark.parametrize("case", ["declined", "games left", "a copy", "no close"])
def test_what_cannot_be_closed_is_left_as_it_was(league: Path, case: str) -> None:
    said = {
        "declined": "Nothing was closed; add --yes",
        "games left": "run `arena tournament`",
        "a copy": "is a published copy",
        "no close": "arena season",
    }
    words: tuple[object, ...] = ("season", "close", league / CUP, "--yes")
    if case == "declined":
        words = words[:-1]
    elif case == "games left":
        with closing(Store.create_or_open(league / CUP)) as store:
            store.drop([next(iter(store.games()))])
    elif case == "a copy":
        main("export", league / CUP, "--to", league / "copy")
        words = ("season", "close", league / "copy", "--yes")
    else:
        words = ("season", "open", league / CUP, "--yes")
    before = secret_of(league / CUP)
    done = main(*words)
    assert (done.returncode in (1, 2), said[case] in done.stderr.decode()) == (True, True), done
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
    with (half_closed / ARCHIVE / name).open("ab") as stream:
        stream.write(b"0")
    done = close(half_closed)
    assert done.stdout.decode() == f"{half_closed / ARCHIVE}-2\n", done
    assert main("verify", f"{half_closed / ARCHIVE}-2").returncode == 0


def test_an_archive_under_a_seed_is_not_taken_for_the_next_season_s(tmp_path: Path) -> None:
    """The seed, and so the tables, are the same ones; no secret is told."""
    config = make(tmp_path, "seed = 5\n" + CONFIG, THREE)
    for place in (ARCHIVE, Path(f"{ARCHIVE}-2")):
        assert main("tournament", config, "-q").returncode == 0
        done = close(tmp_path)
        assert done.stdout.decode() == f"{tmp_path / place}\n"
        assert b"Commitment" not in done.stderr
        assert not (tmp_path / place / "secret.json").exists()


@pytest.mark.parametrize(("inside", "results"), [(".", "."), ("history", "..")])
def test_from_inside_its_folder_a_season_is_closed_too(
    league: Path, inside: str, results: str
) -> None:
    """Such a path has no name by which the old results could be called."""
    done = main("season", "close", results, "--yes", cwd=league / CUP / inside)
    assert done.returncode == 0, done.stderr.decode()
    assert secret_of(league / PAST) != secret_of(league / CUP)
    assert (league / ARCHIVE).exists()


@pytest.mark.parametrize("kind", ["a link", "a link to nowhere", "a file"])
def test_where_archives_cannot_lie_nothing_is_closed(league: Path, kind: str) -> None:
    mine = league / "mine"
    if kind == "a file":
        (league / "seasons").touch()
    else:
        (league / "seasons").symlink_to(mine)
    if kind == "a link":
        mine.mkdir()
    done = close(league)
    assert (done.returncode, done.stderr.decode()) == (
        2,
        f"{league / 'seasons'}: is a link or no folder; move it away, and close the season again\n",
    )
    assert not (league / CUP / "secret.json").exists()
    assert not mine.exists() or not [*mine.iterdir()]


def test_what_a_kill_left_beside_a_finished_archive_is_removed(half_closed: Path) -> None:
    league = half_closed
    draft = league / "seasons" / ".cup.arena-season-abcd_123.draft"
    draft.mkdir()
    assert close(league).returncode == 0
    assert [path.name for path in (league / "seasons").iterdir()] == [ARCHIVE.name]


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


def zeros(at: Path, _: Path) -> None:
    at.with_name("standings.json").symlink_to("/dev/zero")


def pipe(at: Path, _: Path) -> None:
    os.mkfifo(at.with_name("standings.json"))


def a_copy(at: Path, results: Path) -> None:
    shutil.copy(results / "standings.json", at.with_name("standings.json"))


def a_whole_copy(at: Path, results: Path) -> None:
    shutil.copytree(results, at.parent, dirs_exist_ok=True)
    sums = hashlib.sha256((results / "standings.json").read_bytes()).hexdigest()
    at.write_text(f"{sums}  standings.json\n")


@pytest.mark.parametrize("plant", [zeros, pipe, a_copy, a_whole_copy])
def test_what_another_put_among_the_archives_is_not_read_and_not_believed(
    league: Path, plant: Callable[[Path, Path], None]
) -> None:
    """Anyone who knows the published tables may put something there, before or after a close."""
    planted = league / "seasons" / "cup-2026-10-01"
    planted.mkdir(parents=True)
    plant(planted / "SHA256SUMS", league / CUP)
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
