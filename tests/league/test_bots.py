"""Which files are bots, what is in them, and who enters which pool."""

import hashlib
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import ArenaError, UsageError
from arena.league import files
from arena.league.bots import BotPath, find_bot, find_bots, find_league, find_parts
from arena.league.entries import read_entries
from arena.league.files import Source, hash_source, read_bot, write_snapshot
from arena.model import Bot, Entry
from arena.plan import plan
from arena.plan.config import load_config
from tests.rights import without_override

PLAIN = Source((("bot.py", b"def decide(view): ..."), ("data/x.bin", b"\0\1")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A league's folder without bots."""
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


def trouble(call: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as caught:
        call()
    return str(caught.value)


def test_the_league_s_folder_is_the_nearest_upwards_that_holds_bots(folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    assert find_league(inner) == folder.resolve()
    assert find_league(folder) == folder.resolve()
    (folder / "a" / "bots").mkdir()
    assert find_league(inner) == (folder / "a").resolve()


def test_without_a_bots_folder_it_is_said_where_was_looked(tmp_path: Path) -> None:
    said = trouble(lambda: find_league(tmp_path))
    assert f"no folder 'bots' in {tmp_path.resolve()} or any folder above it" in said


def test_a_bot_is_a_python_file_or_a_folder_with_bot_py_by_name(folder: Path) -> None:
    put(folder, "zoe.py", "ann/bot.py", "ann/data.json", "b-2_c.py")
    assert find_bots(folder, ["bots/*"]) == [
        BotPath("ann", folder / "bots/ann"),
        BotPath("b-2_c", folder / "bots/b-2_c.py"),
        BotPath("zoe", folder / "bots/zoe.py"),
    ]


def test_a_bot_is_named_as_every_command_takes_it(folder: Path) -> None:
    put(folder, "zoe.py", "ann/bot.py", "clubs/bob.py")
    assert names(folder, "bots/zoe", "ann", "bots/clubs/bob") == ["ann", "bob", "zoe"]
    assert names(folder, "bots/*", "!zoe", "bots/clubs/bob") == ["ann", "bob"]
    assert "no such file" in trouble(lambda: find_bots(folder, ["bots/zo"]))


def test_what_is_no_bot_is_passed_over(folder: Path) -> None:
    put(folder, "ann.py", "_old.py", ".hidden.py", "test_ann.py", "README.md", "ann.txt")
    put(folder, "_lib/bot.py", "__pycache__/ann.pyc", "data/x.json")
    assert names(folder) == ["ann"]


def test_an_exclamation_mark_takes_out_again_in_order(folder: Path) -> None:
    put(folder, "ann.py", "abe.py", "bob.py")
    assert names(folder, "bots/*", "!bots/a*") == ["bob"]
    assert names(folder, "bots/*", "!bots/a*", "bots/ann.py", "bots/bob.py") == ["ann", "bob"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ann", "not a bot: the folder has no bot.py; put the bot there under that name"),
        ("bob", "not a bot: the folder has no bot.py; rename main.py to bot.py"),
        (
            "ann.txt",
            "not a bot: the file does not end in .py; name one that does, or a folder with bot.py",
        ),
        ("_ann.py", "not a bot: its name starts with _, . or test_; rename it"),
    ],
)
def test_what_is_named_outright_must_be_a_bot(folder: Path, name: str, why: str) -> None:
    put(folder, "ann/data.json", "bob/main.py", "bob/help.py", "ann.txt", "_ann.py")
    said = trouble(lambda: find_bots(folder, [f"bots/{name}"]))
    assert said == f"{folder / 'bots' / name}: {why}"


@pytest.mark.parametrize(
    ("globs", "said"),
    [
        (["bots/*", "bots/x*"], "{folder}: 'bots/x*' matches no bot; put a file with `def decide"),
        (["bots/bob.py"], "{folder}/bots/bob.py: no such file; 'bots/*' includes all bots"),
        (["bots/My*"], "{folder}: 'bots/My*' matches no bot; put a file with `def decide"),
        (["bots/*", "!bots/*"], "leave no bot; exclude fewer"),
        (["bots/*", "!bots/x*"], "'!bots/x*' excludes no bot; "),
        (["bots/*", "!bots/ana.py"], "'!bots/ana.py' excludes no bot; did you mean '!bots/ann"),
        (["bots/*", "!bots/notes.txt"], "'!bots/notes.txt' excludes no bot; "),
        *(([glob], f"found {glob!r}; ")
          for glob in ("../x/*", "/tmp/*", "bots/../../*", "", "!", "bots/**x")),
    ],
)  # fmt: skip
def test_globs_that_cannot_be_meant_are_an_error(folder: Path, globs: list[str], said: str) -> None:
    put(folder, "ann.py", "notes.txt", "My Bot.py")
    assert said.format(folder=folder) in trouble(lambda: find_bots(folder, globs))


@pytest.mark.parametrize("mode", [0o000, 0o600, 0o400], ids=["closed", "no search", "names only"])
def test_a_folder_that_cannot_be_read_is_said_to_be_unreadable(folder: Path, mode: int) -> None:
    put(folder, "ann.py", "clubs/bob.py", "clubs/more/cid.py")
    closed, clubs = folder / "bots", folder / "bots" / "clubs"
    denied = "cannot be read (Permission denied); change its permissions"
    with without_override():
        for place, globs in (
            (closed, ["bots/*"]), (closed, ["bots/ann.py"]), (closed, ["b*/ann.py"]),
            (clubs, ["bots/*", "bots/*/*.py"]), (clubs, ["bots/**/*.py"]),
            (clubs, ["bots/*", "!bots/clubs/*"]),
        ):  # fmt: skip
            place.chmod(mode)
            said = trouble(lambda globs=globs: find_bots(folder, globs))  # type: ignore[misc]
            place.chmod(0o700)
            assert said == f"{place}: {denied}", globs
        closed.chmod(mode)
        said = trouble(lambda: find_bot(folder, "ann"))
        by_path = trouble(lambda: find_bot(folder, str(closed / "ann.py")))
        by_name = trouble(lambda: find_bots(folder, ["ann"]))
        closed.chmod(0o700)
        assert said == f"{closed}: {denied}"
        assert by_path == by_name == f"{closed / 'ann.py'}: {denied}"
        (closed / "dee").mkdir(mode=0)
        with pytest.raises(UsageError, match=re.escape(f"{closed / 'dee'}: {denied}")):
            read_bot(find_bot(folder, "dee"))
        folder.chmod(0o000)
        said = trouble(lambda: find_league(folder))
        folder.chmod(0o700)
        assert said.endswith(f"{closed}: {denied}")


def test_a_wrong_name_is_answered_with_the_rule_and_a_right_one(folder: Path) -> None:
    put(folder, "My Bot.py", f"{'x' * 33}.py", "caf\u00e9/bot.py", "ok.py", "Gr\u00f6\u00dfe.py")
    assert names(folder) == ["ok"]  # it refuses itself alone
    lines = left_out(folder)
    rule = (
        "found the name 'My Bot'; a bot's name is 1 to 32 characters from a-z, 0-9, "
        "_ and -; rename it to my_bot.py"
    )
    assert lines[0].endswith("rename it to groesse.py")
    assert lines[1] == f"{folder / 'bots' / 'My Bot.py'}: skipped: {rule}"
    assert lines[2].endswith("rename it to cafe")
    assert lines[3].endswith(f"rename it to {'x' * 32}.py")
    assert len(lines) == 4
    outright = trouble(lambda: find_bots(folder, ["bots/ok.py", "bots/My Bot.py"]))
    assert outright == f"{folder / 'bots' / 'My Bot.py'}: {rule}"


def test_a_name_that_is_near_is_one_the_bot_may_have_and_no_other_has(folder: Path) -> None:
    rule = "a bot's name is 1 to 32 characters from a-z, 0-9, _ and -; rename it to"
    put(folder, "Kim.py")
    bots, said = folder / "bots", f"Kim.py: found the name 'Kim'; {rule}"
    missing = f"Kim: no bot of that name in {bots}, and no file; {said} kim.py"
    assert trouble(lambda: find_bot(folder, "Kim")) == missing
    put(folder, "kim/bot.py", "kim_2.py")
    assert left_out(folder) == [
        f"{bots / 'Kim.py'}: skipped: found the name 'Kim'; {rule} kim_3.py"
    ]


def test_a_folder_that_was_meant_as_a_bot_is_told_so(folder: Path) -> None:
    put(folder, "ann/main.py", "ann/cards.py", "bob/play.py", "cid/a.py", "cid/b.py")
    put(folder, "dee/notes.txt", "ok.py", "abe.py", "_eve/main.py", "fay/fay/bot.py", "gil/README")
    put(folder, "gil/src/gil/bot.py", "hal/hal.zip", "__MACOSX/x", "ian/.git/bot.py", "club/jim.py")
    (folder / "bots" / "kai").mkdir()
    missing = "skipped: the folder has no bot.py;"
    told = {
        "ann": f"{missing} rename main.py to bot.py",
        "bob": f"{missing} rename play.py to bot.py",
        "cid": f"{missing} rename the bot's file to bot.py",
        "club": f"{missing} rename jim.py to bot.py",
        "fay": f"{missing} move what is in fay/fay up to fay",
        "gil": f"{missing} move what is in gil/src/gil up to gil",
        "hal": f"{missing} hal.zip: an archive; unpack it to hal.py, or to hal/ with bot.py in it",
        "ian": f"{missing} put the bot there under that name",
        "kai": f"{missing} put the bot there under that name",
    }
    assert left_out(folder) == [f"{folder / 'bots' / name}: {why}" for name, why in told.items()]
    del told["ann"]
    lines = [f"{folder / 'bots' / name}: {why}" for name, why in told.items()]
    assert left_out(folder, "bots/*", "!bots/a*", "ok") == lines
    del told["club"]  # its bots play
    lines = [f"{folder / 'bots' / name}: {why}" for name, why in told.items()]
    assert left_out(folder, "bots/*", "!bots/a*", "bots/club/*", "ok") == lines
    assert left_out(folder, "bots/ok.py") == []


HANDED_IN = {
    "kim.zip": "an archive; unpack it to kim.py, or to kim/ with bot.py in it",
    "Le A.tar.gz": "an archive; unpack it to le_a.py, or to le_a/ with bot.py in it",
    "lab.ipynb": "a notebook; convert it with `jupyter nbconvert --to script`",
    "UPPER.PY": "found the ending '.PY', not .py; rename it to upper.py",
    "ok.Py": "found the ending '.Py', not .py; rename it to ok_2.py",
    "ann.txt": "the file does not end in .py; rename it to ann.py",
    "bob.py.txt": "the file does not end in .py; rename it to bob.py",
    "cid": "the file does not end in .py; rename it to cid.py",
    "gone": "a link to a missing file or folder; replace it with the bot itself",
}
UNTOLD = ("ok.zip", "ok.ipynb", "ok.py.bak", "README.md", "notes.txt", "pipe", "a.json", "._ok.py")
BOT = b"import random\n\n\ndef decide(view):\n    return view.legal[0]\n"


def test_what_is_handed_in_as_a_bot_and_is_none_is_told(folder: Path) -> None:
    """And what is left of one that is there, or shows one, is not."""
    put(folder, "ok.py", *HANDED_IN, *UNTOLD)
    for name in ("ok.py", "ann.txt", "bob.py.txt", "cid", "ok.py.bak", "README.md"):
        (folder / "bots" / name).write_bytes(BOT)
    for name, make in (("gone", lambda path: path.symlink_to("x")), ("pipe", os.mkfifo)):
        (folder / "bots" / name).unlink()
        make(folder / "bots" / name)
    assert left_out(folder) == sorted(
        f"{folder / 'bots' / name}: skipped: {why}" for name, why in HANDED_IN.items()
    )
    for name, why in HANDED_IN.items() - {("ok.Py", HANDED_IN["ok.Py"])}:
        path = str(folder / "bots" / name)
        for given in (path, name.partition(".")[0])[name == "gone" :]:
            said = trouble(lambda given=given: find_bot(folder, given))  # type: ignore[misc]
            assert said.endswith(f"{name}: {why}") or said.endswith(f"{name}: not a bot: {why}")


def test_a_folder_of_bots_is_not_a_bot_to_be_moved(folder: Path) -> None:
    put(folder, "ann/bot.py", "bob.py", "cid.py")
    said = trouble(lambda: find_bot(folder, str(folder / "bots")))
    assert said.endswith(
        "bots: not a bot: the folder has no bot.py; put the bot there under that name"
    )


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


def test_a_bot_inside_a_virtual_environment_is_told_to_move(folder: Path) -> None:
    put(folder, "ann/bot.py", "ann/pyvenv.cfg", "bob/bot.py", "bob/pyvenv.cfg")
    (folder / "bots/ann/lib64").symlink_to("lib")
    (folder / "bots/bob/bin").mkdir()
    (folder / "bots/bob/bin/python").symlink_to("/usr/bin/python3")
    for name, link in (("ann", "lib64"), ("bob", "bin/python")):
        assert trouble(lambda name=name: read(folder, name)) == (  # type: ignore[misc]
            f"{folder / 'bots' / name / link}: a link of a virtual environment; "
            "move the bot's own files to a new folder"
        )


def test_a_single_file_counts_as_bot_py(folder: Path) -> None:
    (folder / "bots/ann.py").write_bytes(b"a = 1")
    (folder / "bots/bob").mkdir()
    (folder / "bots/bob/bot.py").write_bytes(b"a = 1")
    assert read(folder, "ann.py") == Source((("bot.py", b"a = 1"),))
    assert read(folder, "bob") == Source((("bot.py", b"a = 1"),), is_folder=True)
    assert hash_source(read(folder, "ann.py")) == hash_source(read(folder, "bob"))


@pytest.mark.parametrize(
    ("name", "link", "to"),
    [
        ("ann", "ann/twin.py", "bot.py"),
        ("ann", "ann/more", "data"),
        ("ann", "ann/loop", "loop"),
        ("ann", "ann/data/x", "../../bob/bot.py"),
        ("cid.py", "cid.py", "bob/bot.py"),
        ("cid.py", "cid.py", "../secret"),
        ("cid.py", "cid.py", "gone.py"),
        ("dot", "dot", "bob"),
        ("dot", "dot", "/"),
    ],
)
def test_links_are_refused(folder: Path, name: str, link: str, to: str) -> None:
    put(folder, "ann/bot.py", "ann/data/y", "bob/bot.py", "../secret")
    (folder / "bots" / link).symlink_to(to)
    assert trouble(lambda: read(folder, name)) == (
        f"{folder / 'bots' / link}: a link; replace it with the file or folder it points to"
    )


@pytest.mark.parametrize("name", ["b\udcff", "b\udcff/x"])
def test_names_that_are_not_utf_8_are_refused(folder: Path, name: str) -> None:
    put(folder, "ann/bot.py", f"ann/{name}")
    said = f"{folder / 'bots' / 'ann'}: 'b\\udcff' is not UTF-8; rename it"
    assert trouble(lambda: read(folder, "ann")) == said


def test_a_bot_of_more_than_64_mib_in_all_is_refused(folder: Path) -> None:
    put(folder, "ann/bot.py", "ann/a", "ann/b")
    os.truncate(folder / "bots/ann/a", 32 << 20)
    os.truncate(folder / "bots/ann/b", 32 << 20)
    assert len(read(folder, "ann").files) == 3
    os.truncate(folder / "bots/ann/bot.py", 1)
    assert "larger than 64 MiB" in trouble(lambda: read(folder, "ann"))


def test_a_bot_of_more_than_ten_thousand_files_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files.MAX_FILES == 10_000
    monkeypatch.setattr(files, "MAX_FILES", 3)
    put(folder, "ann/bot.py", "ann/a", "ann/b")
    assert len(read(folder, "ann").files) == 3
    put(folder, "ann/c")
    assert "more than 3 files" in trouble(lambda: read(folder, "ann"))


def test_the_hash_is_of_paths_and_bytes_with_their_lengths() -> None:
    whole = b"".join(
        len(part).to_bytes(8, "big") + part
        for part in (b"bot.py", b"def decide(view): ...", b"data/x.bin", b"\0\1")
    )
    assert hash_source(PLAIN) == hashlib.sha256(whole).hexdigest()


def test_no_two_bots_share_a_hash_by_moving_bytes_between_name_and_content() -> None:
    sources = [
        Source((("bot.py", b"ab"),)),
        Source((("bot.pya", b"b"),)),
        Source((("bot.py", b"a"),)),
        Source((("bot.py", b""), ("ab", b""))),
        Source((("bot.py", b""), ("a", b"b"))),
    ]
    assert len({hash_source(source) for source in sources}) == 5


def snapshot(root: Path) -> Path:
    return write_snapshot(root, PLAIN, hash_source(PLAIN))


def test_a_snapshot_is_a_read_only_folder(tmp_path: Path) -> None:
    made = snapshot(tmp_path / "kept")
    assert made.parent == tmp_path / "kept"
    assert (made / "data/x.bin").read_bytes() == b"\0\1"
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (made, *made.rglob("*"))}
    assert modes == {
        made: 0o500,
        made / "data": 0o500,
        made / "data/x.bin": 0o400,
        made / "bot.py": 0o400,
    }


def test_a_snapshot_s_name_tells_nothing_of_its_bot_and_cannot_be_guessed(tmp_path: Path) -> None:
    """Else a bot that loads, and may ask whether a path exists, knows who else plays."""
    names = {snapshot(tmp_path).name for _ in range(8)}
    assert len(names) == 8, "equal bots have snapshots of their own"
    for name in names:
        assert re.fullmatch("[0-9a-f]{32}", name)  # 128 bits


def test_a_snapshot_that_cannot_be_completed_is_not_there(tmp_path: Path) -> None:
    broken = Source((("bot.py", b""), ("x" * 300, b"")))  # longer than a file's name may be
    with pytest.raises(OSError, match="too long"):
        write_snapshot(tmp_path, broken, hash_source(broken))
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_not_the_bot_s_are_not_played(tmp_path: Path) -> None:
    other = Source((("bot.py", b"other"),))
    with pytest.raises(ArenaError, match="does not match its hash"):
        write_snapshot(tmp_path, other, hash_source(PLAIN))
    assert list(tmp_path.iterdir()) == []


CUP = """
[[games]]
game = "no_thanks"
players = [3, 5]
deals = 2
shared_decks = true
[[games]]
game = "sixteen"
players = 4
deals = 3
bots = ["bots/a*"]
"""


def entered(folder: Path, *bots: str, text: str = CUP) -> list[Entry]:
    put(folder, *(f"{bot}.py" for bot in bots))
    (folder / "cup.toml").write_text(text)
    config = load_config(folder / "cup.toml")
    return [each.entry for each in plan.find_wanted(config, [Bot(bot, "") for bot in sorted(bots)])]


def test_each_pool_gets_an_entry_with_the_bots_that_enter_it(folder: Path) -> None:
    made = entered(folder, "ann", "abe", "bob", "cid", "dot")
    assert [entry.pool.title for entry in made] == ["No Thanks! 3p", "No Thanks! 5p", "Sixteen 2v2"]
    assert [[bot.name for bot in entry.bots] for entry in made] == [
        ["abe", "ann", "bob", "cid", "dot"],
        ["abe", "ann", "bob", "cid", "dot"],
        ["abe", "ann"],
    ]
    assert [entry.deals for entry in made] == [2, 2, 3]
    assert all(entry.shared_decks is True for entry in made)


def test_too_few_bots_are_an_error_that_names_both_numbers_for_every_pool(folder: Path) -> None:
    cup = folder / "cup.toml"
    assert trouble(lambda: entered(folder, "ann", "bob")).splitlines() == [
        f"{cup}:2: games[0]: found 2 bots; No Thanks! 3p needs 3",
        f"{cup}:2: games[0]: found 2 bots; No Thanks! 5p needs 5",
        f"{cup}:7: games[1]: found 1 bot; Sixteen 2v2 needs 2",
    ]


def test_too_few_line_ups_for_each_bot_to_play_are_an_error(folder: Path) -> None:
    text = CUP.replace("[3, 5]", "3").replace("shared_decks = true", "max_games = 12")
    assert trouble(lambda: entered(folder, "ann", "abe", "bob", "cid", "dot", text=text)) == (
        f"{folder / 'cup.toml'}:6: games[0].max_games: No Thanks! 3p: 2 line-ups for 5 "
        f"bots; each needs 3, which takes 5, so set 30 or more"
    )


def test_only_those_that_take_part_enter_a_game(folder: Path) -> None:
    text = 'bots = ["bots/*", "!bots/abe.py"]\n' + CUP.replace("[3, 5]", "3")
    put(folder, "abe.py")
    said = trouble(lambda: entered(folder, "ann", "bob", "cid", text=text))
    assert said == f"{folder / 'cup.toml'}:8: games[1]: found 1 bot; Sixteen 2v2 needs 2"


def test_one_bot_is_found_by_its_name_or_by_its_path(folder: Path) -> None:
    put(folder, "ann.py", "bob/bot.py", "../old/ann.py")
    assert find_bot(folder, "ann") == BotPath("ann", folder / "bots" / "ann.py")
    assert find_bot(folder, "bob") == BotPath("bob", folder / "bots" / "bob")
    old = folder / "old" / "ann.py"
    assert find_bot(folder, str(old)) == BotPath("ann", old)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("anm", "anm: no bot of that name in {bots}, and no file; did you mean ann?"),
        ("x/y", "x/y: no bot of that name in {bots}, and no file; name a bot, or its path"),
        ("{bots}/notes.txt", "notes.txt: not a bot: the file does not end in .py"),
        (
            "{bots}/Ann.py",
            "found the name 'Ann'; a bot's name is 1 to 32 characters from a-z, 0-9, _ and -",
        ),
    ],
)
def test_one_bot_that_is_none_is_refused(folder: Path, given: str, said: str) -> None:
    put(folder, "ann.py", "notes.txt", "Ann.py")
    bots = str(folder / "bots")
    message = trouble(lambda: find_bot(folder, given.format(bots=bots)))
    assert said.format(bots=bots) in message
