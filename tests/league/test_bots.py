"""Which files are bots, and what is in them."""

import hashlib
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError, UsageError
from arena.league.bots import BotPath, as_glob, find_bot, find_bots, find_league, find_parts
from arena.league.entries import read_entries
from arena.league.files import Source, hash_source, read_bot, write_snapshot
from tests.rights import without_override

PLAIN = Source((("bot.py", b"def decide(view): ..."), ("data/x.bin", b"\0\1")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots").mkdir()
    return tmp_path


def put(folder: Path, *names: str) -> None:
    """Write empty files, and the folders they are in."""
    for name in names:
        path = folder / "bots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def names(folder: Path, *globs: str) -> list[str]:
    return [bot.name for bot in find_bots(folder, globs or ("bots/*",))]


def left_out(folder: Path, *globs: str) -> list[str]:
    lines: list[str] = []
    find_bots(folder, globs or ["bots/*"], note=lines.append)
    return lines


def refuse(call: Callable[..., object], *given: Any) -> str:
    with pytest.raises(UsageError) as caught:
        call(*given)
    return str(caught.value)


def test_the_league_s_folder_is_the_nearest_upwards_that_holds_bots(folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    assert find_league(inner) == find_league(folder) == folder.resolve()
    (folder / "a" / "bots").mkdir()
    assert find_league(inner) == (folder / "a").resolve()
    (folder / "bots").rmdir()
    why = f"no folder 'bots' in {folder.resolve()} or any folder above it"
    assert why in refuse(find_league, folder)


def test_a_bot_is_a_python_file_or_a_folder_with_bot_py_by_name(folder: Path) -> None:
    put(folder, "zoe.py", "ann/bot.py", "ann/data.json", "b-2_c.py", "clubs/bob.py")
    put(folder, "_old.py", ".hidden.py", "test_ann.py", "README.md", "ann.txt")
    put(folder, "_lib/bot.py", "__pycache__/ann.pyc", "data/x.json")
    assert find_bots(folder, ["bots/*"]) == [
        BotPath("ann", folder / "bots/ann"),
        BotPath("b-2_c", folder / "bots/b-2_c.py"),
        BotPath("zoe", folder / "bots/zoe.py"),
    ]
    for globs, expected in (
        (["bots/zoe", "ann", "bots/clubs/bob"], ["ann", "bob", "zoe"]),  # as every command takes it
        (["bots/*", "!zoe", "bots/clubs/bob"], ["ann", "b-2_c", "bob"]),
        (["bots/*", "!bots/[ab]*"], ["zoe"]),
        (["bots/*", "!bots/[abz]*", "bots/ann", "bots/zoe.py"], ["ann", "zoe"]),
    ):
        assert names(folder, *globs) == expected
    given = ["n*", "!n*", "x/n*", "ann"]
    assert [as_glob(glob) for glob in given] == ["bots/n*", *given[1:]]


def test_globs_that_cannot_be_meant_are_an_error(folder: Path) -> None:
    put(folder, "ann.py", "notes.txt", "My Bot.py", "_dee.py", "cid/main.py", "cid/help.py")
    for globs, why in (
        (["bots/*", "bots/x*"], f"{folder}: 'bots/x*' matches no bot; put a file with `def decide"),
        (["bots/bob.py"], f"{folder}/bots/bob.py: no such file; 'bots/*' includes all bots"),
        (["bots/zo"], "no such file"),
        (["bots/cid"], "cid: not a bot: the folder has no bot.py; rename main.py to bot.py"),
        (["bots/_dee.py"], "not a bot: its name starts with _, . or test_; rename it"),
        (["bots/My*"], f"{folder}: 'bots/My*' matches no bot; put a file with `def decide"),
        (["bots/*", "!bots/*"], "leave no bot; exclude fewer"),
        (["bots/*", "!bots/x*"], "'!bots/x*' excludes no bot; "),
        (["bots/*", "!bots/ana.py"], "'!bots/ana.py' excludes no bot; did you mean '!bots/ann"),
        (["bots/*", "!bots/notes.txt"], "'!bots/notes.txt' excludes no bot; "),
        *(([glob], f"found {glob!r}; ")
          for glob in ("../x/*", "/tmp/*", "bots/../../*", "", "!", "bots/**x")),
    ):  # fmt: skip
        assert why in refuse(find_bots, folder, globs)


@pytest.mark.parametrize("mode", [0o000, 0o600, 0o400], ids=["closed", "no search", "names only"])
def test_a_folder_that_cannot_be_read_is_said_to_be_unreadable(folder: Path, mode: int) -> None:
    put(folder, "ann.py", "clubs/bob.py", "clubs/more/cid.py")
    bots, clubs = folder / "bots", folder / "bots" / "clubs"
    ann, denied = bots / "ann.py", "cannot be read (Permission denied); change its permissions"
    with without_override():
        for place, call, given, named in (
            (bots, find_bots, ["bots/*"], bots), (bots, find_bots, ["ann"], ann),
            (bots, find_bot, "ann", bots), (bots, find_bot, str(ann), ann),
            (clubs, find_bots, ["bots/**/*.py"], clubs),
            (clubs, find_bots, ["bots/*", "!bots/clubs/*"], clubs),
        ):  # fmt: skip
            place.chmod(mode)
            message = refuse(call, folder, given)
            place.chmod(0o700)
            assert message == f"{named}: {denied}", given
        (bots / "dee").mkdir(mode=0)
        message = refuse(read_bot, find_bot(folder, "dee"))
        assert message == f"{bots / 'dee'}: {denied}, or remove it"
        folder.chmod(0o000)
        message = refuse(find_league, folder)
        folder.chmod(0o700)
        assert message.endswith(f"{bots}: {denied}")


def test_a_wrong_name_is_answered_with_the_rule_and_a_right_one(folder: Path) -> None:
    put(folder, "My Bot.py", f"{'x' * 33}.py", "caf\u00e9/bot.py", "ok.py", "Gr\u00f6\u00dfe.py")
    put(folder, "Kim.py")
    assert names(folder) == ["ok"]
    rule = "found the name %r; a bot's name is 1 to 32 characters from a-z, 0-9, _ and -; rename it"
    given = ["Gr\u00f6\u00dfe", "Kim", "My Bot", "caf\u00e9", "x" * 33]
    better = ["groesse.py", "kim.py", "my_bot.py", "cafe", f"{'x' * 32}.py"]
    wrong = [f"{rule % name} to {other}" for name, other in zip(given, better, strict=True)]
    lines = left_out(folder)
    assert [line.partition(": skipped: ")[2] for line in lines] == wrong
    assert lines[2].startswith(f"{folder / 'bots' / 'My Bot.py'}: skipped: ")
    outright = refuse(find_bots, folder, ["bots/ok.py", "bots/My Bot.py"])
    assert outright == f"{folder / 'bots' / 'My Bot.py'}: {wrong[2]}"
    missing = f"Kim: no bot of that name in {folder / 'bots'}, and no file; Kim.py: {wrong[1]}"
    assert refuse(find_bot, folder, "Kim") == missing
    put(folder, "kim/bot.py", "kim_2.py")
    assert left_out(folder)[1].endswith("rename it to kim_3.py")


def test_a_folder_that_was_meant_as_a_bot_is_told_so(folder: Path) -> None:
    put(folder, "ann/main.py", "ann/cards.py", "cid/a.py", "cid/b.py", "dee/notes.txt", "ok.py")
    put(folder, "abe.py", "_eve/main.py", "gil/README", "gil/src/gil/bot.py", "hal/hal.zip")
    put(folder, "__MACOSX/x", "ian/.git/bot.py", "club/jim.py")
    meant = {
        "ann": "rename main.py to bot.py",
        "cid": "rename the bot's file to bot.py",
        "club": "rename jim.py to bot.py",
        "gil": "move what is in gil/src/gil up to gil",
        "hal": "hal.zip: an archive; unpack it to hal.py, or to hal/ with bot.py in it",
        "ian": "put the bot there under that name",
    }
    for globs, others in (
        (["bots/*"], []),
        (["bots/*", "!bots/a*", "bots/club/*", "ok"], ["ann", "club"]),  # whose bots play
        (["bots/ok.py"], meant),
    ):
        assert left_out(folder, *globs) == [
            f"{folder / 'bots' / name}: skipped: the folder has no bot.py; {why}"
            for name, why in meant.items()
            if name not in others
        ]


HANDED_IN = {
    "kim.zip": "an archive; unpack it to kim.py, or to kim/ with bot.py in it",
    "lab.ipynb": "a notebook; convert it with `jupyter nbconvert --to script`",
    "UPPER.PY": "found the ending '.PY', not .py; rename it to upper.py",
    "ok.Py": "found the ending '.Py', not .py; rename it to ok_2.py",
    "bob.py.txt": "the file does not end in .py; rename it to bob.py",
    "cid": "the file does not end in .py; rename it to cid.py",
    "gone": "a link to a missing file or folder; replace it with the bot itself",
}
UNTOLD = ("ok.zip", "ok.ipynb", "ok.py.bak", "README.md", "notes.txt", "pipe", "a.json", "._ok.py")
BOT = b"import random\n\n\ndef decide(view):\n    return view.legal[0]\n"


def test_what_is_handed_in_as_a_bot_and_is_none_is_told(folder: Path) -> None:
    put(folder, "ok.py", *HANDED_IN, *UNTOLD)
    for name in ("ok.py", "bob.py.txt", "cid", "ok.py.bak", "README.md"):
        (folder / "bots" / name).write_bytes(BOT)
    for name, make in (("gone", lambda path: path.symlink_to("x")), ("pipe", os.mkfifo)):
        (folder / "bots" / name).unlink()
        make(folder / "bots" / name)
    assert left_out(folder) == sorted(
        f"{folder / 'bots' / name}: skipped: {why}" for name, why in HANDED_IN.items()
    )
    for name in ("kim.zip", "lab.ipynb", "UPPER.PY", "cid"):
        for given in (str(folder / "bots" / name), name.partition(".")[0]):
            assert refuse(find_bot, folder, given).endswith(f": {HANDED_IN[name]}")


def read(folder: Path, name: str) -> Source:
    return read_bot(BotPath("ann", folder / "bots" / name))


PART = ["b/y.txt", "bot.py", "env/x.py", "old.pyc/x", "site-packages/m.py"]
MACHINERY = (
    ".venv/x.py", ".git/config", ".idea/x", ".env", "b/.DS_Store", "._bot.py", "__MACOSX/._bot.py",
    "b/__pycache__/z.pyc", "b/z.pyc", "node_modules/a/b.js", "b/node_modules/c",
    "kim.egg-info/PKG-INFO", "Thumbs.db", "b/desktop.ini", "mine/pyvenv.cfg", "mine/lib/x.py",
    "b/conda/conda-meta/history", "b/conda/x",
)  # fmt: skip


def test_a_folder_s_files_are_read_by_path_and_machinery_is_left_out(folder: Path) -> None:
    put(folder, *(f"ann/{name}" for name in PART))
    before = read(folder, "ann")
    assert [name for name, _ in before.files] == PART
    put(folder, *(f"ann/{name}" for name in MACHINERY))
    for link in (".venv/lib64", "node_modules/.bin", "mine/lib64", "b/conda/python", ".link"):
        (folder / "bots/ann" / link).symlink_to("/")
    os.truncate(folder / "bots/ann/mine/lib/x.py", 65 << 20)
    assert read(folder, "ann") == before
    assert read_entries(folder, [BotPath("ann", folder / "bots/ann")]).refused == {}
    assert find_parts([*MACHINERY, *PART]) == {*PART}  # as in another revision


def test_a_single_file_counts_as_bot_py(folder: Path) -> None:
    (folder / "bots/ann.py").write_bytes(b"a = 1")
    (folder / "bots/bob").mkdir()
    (folder / "bots/bob/bot.py").write_bytes(b"a = 1")
    assert read(folder, "ann.py") == Source((("bot.py", b"a = 1"),))
    assert read(folder, "bob") == Source((("bot.py", b"a = 1"),), is_folder=True)
    assert hash_source(read(folder, "ann.py")) == hash_source(read(folder, "bob"))


def test_names_that_are_not_utf_8_and_bots_that_are_too_large_are_refused(folder: Path) -> None:
    put(folder, "ann/bot.py", "ann/a", "ann/b", "bob/bot.py", "bob/b\udcff", "cid/bot.py")
    put(folder, "cid/b\udcff/x")
    for name in ("bob", "cid"):
        why = f"{folder / 'bots' / name}: 'b\\udcff' is not UTF-8; rename it"
        assert refuse(read, folder, name) == why
    ann = BotPath("ann", folder / "bots/ann")
    assert len(read_bot(ann, most_files=3).files) == 3
    assert "more than 2 files" in refuse(read_bot, ann, 2)
    os.truncate(folder / "bots/ann/a", 32 << 20)
    os.truncate(folder / "bots/ann/b", 32 << 20)
    assert len(read_bot(ann).files) == 3
    os.truncate(folder / "bots/ann/bot.py", 1)
    assert "larger than 64 MiB" in refuse(read_bot, ann)


def test_the_hash_is_of_paths_and_bytes_with_their_lengths() -> None:
    parts = (b"bot.py", b"def decide(view): ...", b"data/x.bin", b"\0\1")
    whole = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert hash_source(PLAIN) == hashlib.sha256(whole).hexdigest()


def test_a_snapshot_is_a_read_only_folder_whose_name_cannot_be_guessed(tmp_path: Path) -> None:
    made, other = (write_snapshot(tmp_path / "kept", PLAIN, hash_source(PLAIN)) for _ in range(2))
    assert made.parent == tmp_path / "kept"
    # Else a bot that loads, and may ask whether a path exists, knows who else plays.
    assert re.fullmatch("[0-9a-f]{32}", made.name)  # 128 bits
    assert made.name != other.name, "equal bots have snapshots of their own"
    assert (made / "data/x.bin").read_bytes() == b"\0\1"
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (made, *made.rglob("*"))}
    folders, files = (made, made / "data"), (made / "data/x.bin", made / "bot.py")
    assert modes == dict.fromkeys(folders, 0o500) | dict.fromkeys(files, 0o400)


def test_a_snapshot_that_cannot_be_completed_or_is_not_the_bot_s_is_not_there(
    tmp_path: Path,
) -> None:
    broken = Source((("bot.py", b""), ("x" * 300, b"")))  # longer than a file's name may be
    with pytest.raises(OSError, match="too long"):
        write_snapshot(tmp_path, broken, hash_source(broken))
    with pytest.raises(ArenaError, match="does not match its hash"):
        write_snapshot(tmp_path, Source((("bot.py", b"other"),)), hash_source(PLAIN))
    assert list(tmp_path.iterdir()) == []


def test_one_bot_is_found_by_its_name_or_by_its_path(folder: Path) -> None:
    put(folder, "ann.py", "bob/bot.py", "../old/ann.py", "notes.txt", "Ann.py")
    bots, old = folder / "bots", folder / "old" / "ann.py"
    assert find_bot(folder, "ann") == BotPath("ann", bots / "ann.py")
    assert find_bot(folder, "bob") == BotPath("bob", bots / "bob")
    assert find_bot(folder, str(old)) == BotPath("ann", old)
    for given, why in (
        ("anm", f"anm: no bot of that name in {bots}, and no file; did you mean ann?"),
        ("x/y", f"x/y: no bot of that name in {bots}, and no file; name a bot, or its path"),
        (f"{bots}/notes.txt", "notes.txt: not a bot: the file does not end in .py"),
        (f"{bots}/Ann.py", "found the name 'Ann'; a bot's name is 1 to 32 characters from a-z, "),
        (str(bots), "bots: not a bot: the folder has no bot.py; put the bot there under that name"),
    ):
        assert why in refuse(find_bot, folder, given)
