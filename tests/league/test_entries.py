"""One entry of a league: whatever a stranger puts into bots/, the others play."""

import io
import json
import os
import re
import shutil
import stat
import subprocess
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from arena.errors import UsageError
from arena.league.bots import find_bots
from arena.league.collect import name_bots, read_handins
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
    assert b"ann, bob and cid: the same files" in done.stderr  # for the organiser alone
    assert b"same files" not in done.stdout
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


def hand_in(number: int) -> tuple[dict[str, bytes], str]:
    """Return a pupil's files, each pupil making another mistake, and what is said of it; "" if he
    has a bot and nothing is left out.
    """
    bot = f"{FIRST}# {number}\n".encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("kim/bot.py", "kim/helper.py", "kim/__pycache__/x.pyc"):
            archive.writestr(name, bot)
    return [
        ({"Mein Bot.py": bot}, ""),
        ({"kim.py": FIRST.encode(), "kim (1).py": b"old", "kim (2).py": bot}, "an earlier attempt"),
        ({"abgabe.zip": packed.getvalue()}, ""),
        ({"BOT.PY": bot}, ""),
        ({"lab.ipynb": b"{}"}, "no bot: lab.ipynb: a notebook; export it as a Python file"),
        ({"bot.py": bot, "report.pdf": b"%PDF"}, "report.pdf: left out"),
        ({"a.py": bot, "b.py": bot}, "no bot: more than one bot: a.py, b.py; hand in one"),
        ({"ann.txt": bot}, "no bot: ann.txt: looks like a bot; call it .py"),
        ({"kim.py": b"import helper, weights\n" + bot, "helper.py": b"", "own.csv": b""},
         "own.csv: left out"),
        ({"bomb.zip": packed.getvalue()[:60], "bot.py": bot}, "no zip that can be read"),
    ][number % 10]  # fmt: skip


SHAPES = {
    "moodle": "{first} {last}_{n}_assignsubmission_file_/{file}",
    "moodle without folders": "{first} {last}_{n}_assignsubmission_file_{file}",
    "ilias": "Übung 1/{last}_{first}_login{n}_{n}/{file}",
    "ilias in teams": "Team_7/{last}_{first}_login{n}_{n}/{file}",
    "canvas": "{last}{first}_LATE_{n}_9{n}_{file}",
    "github classroom": "cup-submissions/cup-{first}{last}/{file}",
    "anything": "{first} {last}/{file}",
}
"""Paths of hand-ins, as `arena.league.collect` says whence they are known."""


@pytest.mark.parametrize("shape", SHAPES)
def test_each_pupil_s_bot_is_found_and_what_is_left_out_said(shape: str, tmp_path: Path) -> None:
    pupils = [("Jörg", "Weiß"), ("Zoë", "D'Arc"), ("李", "小龙")]
    pupils += [(f"Kim{chr(97 + n)}", "Groß") for n in range(27)]
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for n, (first, last) in enumerate(pupils):
            for file, content in hand_in(n)[0].items():
                path = SHAPES[shape].format(first=first, last=last, n=1000 + n, file=file)
                archive.writestr(normalize("NFD", path), content)
        for name, what in (("../evil.py", 0o100644), ("link", 0o120777)):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = what << 16
            archive.writestr(entry, "/etc/passwd")
    with zipfile.ZipFile(tmp_path / "class.zip") as archive:
        archive.extractall(tmp_path / "unpacked", archive.namelist()[:-2])
    handins, left = read_handins(tmp_path / "class.zip")
    assert left == ["../evil.py: leads out of the archive", "link: a link"]
    named = name_bots(handins, {}, "authors.csv")
    assert len(named) == len(pupils)
    assert all(re.fullmatch(r"[a-z0-9_-]{1,32}", name) for name in named)
    said = [("" if each.bot else "no bot: ") + "; ".join(each.notes) for each in handins]
    for n in range(len(pupils)):
        wanted = hand_in(n)[1]
        assert sum(wanted in line if wanted else not line for line in said) >= 3, wanted
    sizes = Counter(len(each.bot) for each in handins)
    assert sizes == {0: 9, 1: 15, 2: 6}  # of two files: bot.py and helper.py
    if shape != "moodle without folders" and shape != "canvas":
        again, _ = read_handins(tmp_path / "unpacked")
        assert [each.bot for each in again] == [each.bot for each in handins]


