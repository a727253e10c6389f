"""One entry of a league: whatever a stranger puts into bots/, the others play."""

import json
import os
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.league.bots import find_bots
from arena.league.entries import read_entries
from tests.leagues import main, make, pairs
from tests.rights import without_override
from tests.sessions import CHANCE, FIRST

CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 1
seatings = 3
"""
HONEST = dict.fromkeys(("ann", "bob", "cid"), FIRST)


def twin(league: Path, name: str, source: str) -> None:
    (league / "bots" / name).mkdir()
    (league / "bots" / name / "bot.py").write_text(source)


def large(path: Path) -> None:
    path.touch()
    os.truncate(path, 65 << 20)


def folder_with(spoil: Callable[[Path], object], name: str) -> Callable[[Path], None]:
    """Return what makes a folder of a sound bot with one thing spoiled in it."""

    def make(path: Path) -> None:
        twin(path.parents[1], path.stem, FIRST)
        path.with_suffix("").joinpath(name).unlink(missing_ok=True)
        spoil(path.with_suffix("") / name)

    return make


def latin(path: Path) -> None:
    os.mkdir(os.fsencode(path.parent) + b"/caf\xe9")
    path.parent.joinpath(os.fsdecode(b"caf\xe9"), "data").touch()


def closed_folder(path: Path) -> Path:
    folder = path.parents[1] / f"vault-{path.stem}"
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST)
    folder.chmod(0o000)
    return folder


def deep_folder(path: Path) -> None:
    """Write a bot in a folder that is deeper than Python can walk."""
    twin(path.parents[1], path.stem, FIRST)
    folder = os.open(path.with_suffix(""), os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("a", dir_fd=folder)
        outer, folder = folder, os.open("a", os.O_RDONLY, dir_fd=folder)
        os.close(outer)
    os.close(folder)


LINK = "a link; replace it with the file or folder it points to"

ENTRIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "dangling": (lambda path: path.symlink_to("nowhere"), LINK),
    "out-of-bots": (lambda path: path.symlink_to("/etc/passwd"), LINK),
    "to-too-long-a-name": (lambda path: path.symlink_to("a" * 300), LINK),
    "into-a-closed-folder": (lambda path: path.symlink_to(closed_folder(path) / "bot.py"), LINK),
    "to-a-closed-folder": (
        lambda path: path.with_suffix("").symlink_to(closed_folder(path)), LINK,
    ),
    "pipe": (os.mkfifo, "a pipe, not a file"),
    "large": (large, "larger than 64 MiB"),
    "closed": (lambda path: path.touch(0o000), "Permission denied"),
    "folder-dangling": (folder_with(lambda path: path.symlink_to("x"), "bot.py"), LINK),
    "folder-to-a-folder": (folder_with(lambda path: path.symlink_to("/"), "data"), LINK),
    "folder-of-another": (folder_with(lambda path: path.symlink_to("../ann.py"), "x.py"), LINK),
    "folder-loop": (folder_with(lambda path: path.symlink_to("data"), "data"), LINK),
    "to-another": (lambda path: path.symlink_to("ann.py"), LINK),
    "to-a-folder": (lambda path: path.with_suffix("").symlink_to("folder-a-pipe-beside"), LINK),
    "folder-pipe": (folder_with(os.mkfifo, "bot.py"), "a pipe, not a file"),
    "folder-a-pipe-beside": (folder_with(os.mkfifo, "data"), "a pipe, not a file"),
    "folder-not-utf-8": (folder_with(latin, "data"), "is not UTF-8"),
    "deep": (deep_folder, "is longer than 1,024 bytes or 64 folders; shorten it"),
}  # fmt: skip


def standing(league: Path) -> dict[str, dict[str, int]]:
    """Return the faults of each bot in the tables, by kind."""
    document = json.loads((league / "results" / "cup" / "standings.json").read_text())
    return {row["bot"]: row["faults"] for row in document["overall"]}


def test_entries_that_cannot_be_read_forfeit_and_the_others_play(tmp_path: Path) -> None:
    config = make(tmp_path, pairs(1), HONEST)
    for name, (spoil, _) in ENTRIES.items():
        spoil(tmp_path / "bots" / f"{name}.py")
    try:
        with without_override():
            done = main("tournament", config)
            assert b"\nNothing new to play" in main("tournament", config).stderr
    finally:
        subprocess.run(["rm", "-r", tmp_path / "bots" / "deep"], check=True)  # Python cannot
    assert done.returncode == 0, done.stderr.decode()
    games = 2 * len(HONEST)  # those without two that can play are none
    faults = {bot: {"load": games} if bot in ENTRIES else {} for bot in (*HONEST, *ENTRIES)}
    assert standing(tmp_path) == faults
    lines = {line.partition(":")[0]: line for line in done.stderr.decode().splitlines()}
    for name, (_, why) in ENTRIES.items():
        assert lines[name].startswith(f"{name}: forfeits all {games} games (bots/{name}")
        assert why in lines[name]
        assert str(tmp_path) not in lines[name]  # it is kept for whoever reads the results
    assert done.stdout.count(b"the same files") == 1
    assert b"ann, bob and cid have the same files" in done.stdout
    assert main("verify", tmp_path / "results" / "cup", "--replay-bots", 12).returncode == 0


def test_of_two_entries_of_one_name_the_one_that_played_before_plays(tmp_path: Path) -> None:
    config, bots = make(tmp_path, CONFIG, HONEST), tmp_path / "bots"
    main("tournament", config, "-q")
    twin(tmp_path, "bob", CHANCE)
    skipped = "%s: skipped: it has the same name, 'bob', as %s, which has results"
    message = main("tournament", config).stderr.decode()
    assert skipped % ("bots/bob", "bots/bob.py") in message
    assert "\nNothing new to play" in message
    os.mkfifo(bots / "bob" / "data")  # one that cannot be read takes no name either
    assert main("tournament", config).stderr.decode() == message
    (bots / "bob" / "data").unlink()
    (bots / "bob.py").unlink()  # now the other is the bot
    assert b"\n3 games played" in main("tournament", config).stderr
    (bots / "bob.py").write_text(FIRST)  # both are known: the last that played stays
    message = main("tournament", config).stderr.decode()
    assert skipped % ("bots/bob.py", "bots/bob") in message
    assert "\nNothing new to play" in message


def test_of_two_entries_of_one_name_that_nobody_knows_neither_plays(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, {**HONEST, "dee": FIRST})
    twin(tmp_path, "dee", CHANCE)
    done = main("tournament", config)
    assert done.returncode == 0
    assert standing(tmp_path) == {"ann": {}, "bob": {}, "cid": {}, "dee": {"load": 9}}
    why = b"(bots/dee and bots/dee.py have the same name, 'dee'; rename one of them"
    assert why in done.stderr
    shutil.rmtree(tmp_path / "bots" / "dee")
    assert b"\n9 games played" in main("tournament", config).stderr
    assert standing(tmp_path)["dee"] == {}


def test_bots_that_are_too_large_together_are_refused_the_largest_first(tmp_path: Path) -> None:
    """Names would let a stranger crowd out whoever comes after him."""
    make(tmp_path, CONFIG, HONEST)
    for name in ("a1", "a2", "a3"):
        twin(tmp_path, name, FIRST)
        (tmp_path / "bots" / name / "data").write_bytes(bytes(3 << 19))  # 1.5 MiB
    refused = read_entries(tmp_path, find_bots(tmp_path, ["bots/*"]), most_mib=4).refused
    why = "bots/a3: all bots together are larger than 4 MiB, and this is one of the largest"
    assert refused == {"a3": f"{why}; make it smaller"}


def peak_mib(league: Path, large: int) -> int:
    """Return the most memory of Python's that a tournament had with so many bots of 4 MiB."""
    config = make(league, pairs(1), {"ann": FIRST})
    for number in range(large):
        twin(league, f"large{number}", FIRST)
        (league / "bots" / f"large{number}" / "data").write_bytes(bytes([number]) * (4 << 20))
    tracemalloc.start()
    try:
        done = main("tournament", config, "-q")
        peak = tracemalloc.get_traced_memory()[1] >> 20
    finally:
        tracemalloc.stop()
    assert done.returncode == 0, done.stderr.decode()
    return peak


@pytest.mark.whole
def test_four_large_bots_take_no_more_memory_than_one(tmp_path: Path) -> None:
    """Ten bots of 60 MB took 616 MB once."""
    one, four = (peak_mib(tmp_path / str(large), large) for large in (1, 4))
    assert 4 < four < one + 4
