"""One entry of a league: whatever a stranger puts into bots/, the others play."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import USAGE
from arena.league import entries
from arena.league.bots import BotPath, find_bots
from arena.league.entries import read_entries
from arena.league.files import hash_source, read_bot
from tests.leagues import main, make
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
GAMES = 3  # of one line-up


def large(path: Path) -> None:
    path.touch()
    os.truncate(path, 65 << 20)


def folder_with(spoil: Callable[[Path], object], name: str) -> Callable[[Path], None]:
    """Return what makes a folder of a sound bot with one thing spoiled in it."""

    def make(path: Path) -> None:
        folder = path.with_suffix("")
        folder.mkdir()
        (folder / "bot.py").write_text(FIRST)
        (folder / name).unlink(missing_ok=True)
        spoil(folder / name)

    return make


def latin(path: Path) -> None:
    os.mkdir(os.fsencode(path.parent) + b"/caf\xe9")
    path.parent.joinpath(os.fsdecode(b"caf\xe9"), "data").touch()


def closed_folder(path: Path) -> Path:
    folder = path.parents[1] / "vault"
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST)
    folder.chmod(0o000)
    return folder


LINK = "a link; replace it with the file or folder it points to"

ENTRIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "dangling": (lambda path: path.symlink_to("nowhere"), LINK),
    "out of bots": (lambda path: path.symlink_to("/etc/passwd"), LINK),
    "to too long a name": (lambda path: path.symlink_to("a" * 300), LINK),
    "into a closed folder": (lambda path: path.symlink_to(closed_folder(path) / "bot.py"), LINK),
    "to a closed folder": (
        lambda path: path.with_suffix("").symlink_to(closed_folder(path)), LINK,
    ),
    "pipe": (os.mkfifo, "a pipe, not a file"),
    "large": (large, "larger than 64 MiB"),
    "closed": (lambda path: path.touch(0o000), "Permission denied"),
    "folder, dangling": (folder_with(lambda path: path.symlink_to("x"), "bot.py"), LINK),
    "folder, pipe": (folder_with(os.mkfifo, "bot.py"), "a pipe, not a file"),
    "folder, a pipe beside": (folder_with(os.mkfifo, "data"), "a pipe, not a file"),
    "folder, not UTF-8": (folder_with(latin, "data"), "is not UTF-8"),
}  # fmt: skip


def standing(league: Path) -> dict[str, dict[str, int]]:
    """Return the faults of each bot in the tables, by kind."""
    document = json.loads((league / "results" / "cup" / "standings.json").read_text())
    return {row["bot"]: row["faults"] for row in document["overall"]}


@pytest.mark.parametrize(("spoil", "why"), ENTRIES.values(), ids=ENTRIES)
def test_an_entry_that_cannot_be_read_forfeits_and_the_others_play(
    tmp_path: Path, spoil: Callable[[Path], object], why: str
) -> None:
    config = make(tmp_path, CONFIG, HONEST)
    spoil(tmp_path / "bots" / "evil.py")
    with without_override():
        done = main("tournament", config)
    said = done.stderr.decode()
    assert done.returncode == 0, said
    assert standing(tmp_path) == {"ann": {}, "bob": {}, "cid": {}, "evil": {"load": 3 * GAMES}}
    told = next(line for line in said.splitlines() if line.startswith("evil: "))
    assert told.startswith(f"evil: forfeits all {3 * GAMES} games (bots/evil")
    assert why in told
    assert str(tmp_path) not in told  # it is kept for whoever reads the results
    with without_override():
        assert b"\nNothing new to play" in main("tournament", config).stderr
    assert main("verify", tmp_path / "results" / "cup", "--replay-bots", 12).returncode == 0


def test_two_entries_that_cannot_be_read_are_not_called_alike(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, {**HONEST, "bob": CHANCE})
    for name in ("evil", "fell"):
        (tmp_path / "bots" / f"{name}.py").symlink_to("nowhere")
    done = main("tournament", config)
    assert done.returncode == 0
    assert b"ann and cid have the same files" in done.stdout
    assert done.stdout.count(b"the same files") == 1


def test_an_entry_that_is_mended_plays(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, HONEST)
    evil = tmp_path / "bots" / "evil.py"
    os.mkfifo(evil)
    main("tournament", config, "-q")
    evil.unlink()
    evil.write_text(CHANCE)
    done = main("tournament", config)
    assert f"\n{3 * GAMES} games played".encode() in done.stderr
    assert standing(tmp_path)["evil"] == {}


def test_a_bot_that_the_config_names_and_that_is_missing_is_the_config_s_mistake(
    tmp_path: Path,
) -> None:
    config = make(tmp_path, 'bots = ["bots/*", "bots/evil.py"]\n' + CONFIG, HONEST)
    for _ in range(2):
        done = main("tournament", config)
        assert done.returncode == USAGE
        assert b"evil.py: no such file; 'bots/*' includes all bots" in done.stderr
        (tmp_path / "bots" / "evil.py").unlink(missing_ok=True)
        (tmp_path / "bots" / "evil.py").symlink_to("nowhere")


def twin(league: Path, name: str, source: str) -> None:
    (league / "bots" / name).mkdir()
    (league / "bots" / name / "bot.py").write_text(source)


def test_a_bot_deeper_than_python_can_walk_forfeits_too(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, HONEST)
    evil = tmp_path / "bots" / "evil"
    evil.mkdir()
    (evil / "bot.py").write_text(FIRST)
    try:
        folder = os.open(evil, os.O_RDONLY)
        for _ in range(1100):
            os.mkdir("a", dir_fd=folder)
            outer, folder = folder, os.open("a", os.O_RDONLY, dir_fd=folder)
            os.close(outer)
        os.close(folder)
        done = main("tournament", config)
    finally:
        subprocess.run(["rm", "-r", evil], check=True)  # Python cannot, nor could pytest later
    assert done.returncode == 0, done.stderr.decode()
    assert standing(tmp_path)["evil"] == {"load": 3 * GAMES}
    assert b"is longer than 1,024 bytes or 64 folders; shorten it" in done.stderr


def test_of_two_entries_of_one_name_the_one_that_played_before_plays(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, HONEST)
    main("tournament", config, "-q")
    twin(tmp_path, "bob", CHANCE)
    done = main("tournament", config)
    assert done.returncode == 0
    said = done.stderr.decode()
    assert (
        "bots/bob: skipped: it has the same name, 'bob', as bots/bob.py, which has results" in said
    )
    assert "\nNothing new to play" in said
    (tmp_path / "bots" / "bob.py").unlink()  # now the other is the bot
    assert b"\n3 games played" in main("tournament", config).stderr
    (tmp_path / "bots" / "bob.py").write_text(FIRST)  # both are known: the last that played stays
    said = main("tournament", config).stderr.decode()
    assert (
        "bots/bob.py: skipped: it has the same name, 'bob', as bots/bob, which has results" in said
    )
    assert "\nNothing new to play" in said


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


def test_a_twin_that_cannot_be_read_takes_no_name_either(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, HONEST)
    main("tournament", config, "-q")
    twin(tmp_path, "bob", FIRST)
    os.mkfifo(tmp_path / "bots" / "bob" / "data")
    done = main("tournament", config)
    assert done.returncode == 0
    assert b"bots/bob: skipped: it has the same name, 'bob'" in done.stderr
    assert b"\nNothing new to play" in done.stderr


def test_bots_that_are_too_large_together_are_refused_the_largest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names would let a stranger crowd out whoever comes after him."""
    monkeypatch.setattr(entries, "MOST_MIB", 4)
    config = make(tmp_path, CONFIG, HONEST)
    for name in ("a1", "a2", "a3"):
        twin(tmp_path, name, FIRST)
        (tmp_path / "bots" / name / "data").write_bytes(bytes(3 << 19))  # 1.5 MiB
    done = main("tournament", config)
    assert done.returncode == 0
    assert {bot for bot, faults in standing(tmp_path).items() if faults} == {"a3"}
    assert b"bots/a3: all bots together are larger than 4 MiB" in done.stderr