def test_no_archive_is_believed(tmp_path: Path) -> None:
    packed = tmp_path / "class.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Kim/bot.py", FIRST)
        archive.writestr("Kim/zeros", bytes(65 << 20))
        for number in (1, 2):
            archive.writestr(f"Kim/table-{number}.csv", "1")
        archive.writestr("Lea/a/bot.py", FIRST)
        archive.writestr("Lea/b/bot.py", FIRST)
        archive.writestr("Max/bot.py", FIRST)
    broken = bytearray(packed.read_bytes())
    broken[broken.rindex(b"Max/bot.py", 0, broken.index(b"PK\1\2")) + 12] ^= 0xFF
    packed.write_bytes(broken)
    (kim, lea), left = read_handins(packed)
    assert sorted(kim.bot) == ["bot.py", "table-1.csv", "table-2.csv"]  # which are no attempts
    assert lea.notes == ["more than one bot: a/bot.py, b/bot.py; hand in one, or call it bot.py"]
    assert left[0] == "Kim/zeros: larger than 64 MiB"
    assert left[1].startswith("Max/bot.py: cannot be read (")
    (tmp_path / "no.zip").write_bytes(b"PK\5\6")
    for name in ("no.zip", "none.zip"):
        with pytest.raises(UsageError, match="expected a zip, a folder, or a CSV file"):
            read_handins(tmp_path / name)


def test_a_class_s_bots_are_collected_again_each_week(tmp_path: Path) -> None:
    make(tmp_path, bots=HONEST)
    rows = [("Kim Lee", "kim.py", f"{FIRST}# 1\n"), ("Ann", "other.py", f"{FIRST}# 2\n")]
    for _, name, text in rows:
        (tmp_path / name).write_text(text)
    table = tmp_path / "handins.csv"
    table.write_text("".join(["pupil,bot\n", *(f"{pupil},{name}\n" for pupil, name, _ in rows)]))
    words = ("collect", table, "--into", tmp_path / "bots")
    refused = main(*words)
    assert (refused.returncode, refused.stdout.decode().count("new")) == (2, 1)
    assert b"ann      replaced: 1 line added, 0 removed" in refused.stdout
    assert b"Nothing was written; add --yes to confirm" in refused.stderr
    assert not (tmp_path / "bots" / "kim_lee.py").exists()
    done = main(*words, "--yes")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "bots" / "ann.py").read_text() == rows[1][2]
    authors = tmp_path / "authors.csv"
    assert authors.read_text() == "pupil,bot\nKim Lee,kim_lee\nAnn,ann\n"
    assert stat.S_IMODE(authors.stat().st_mode) == 0o600
    assert main(*words).stdout.count(b"unchanged") == 2
    (tmp_path / "more.py").write_text(f"{FIRST}# 3\n")
    with table.open("a") as file:
        file.write("Bo,more.py\nCy,none.py\n")
    assert b"handins.csv: Cy: " in main(*words).stderr
    table.write_text(table.read_text().replace("Cy,none.py\n", ""))
    assert main(*words, "--pseudonyms").returncode == 0
    assert "Bo,player_01\n" in authors.read_text()
    assert (tmp_path / "bots" / "player_01.py").exists()


def test_two_pupils_of_one_name_and_one_called_champion_have_their_bots(tmp_path: Path) -> None:
    make(tmp_path, bots=HONEST)
    pupils = ("Max Müller_1", "Max Müller_2", "Champion_3")

    def collect(number: int) -> str:
        with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
            for pupil in pupils[:number]:
                archive.writestr(f"{pupil}_assignsubmission_file_/bot.py", f"{FIRST}# {pupil}")
        done = main("collect", tmp_path / "class.zip", "--into", tmp_path / "bots")
        assert done.returncode == 0, done.stderr
        return (done.stdout + done.stderr).decode()

    assert collect(3).count("new\n") == 3
    names = ("champion_3", "max_mueller_1", "max_mueller_2")
    assert all((tmp_path / "bots" / f"{name}.py").exists() for name in names)
    with (tmp_path / "authors.csv").open("a") as file:
        file.write("Max Müller (1),ann\n")  # another of his, which does not come from here
    assert (again := collect(2)).count("unchanged\n") == 2
    assert "No hand-in this time, earlier bots stay: champion_3\n" in again
    packed = (tmp_path / "class.zip").read_bytes()
    (tmp_path / "class.zip").write_bytes(packed[9:])
    assert b"part of a zip is missing" in main("collect", tmp_path / "class.zip").stderr
