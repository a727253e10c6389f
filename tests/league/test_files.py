"""A bot's files while somebody changes them: what is read is theirs, or nothing is. And copies of
the bots: where they cannot be written is said, and nothing of them is left.

Whoever owns a file may put a link in its place at any moment. Here every moment is tried: the swap
happens before the first call of a C function that reading makes, then before the second, and so on.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from arena.errors import ArenaError, UsageError
from arena.league import files
from arena.league.bots import BotPath, find_bots
from arena.league.files import MAX_DEPTH, MAX_PATH, Source, hash_source, read_bot
from arena.model import Bot
from tests.leagues import make
from tests.places import ROOT
from tests.processes import within
from tests.sessions import FIRST

OWN, SECRET = b"the bot's", b"another's"


def calls_until(done: Callable[[], object], swap: Callable[[], object], moment: int) -> bool:
    """Do something with a swap before its nth call of a C function; return if there was one."""
    calls = 0

    def look(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        if event == "c_call":
            calls += 1
            if calls == moment:
                swap()

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        done()
    finally:
        sys.setprofile(before)
    return calls >= moment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Beside the bots, files that are none of theirs."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "private").mkdir()
    for name in ("secret", "private/data"):
        (tmp_path / name).write_bytes(SECRET)
    return tmp_path


def write(bots: Path) -> None:
    """Write the bots as they are before the swap."""
    shutil.rmtree(bots)
    (bots / "bob" / "own").mkdir(parents=True)
    for name in ("ann.py", "bob/bot.py", "bob/own/data"):
        (bots / name).write_bytes(OWN)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bot", "swapped", "into"),
    [
        ("ann.py", "ann.py", "secret"), ("bob", "bob/bot.py", "secret"),
        ("bob", "bob/own/data", "secret"), ("bob", "bob/own", "private"),
        ("bob", "bob", "private"), ("ann.py", "ann.py", "pipe"), ("bob", "bob/own", "pipe"),
        ("bob", "bob/own/data", "pipe"),
    ],
)  # fmt: skip
def test_what_is_swapped_while_it_is_read_is_the_bot_s_or_nothing(
    folder: Path, bot: str, swapped: str, into: str
) -> None:
    bots, place = folder / "bots", folder / "bots" / swapped
    os.mkfifo(folder / "pipe")
    read: list[Source] = []
    refused: list[str] = []

    def swap() -> None:
        place.rename(folder / f"was-{moment}")
        if into == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to(folder / into)

    def reads() -> None:
        try:
            read.append(read_bot(BotPath("ann", bots / bot)))
        except UsageError as error:
            refused.append(str(error))

    moment, on = 0, True
    while on:
        moment += 1
        write(bots)
        with within(5):
            on = calls_until(reads, swap, moment)
    assert moment > 5
    assert {content for source in read for _, content in source.files} == {OWN}
    assert refused


def test_hidden_files_of_older_stores_are_still_a_bot_s(tmp_path: Path) -> None:
    old = Source(((".weights", b"\1"), ("bot.py", b"def decide(view): ...")))
    made = files.write_snapshot(tmp_path, old, hash_source(old))
    assert (made / ".weights").read_bytes() == b"\1"


LONGEST = 4095  # bytes of a path that the kernel takes, without its end
SOURCE = Source((("bot.py", FIRST.encode()), ("data/x.bin", b"\0\1")))
ANN = Bot("ann", hash_source(SOURCE))
REMEDY = "set TMPDIR to a folder with free space and a short path"


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def made(folder: Path, length: int) -> Path:
    """Make folders in the folder until a path of so many bytes; return it."""
    path = str(folder)
    with inside(folder):
        while (left := length - len(path)) > 0:
            name = "d" * (left - 1 if left <= 201 else min(200, left - 3))
            os.mkdir(name)
            os.chdir(name)
            path += f"/{name}"
    assert len(path) == length
    return Path(path)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder that may become too deep for pytest to take away."""
    folder = tmp_path / "deep"
    folder.mkdir()
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Path]:
    """What has arena write its copies to a folder."""

    def set_to(folder: Path) -> Path:
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        return folder

    return set_to


def test_where_paths_grow_too_long_nothing_is_left(
    tmp_path: Path, at: Callable[[Path], Path]
) -> None:
    """Spare bytes beside the folder's path: for a draft, its other name, the copy's, its files."""
    for spare in range(0, 140, 3):
        (tmp_path / str(spare)).mkdir()
        here = at(made(tmp_path / str(spare), LONGEST - spare))
        why = f"{here}: copies of the bots cannot be written there (File name too long); {REMEDY}"
        refused = ""
        try:
            with files.write_snapshots({"ann": SOURCE}, [ANN]):
                pass
        except ArenaError as error:
            refused = str(error)
        assert refused == (why if spare < 60 else "" if spare > 120 else refused and why)
        with inside(here):
            assert os.listdir(".") == []
        files.sweep_snapshots()


def test_a_sweep_takes_away_what_no_path_leads_to(
    tmp_path: Path, at: Callable[[Path], Path]
) -> None:
    """As an arena left it that was killed: its folder was renamed to a longer name."""
    here = at(tmp_path / "tmp")
    here.mkdir()
    left = here / "a"
    left.mkdir()
    made(left, LONGEST).chmod(0o500)
    left = left.rename(here / "arena-snapshots-killed00")
    left.chmod(0o500)
    files.sweep_snapshots()
    assert os.listdir(here) == []


