"""A backup is the results of one moment: it is verified, played on, and never half there."""

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from arena.export.backup import make_backup
from arena.store import public, schema
from arena.store.store import Store
from tests.leagues import NOW, THREE, alter, main, pairs, played_in

CONFIG = pairs(2)
CUP = Path("results") / "cup"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that was played with a secret."""
    return played_in(tmp_path_factory.mktemp("kept"), CONFIG, THREE).parents[1]


@pytest.fixture
def league(kept: Path, tmp_path: Path) -> Path:
    (tmp_path / "usb").mkdir()
    return Path(shutil.copytree(kept, tmp_path / "league"))


def files(folder: Path) -> dict[str, bytes]:
    """The files that play determines, by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(("arena.sqlite", "provenance.json"))
    }


def test_it_has_the_results_and_says_what_it_lacks(league: Path) -> None:
    usb = league.parent / "usb"
    done = main("backup", "cup", usb, cwd=league)
    assert done.returncode == 0
    (made,) = usb.iterdir()
    assert made.name == "cup-20261102-090000"
    assert done.stdout.decode().startswith(f"{made}  ")
    assert done.stderr.decode().splitlines() == [
        "It holds the secret of the deals: keep it private.",
        "It lacks the config and bots/: copy these too.",
        "To restore: move results/cup away, and copy this folder to results/cup.",
    ]
    assert files(made) == files(league / CUP)
    assert stat.S_IMODE((made / "arena.sqlite").stat().st_mode) == 0o600
    assert {path.name for path in made.glob("arena.sqlite*")} == {"arena.sqlite"}


def test_a_restored_one_is_played_on_and_two_of_one_second_are_two(league: Path) -> None:
    usb = league.parent / "usb"
    for _ in range(2):
        assert main("backup", league / CUP, usb).returncode == 0
    first, second = sorted(usb.iterdir())
    assert (first.name, second.name) == ("cup-20261102-090000", "cup-20261102-090000-2")
    shutil.rmtree(league / CUP)
    shutil.copytree(first, league / CUP)
    config = league / "tournaments" / "cup.toml"
    config.write_text(CONFIG.replace("deals = 2", "deals = 3"))
    done = main("tournament", config)
    assert (done.returncode, b"6 games played" in done.stderr) == (0, True), done.stderr
    assert b"Commitment" not in done.stderr


