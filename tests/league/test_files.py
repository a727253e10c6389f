"""A bot's files while somebody changes them: what is read is theirs, or nothing is. And copies of
the bots: where they cannot be written is said, and nothing of them is left.

Whoever owns a file may put a link in its place at any moment. Here every moment is tried: the swap
happens before the first call of a C function that reading makes, then before the second, and so on.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from arena.errors import UsageError
from arena.league import files
from arena.league.bots import BotPath, find_bots
from arena.league.files import MAX_DEPTH, MAX_PATH, Source, hash_source, read_bot
from arena.model import Bot
from tests.leagues import make
from tests.places import ROOT
from tests.processes import within
from tests.sessions import FIRST


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
    tmp_path: Path, bot: str, swapped: str, into: str
) -> None:
    bots, place = tmp_path / "bots", tmp_path / "bots" / swapped
    (tmp_path / "private").mkdir()
    for name in ("secret", "private/data"):
        (tmp_path / name).write_bytes(b"another's")
    read: list[Source] = []
    refused: list[str] = []

    def swap() -> None:
        place.rename(tmp_path / f"was-{moment}")
        if into == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to(tmp_path / into)

    def reads() -> None:
        try:
            read.append(read_bot(BotPath("ann", bots / bot)))
        except UsageError as error:
            refused.append(str(error))

    moment, on = 0, True
    while on:
        moment += 1
        shutil.rmtree(bots, ignore_errors=True)
        (bots / "bob" / "own").mkdir(parents=True)
        for name in ("ann.py", "bob/bot.py", "bob/own/data"):
            (bots / name).write_bytes(b"the bot's")
        with within(5):
            on = calls_until(reads, swap, moment)
    assert moment > 5
    assert {content for source in read for _, content in source.files} == {b"the bot's"}
    assert refused


SOURCE = Source((("bot.py", FIRST.encode()), ("data/x.bin", b"\0\1")))
ANN = Bot("ann", hash_source(SOURCE))
REMEDY = "set TMPDIR to a folder with free space and a short path"


def test_a_sweep_leaves_what_is_in_use_and_what_another_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    killed = tmp_path / "arena-snapshots-killed00"
    (tmp_path / "arena-snapshots-mine").mkdir()
    killed.mkdir(0o500)
    with files.write_snapshots({"ann": SOURCE}, [ANN]) as paths:
        files.sweep_snapshots()
        assert read_bot(BotPath("ann", Path(paths["ann"]))).files == SOURCE.files
    assert not killed.exists()
    killed.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    files.sweep_snapshots()
    assert sorted(os.listdir(tmp_path)) == [killed.name, "arena-snapshots-mine"]


def test_folders_nested_too_deep_for_a_glob_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    try:
        with pytest.raises(UsageError, match="folders are nested too deeply; remove some"):
            find_bots(tmp_path, ["**/*.py"])
    finally:
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # Python cannot


def test_a_bot_s_paths_may_be_as_long_as_is_said_and_no_longer(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["d"] * (MAX_DEPTH - 1))
    longest = tmp_path.joinpath(*["e" * 203] * 4, "f" * (MAX_PATH - 4 * 204))
    for path in (tmp_path / "bot.py", deepest / "x", longest):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    names = [name for name, _ in read_bot(BotPath("ann", tmp_path)).files]
    assert sorted(map(len, names)) == [6, 2 * MAX_DEPTH - 1, MAX_PATH]
    longer, deeper = longest.with_name(f"{longest.name}f"), deepest / "d" / "x"
    deeper.parent.mkdir()
    for path in (longer, deeper):
        path.touch()
        with pytest.raises(UsageError, match=r"\.\.\.' is longer than 1,024 bytes or 64 folders"):
            read_bot(BotPath("ann", tmp_path))
        path.unlink()


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
def test_the_doctor_says_that_there_is_no_room_for_a_copy(tmp_path: Path) -> None:
    done = on_a_small_disk(tmp_path, "nr_inodes=2", "doctor")  # no third: a bot's file
    assert f"NO  a bot can be copied: {tmp_path}: No space left on device" in done.stdout
    assert done.returncode == 4