def test_a_sweep_leaves_what_is_in_use_and_what_another_made(
    tmp_path: Path, at: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = at(tmp_path)
    (here / "arena-snapshots-mine").mkdir()
    with files.write_snapshots({"ann": SOURCE}, [ANN]) as paths:
        files.sweep_snapshots()
        assert read_bot(BotPath("ann", Path(paths["ann"]))).files == SOURCE.files
    (here / "arena-snapshots-killed00").mkdir()
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    files.sweep_snapshots()
    assert sorted(os.listdir(here)) == ["arena-snapshots-killed00", "arena-snapshots-mine"]


@pytest.mark.parametrize("name", ["d" * 200, "d"])
def test_a_bot_whose_paths_are_too_long_for_a_copy_is_refused(deep: Path, name: str) -> None:
    (deep / "bot.py").write_text(FIRST)
    with inside(deep):
        for _ in range((LONGEST - len(str(deep))) // (len(name) + 1)):
            os.mkdir(name)
            os.chdir(name)
    with pytest.raises(UsageError, match=r"'d.*\.\.\.' is longer than 1,024 bytes or 64 folders"):
        read_bot(BotPath("ann", deep))


def test_folders_nested_too_deep_for_a_glob_are_said(deep: Path) -> None:
    with inside(deep):
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    with pytest.raises(UsageError, match="folders are nested too deeply; remove some"):
        find_bots(deep, ["**/*.py"])


def test_a_bot_s_paths_may_be_as_long_as_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "ann"
    deepest = folder.joinpath(*["d"] * (MAX_DEPTH - 1))
    deepest.mkdir(parents=True)
    (deepest / "x").touch()
    (folder / "bot.py").write_text(FIRST)
    with inside(folder):
        for _ in range(4):
            os.mkdir("e" * 203)
            os.chdir("e" * 203)
        Path("f" * (MAX_PATH - 4 * 204)).touch()
    names = [name for name, _ in read_bot(BotPath("ann", folder)).files]
    assert sorted(map(len, names)) == [6, 2 * MAX_DEPTH - 1, MAX_PATH]


def on_a_small_disk(folder: Path, options: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run arena with a file system of its own as `folder`, which is TMPDIR too; skip where no user
    may have one.
    """
    mounted = f"mount -t tmpfs -o {options} none '{folder}'"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mounted], check=False).returncode:
        pytest.skip("it takes the right to mount, in a namespace of users")
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", f'{mounted} && exec "$@"', "sh",
         sys.executable, "-m", "arena", *map(str, words)],
        env={**os.environ, "TMPDIR": str(folder)}, cwd=ROOT,
        capture_output=True, check=False, text=True, timeout=120,
    )  # fmt: skip


@pytest.mark.whole
def test_a_full_disk_for_copies_is_named(tmp_path: Path) -> None:
    config = make(tmp_path)
    eve = tmp_path / "bots" / "eve"
    eve.mkdir()
    (eve / "bot.py").write_text(FIRST)
    (eve / "data").write_bytes(bytes(100_000))
    small = tmp_path / "small"
    small.mkdir()
    done = on_a_small_disk(small, "size=64k", "tournament", config)
    why = "copies of the bots cannot be written there (No space left on device)"
    assert done.stderr.endswith(f"{small}: {why}; {REMEDY}\n")
    assert done.returncode == 1


@pytest.mark.whole
def test_a_full_disk_for_what_is_sorted_is_named(tmp_path: Path, league: Path) -> None:
    """What a bot printed in a game is sorted, in memory while it is small."""
    file = league / "results" / "cup" / "arena.sqlite"
    with sqlite3.connect(file) as store:
        ((game,),) = store.execute("SELECT id FROM game LIMIT 1")
        columns = "pool, bot, decisions, cpu_s, versions, ends, notes, worst_s"
        for _ in range(100):
            printed = f"game {game}, action 1: {'x' * 60_000}"
            store.execute(
                f"INSERT INTO timing ({columns}, printed) SELECT {columns}, ? FROM timing LIMIT 1",
                (printed,),
            )
    store.close()
    small = tmp_path / "small"
    small.mkdir()
    done = on_a_small_disk(small, "size=64k", "replay", file.parent, game)
    assert done.stderr == (
        f"{small}: no space there to sort a results file; set TMPDIR to a folder with free space\n"
    )
    assert done.returncode == 1


@pytest.mark.whole
def test_the_doctor_says_that_there_is_no_room_for_a_copy(tmp_path: Path) -> None:
    done = on_a_small_disk(tmp_path, "nr_inodes=2", "doctor")  # no third: a bot's file
    assert f"NO  a bot can be copied: {tmp_path}: No space left on device" in done.stdout
    assert done.returncode == 4


def test_where_nothing_can_be_written_all_places_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def nowhere() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found in ['/a', '/b']")

    monkeypatch.setattr("tempfile.gettempdir", nowhere)
    with (
        pytest.raises(ArenaError, match=r"found in \['/a', '/b'\]; set TMPDIR to a folder"),
        files.write_snapshots({"ann": SOURCE}, [ANN]),
    ):
        pass