def test_links_within_a_bot_count_as_what_they_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST_MIB", 2)
    make(tmp_path, CONFIG, HONEST)
    twin(tmp_path, "evil", FIRST)
    (tmp_path / "bots" / "evil" / "data").write_bytes(bytes(1 << 14))
    for number in range(200):
        (tmp_path / "bots" / "evil" / f"link{number}").symlink_to("data")
    (tmp_path / "bots" / "ann.py").write_bytes(FIRST.encode() + b"#" * (1 << 16))
    found = read_entries(tmp_path, find_bots(tmp_path, ["bots/*"]))
    assert found.refused.keys() == {"evil"}


def test_what_was_read_once_is_what_is_kept(tmp_path: Path) -> None:
    make(tmp_path, CONFIG, {"ann": FIRST})
    ann = BotPath("ann", tmp_path / "bots" / "ann.py")
    before = read_bot(ann)
    found = read_entries(tmp_path, [ann])
    ann.path.write_text(CHANCE)
    assert found.sources == {"ann": before}
    assert [(bot.name, bot.hash) for bot in found.bots] == [("ann", hash_source(before))]


PEAK = """\
import resource, sys
from arena.cli.app import main
sys.argv[0] = "arena"
try:
    main()
finally:
    print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


def peak_mib(league: Path, large: int) -> int:
    """Return the most memory that a tournament had in its own process with so many bots of 60 MB,
    which nothing makes smaller.
    """
    config = make(league, CONFIG, HONEST)
    for number in range(large):
        twin(league, f"large{number}", FIRST)
        data = random.Random(number).randbytes(60_000_000)
        (league / "bots" / f"large{number}" / "data").write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "tournament", config, "-q"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert all(faults == {} for faults in standing(league).values())
    return int(done.stdout.rpartition("PEAK ")[2])


@pytest.mark.long
def test_six_large_bots_take_no_more_memory_than_two(tmp_path: Path) -> None:
    """616 MB once, for six; two, as SQLite holds the last that it was given."""
    two, six = (peak_mib(tmp_path / str(large), large) for large in (2, 6))
    print(two, six)
    assert six < two + 40