def test_while_it_is_played_tables_and_games_are_of_one_moment(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that plays holds the folder, and stores a game just before the copy is made."""
    copy, last = public.copy_store, "FROM game WHERE rowid = (SELECT max(rowid) FROM game)"
    database = league / CUP / "arena.sqlite"
    with closing(sqlite3.connect(database)) as reader:
        (row,) = reader.execute(f"SELECT * {last}")
    alter(database, f"DELETE {last}")

    def late(store: Store, path: Path) -> None:
        assert store.count() == 11
        alter(database, "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)
        copy(store, path)

    monkeypatch.setattr("arena.export.backup.copy_store", late)
    with closing(Store.create_or_open(league / CUP)):  # as who plays has it
        done = main("backup", league / CUP, league.parent / "usb")
    assert done.returncode == 0, done.stderr
    (made,) = (league.parent / "usb").iterdir()
    assert files(made) == files(league / CUP)
    assert main("verify", made).returncode == 0


def test_a_revealed_secret_is_in_it_and_ends_its_play_too(league: Path) -> None:
    main("reveal", league / CUP, "--yes")
    alter(league / CUP / "arena.sqlite", "DELETE FROM meta WHERE key = 'revealed'")  # an older copy
    done = main("backup", league / CUP, league.parent / "usb")
    assert b"private" not in done.stderr
    (made,) = (league.parent / "usb").iterdir()
    assert (made / "secret.json").read_bytes() == (league / CUP / "secret.json").read_bytes()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (made, made / "secret.json")]
    assert modes == [0o700, 0o600]  # only its owner can read it


def test_a_damaged_store_is_not_copied(league: Path) -> None:
    alter(league / CUP / "arena.sqlite", "DROP INDEX game_line_up")
    done = main("backup", league / CUP, league.parent / "usb")
    assert (done.returncode, b"is damaged" in done.stderr) == (1, True)
    assert b"`arena tournament`" in done.stderr
    assert [*(league.parent / "usb").iterdir()] == []


def test_what_is_no_secret_is_not_copied_as_one(league: Path) -> None:
    private, secret = league.parent / "id_ed25519", league / CUP / "secret.json"
    private.write_text("private")
    for plant, said in (
        (partial(secret.symlink_to, private), "is a link"),
        (partial(os.mkfifo, secret), "not a regular file"),
    ):
        plant()
        done = main("backup", league / CUP, league.parent / "usb")
        assert done.returncode == 1
        assert done.stderr.decode().splitlines()[-1] == f"{secret}: {said}"
        assert [*(league.parent / "usb").iterdir()] == []
        secret.unlink()


TO_GIVE_AWAY = pytest.mark.skipif(os.getuid() != 0, reason="it takes root to give a file away")


@pytest.mark.parametrize(
    "mode", [0o755, *(pytest.param(m, marks=TO_GIVE_AWAY) for m in (0o777, 0o1777))]
)
def test_an_old_draft_is_never_put_in_a_backup_s_place_and_another_user_s_stays(
    league: Path, mode: int
) -> None:
    """A backup moves nothing aside: that was put there, as into a stranger's folder of backups."""
    usb = league.parent / "usb"
    draft = usb / ".cup.arena-backup-a1b2c3_4.draft"
    (draft / "old").mkdir(parents=True)
    (draft / "old" / "arena.sqlite").write_bytes(b"theirs")
    (draft / "new").mkdir()
    usb.chmod(mode)
    before = {draft, *draft.rglob("*")} if mode != 0o755 else set()
    for path in before:
        os.chown(path, 65534, 65534)
    done = main("backup", league / CUP, usb)
    assert done.returncode == 0, done.stderr.decode()
    made = usb / "cup-20261102-090000"
    assert {*usb.rglob("*")} - {made, *made.rglob("*")} == before
    assert main("verify", made).returncode == 0


def swap_while_opened(
    patch: pytest.MonkeyPatch, place_of: Callable[[Path, str], Path | None], theirs: Path
) -> None:
    """Have another user's file or folder in the place of ours while SQLite opens its file."""
    connect, moved = schema.connect, theirs.with_name("moved")

    def opened(path: Path, mode: str) -> sqlite3.Connection:
        if not (place := place_of(path, mode)):
            return connect(path, mode)
        place.rename(moved)
        theirs.rename(place)
        try:
            return connect(path, mode)
        finally:
            place.rename(theirs)
            moved.rename(place)

    patch.setattr(schema, "connect", opened)


@pytest.mark.parametrize("when", ["before", "after", "meanwhile"])
def test_a_draft_that_another_user_swaps_gets_no_secret(
    league: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """In a folder where others may rename what is ours; meanwhile: while SQLite opens its file."""
    usb, theirs, moved = (league.parent / name for name in ("usb", "theirs", "moved"))
    (theirs / "new").mkdir(parents=True)
    (theirs / "new" / "arena.sqlite").touch()
    copy = public.copy_store

    def late(store: Store, path: Path) -> None:
        if when == "after":
            copy(store, path)
        if when != "meanwhile":
            draft = path.resolve().parents[1]
            draft.rename(moved)
            theirs.rename(draft)
        if when != "after":
            copy(store, path)

    def place_of(path: Path, _: str) -> Path | None:
        draft = path.resolve().parents[1]
        return draft if when == "meanwhile" and draft.parent == usb else None

    monkeypatch.setattr("arena.export.backup.copy_store", late)
    swap_while_opened(monkeypatch, place_of, theirs)
    done = main("backup", league / CUP, usb)
    assert done.returncode in (1, 2), done
    left = theirs if when == "meanwhile" else next(usb.iterdir())
    assert (left / "new" / "arena.sqlite").stat().st_size == 0
    assert not moved.exists() or not [*moved.iterdir()]
    assert [*usb.iterdir()] == ([] if when == "meanwhile" else [left])


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a file known by its descriptor")
def test_a_published_copy_is_not_written_to_a_file_that_another_user_swaps(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder where others may rename what is ours: while SQLite opens its file."""
    theirs = league / "theirs"
    theirs.touch()
    swap_while_opened(monkeypatch, lambda path, mode: path if "nolock" in mode else None, theirs)
    done = main("export", league / CUP, "--to", league / "shared")
    place = league / "shared" / "arena-public.sqlite"
    assert done.stderr.decode().endswith(f"{place}: was replaced by another user\n")
    assert (done.returncode, theirs.stat().st_size, place.exists()) == (1, 0, False)


def test_what_cannot_be_backed_up_is_said_with_a_remedy(league: Path) -> None:
    cup, shared = league / CUP, league / "shared"
    main("export", cup, "--to", shared)
    (cup / "mine").mkdir()
    for results, to, said in (
        (shared, league.parent / "usb", "name such a folder"),
        (cup, cup / "mine", "lies in the results"),
        (cup, league.parent / "no" / "disk", "name another"),
    ):
        done = main("backup", results, to)
        assert (done.returncode, said in done.stderr.decode()) == (2, True), done.stderr
        assert not to.exists() or [*to.iterdir()] == []


def test_one_that_another_made_meanwhile_is_not_replaced(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usb = league.parent / "usb"
    copy = public.copy_store

    def meanwhile(store: Store, path: Path) -> None:
        (usb / "cup-20261102-090000").mkdir()
        (usb / "cup-20261102-090000" / "theirs").touch()
        copy(store, path)

    monkeypatch.setattr("arena.export.backup.copy_store", meanwhile)
    with closing(Store.open(league / CUP)) as store, pytest.raises(OSError, match="not empty"):
        make_backup(store, usb, NOW)
    assert [path.name for path in usb.rglob("*")] == ["cup-20261102-090000", "theirs"]
