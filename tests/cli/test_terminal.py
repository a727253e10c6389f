"""What reaches a terminal: of whatever a stranger wrote, no character that does not print."""

import ast
import json
import os
import pty
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from arena.cli import terminal
from arena.cli.commands import load_commands
from arena.league import bots
from arena.model import Place, Reason
from arena.store import validation
from tests.leagues import main, make
from tests.places import EXAMPLES, ROOT, source

LINE = "a line of its own"
HOSTILE = f"\x1b]0;mine\x07\x1b[31m\x9b2J\u202e\r\x7f\u2028x\n{LINE}"
"""A window's title, colours, 8-bit codes, a change of direction, and a line like one of ours."""
CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 1
[[games]]
game = "sixteen"
players = 2
deals = 1
"""

COMMANDS: list[list[object]] = [
    ["records"], ["verify", "--json"], ["verify", "--replay-bots", 3], ["audit", "--games", 3],
    ["audit", "--games", 3, "--json"], ["logs", HOSTILE], ["logs", "bob"], ["logs", "nobody"],
    ["faults"], ["faults", "--json"], ["replay"], ["replay", "GAME"], ["replay", "GAME", "--at", 1],
    ["standings", "--game", "nothing"], ["standings"], ["standings", "--json"],
    ["standings", "--format", HOSTILE],
]  # fmt: skip
FORMATS: list[list[object]] = [
    ["standings", "--format", form] for form in ("github", "csv", "html", "latex")
]
"""What has names of bots and pools, and nothing else of strangers."""


def raw_in(printed: bytes) -> set[str]:
    text = printed.decode("utf-8", "replace")
    return {c for c in text if c != "\n" and not c.isprintable()} | {LINE} & {*text.split("\n")}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A league with a hostile name, prints and errors: this arena does not mind names."""
    folder = tmp_path_factory.mktemp("hostile")
    talks = f"print({HOSTILE!r})\ndef decide(view):\n    raise ValueError({HOSTILE!r})\n"
    played = {HOSTILE: talks, "ann": source("chance"), "bob": source("fickle")}
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(validation, "_Bot", tuple[str, str])
        with pytest.MonkeyPatch.context() as while_playing:
            while_playing.setattr(bots, "NAME", re.compile(".*", re.DOTALL))
            done = main("tournament", make(folder, CONFIG, played))
        assert done.returncode == 0, done.stderr.decode()
        assert raw_in(done.stdout + done.stderr) == set()
        yield folder


def show_as_text(results: Path, commands: list[list[object]], forged: bool = False) -> None:
    with closing(sqlite3.connect(results / "arena.sqlite")) as store:
        (game,) = store.execute("SELECT id FROM game ORDER BY id").fetchone()
    for command, *more in commands:
        words = [str(game) if word == "GAME" else word for word in more]
        done = main(command, results, *words, forged=forged)
        assert raw_in(done.stdout + done.stderr) == set(), (command, *more)


@pytest.mark.whole
def test_whoever_named_a_bot_every_command_shows_what_it_says_as_text(hostile: Path) -> None:
    show_as_text(hostile / "results" / "cup", COMMANDS + FORMATS)


def told(column: str) -> str:
    reason = Reason(
        "error", HOSTILE, error=HOSTILE, rule=HOSTILE, about=HOSTILE, traceback=HOSTILE,
        places=(Place(HOSTILE, 1, HOSTILE, HOSTILE),), phase=HOSTILE, view=HOSTILE,
    )  # fmt: skip
    forms: dict[str, object] = {"reason": reason, "ends": [(1, reason)], "notes": [HOSTILE]}
    return msgspec.json.encode(forms[column]).decode() if column in forms else HOSTILE


@pytest.mark.whole
@pytest.mark.parametrize(
    "column",
    ["bot.name", "bot.hash", "pool.game", "pool.options", "pool.partners", "game.id", "game.deal",
     "game.ranks", "game.scores", "fault.kind", "fault.reason", "fault.action_number",
     "timing.versions", "timing.ends", "timing.notes", "timing.printed", "meta.value"],
)  # fmt: skip
def test_whatever_a_store_says_is_shown_as_text(hostile: Path, tmp_path: Path, column: str) -> None:
    results = shutil.copytree(hostile / "results" / "cup", tmp_path / "cup")
    table, _, name = column.partition(".")
    with sqlite3.connect(results / "arena.sqlite") as store:
        (key,) = store.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE pk").fetchone()
        first = f"(SELECT min({key}) FROM {table})"
        store.execute(f"UPDATE {table} SET {name} = ? WHERE {key} = {first}", (told(name),))
        store.execute(
            "UPDATE fault SET reason = json_set(reason, '$.kind', kind) WHERE reason != ''"
        )
    store.close()
    show_as_text(results, COMMANDS + FORMATS * (table in ("bot", "pool")), forged=True)


@pytest.mark.parametrize("command", [["judge"], ["judge", "--json"], ["replay"]])
def test_whatever_a_record_says_is_shown_as_text(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / HOSTILE.replace("/", "")
    record = json.loads(EXAMPLES.read_text().splitlines()[0])
    parts = ("v", "game", "players", "options", "setup", "actions", "rounds", "result", "meta")
    for hostile in ({HOSTILE: 1}, *({part: HOSTILE} for part in parts),
                    {"options": {HOSTILE: HOSTILE}}, {"setup": {HOSTILE: 1}},
                    {"actions": [[0, HOSTILE]]}, {"actions": [[HOSTILE, "take"]]},
                    {"rounds": [{HOSTILE: HOSTILE}]}, {"result": {HOSTILE: 1}},
                    {"result": {"ranks": HOSTILE}}, {"meta": {"bots": [HOSTILE] * 5}}):  # fmt: skip
        file.write_text(json.dumps(record | hostile))
        done = main(*command, file)
        assert raw_in(done.stdout + done.stderr) == set(), hostile
    file.write_text("x" + HOSTILE)
    assert raw_in(main(*command, file).stderr) == set()


def test_files_are_named_as_text(tmp_path: Path) -> None:
    own = tmp_path / "bots" / "eve"
    spoil: list[Callable[[], object]] = [
        lambda: (tmp_path / "bots" / f"{HOSTILE}.py").touch(),
        lambda: (own / HOSTILE).symlink_to("/etc/passwd"),
        lambda: (own / HOSTILE).symlink_to("/etc"),
        lambda: os.mkfifo(own / HOSTILE),
        lambda: (own / f"{HOSTILE}\udcff").touch(),
    ]
    for each in spoil:
        config = make(tmp_path, CONFIG)
        own.mkdir()
        (own / "bot.py").write_text(source("first"))
        each()
        done = main("tournament", config, "--dry-run")
        assert (done.stderr != b"", raw_in(done.stdout + done.stderr)) == (True, set())
        shutil.rmtree(tmp_path / "bots")


def test_keys_and_values_of_a_config_are_shown_as_text(tmp_path: Path) -> None:
    quoted = json.dumps(HOSTILE)
    for text in (
        f"{quoted} = 1\n{CONFIG}", f"name = {quoted}\n{CONFIG}", f"bots = [{quoted}]\n{CONFIG}",
        f"{CONFIG}gauntlet = {quoted}\n", f"{CONFIG}[games.options]\n{quoted} = 1\n",
        f"{CONFIG}[{quoted}]\n", f"{CONFIG}x = {HOSTILE}\n",
    ):  # fmt: skip
        done = main("tournament", make(tmp_path, text.replace("\x7f", "\\u007f")))
        assert (done.returncode, raw_in(done.stderr)) == (2, set()), text


def test_words_of_a_command_are_shown_as_text(tmp_path: Path) -> None:
    make(tmp_path)
    for words in (
        [HOSTILE], ["judge", HOSTILE], ["judge", "x", HOSTILE], ["judge", f"--{HOSTILE}"],
        ["replay", HOSTILE], ["standings", HOSTILE], ["standings", "x", "--format", HOSTILE],
        ["tournament", HOSTILE], ["match", HOSTILE, HOSTILE],
        ["match", "x", "y", "--game", HOSTILE], ["match", "x", "y", "--with", HOSTILE],
        ["export", HOSTILE, "--to", "x"], ["records", HOSTILE, "--output", HOSTILE],
        ["logs", HOSTILE, HOSTILE],
    ):  # fmt: skip
        done = main(*words, cwd=tmp_path)
        assert done.returncode
        assert (done.stderr != b"", raw_in(done.stderr)) == (True, set()), words


FAILS = f"""\
import arena.__main__, arena.cli.app as app
def fail(): raise LookupError({HOSTILE!r})
app.main = fail
arena.__main__.main()
"""


@pytest.mark.whole
def test_on_a_terminal_too_names_are_text_and_so_are_tracebacks(tmp_path: Path) -> None:
    """typer leaves some codes out where its stream is no terminal."""
    config = make(tmp_path, bots={})
    (tmp_path / "bots" / f"{HOSTILE}.py").touch()
    for words, told in (
        (["-m", "arena", "tournament", str(config)], b"a bot's name is 1 to 32"),
        (["-c", FAILS], b"LookupError: \\x1b]0;mine"),  # an error of ours that quotes a stranger
    ):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT
        ):
            os.close(theirs)
            shown = b""
            with suppress(OSError):  # EIO: the program was the last that held the terminal
                while some := os.read(ours, 1 << 16):
                    shown += some
        os.close(ours)
        assert (told in shown, raw_in(shown.replace(b"\r\n", b"\n"))) == (True, set()), shown


"""Who prints: what all words go through, and the last word."""


def test_words_are_printed_in_one_place_and_each_line_by_itself() -> None:
    """No command need think of escapes. A line's end in a text is one: it might be a name's."""
    prints = {"print", "typer.echo", "typer.secho", "sys.stdout.write", "sys.stderr.write"}
    printing, joined = set[str](), set[str]()
    for file in (ROOT / "arena").rglob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text()))
        for node in (node for node in nodes if isinstance(node, ast.Call)):
            called = ast.unparse(node.func)
            if called in prints:
                printing.add(str(file.relative_to(ROOT)))
            if called in ("say", "out") or called.endswith("Error"):
                texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
                if any(isinstance(text, str) and "\n" in text for text in texts):
                    joined.add(f"{file}:{node.lineno}")
    read = {
        "arena/author/tree_reader.py",
        "arena/tuning/variants.py",
    }  # bots
    assert printing - read == {"arena/cli/terminal.py", "arena/__main__.py"}
    assert joined == set()


@pytest.mark.parametrize(
    ("columns", "terminals", "width"),
    [
        ("", {1: 90, 2: 100}, 90), ("", {2: 100}, 100),  # output goes through a pipe
        ("", {}, 120), ("", {1: 20}, 60), ("80", {1: 100}, 80), ("no number", {1: 100}, 100),
    ],
)  # fmt: skip
def test_tables_are_as_wide_as_the_terminal_that_they_end_on(
    monkeypatch: pytest.MonkeyPatch, columns: str, terminals: dict[int, int], width: int
) -> None:
    def size_of(stream: int) -> os.terminal_size:
        if stream not in terminals:
            raise OSError("no terminal")
        return os.terminal_size((terminals[stream], 24))

    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(os, "get_terminal_size", size_of)
    assert terminal.width() == width


CALLS = {
    "/home/ann/.cache/uv/archive-v0/-QfwKZog5o9SJ8MA/bin/arena": "uvx botarena",
    "/home/ann/.cache/pipx/a63871462c4b4ec/bin/botarena": "pipx run botarena",
    "/lib/python3/site-packages/arena/__main__.py": "python3 -m arena",
    "/home/ann/a b/.venv/bin/arena": "'/home/ann/a b/.venv/bin/arena'",
    "/usr/bin/pytest": "arena",
}
"""What `sys.argv` begins with (seen with uv 0.13.9, pipx 1.18.4 and 1.1.0), and what was typed."""


@pytest.mark.parametrize(("called", "typed"), CALLS.items())
def test_hints_call_it_as_one_did(called: str, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-m", "arena"])
    said = terminal.rewrite_commands("run `arena verify`, or: botarena --help")
    assert said == f"run `{typed} verify`, or: {typed} --help"


def test_all_commands_are_known_and_nothing_else_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["botarena"])
    for name in load_commands():
        assert terminal.rewrite_commands(f"`arena {name} x`") == f"`botarena {name} x`"
    for other in ("this arena reads", "arena: failed", "arena 0.1.0", "my-arena check"):
        assert terminal.rewrite_commands(other) == other


def test_a_path_that_begins_with_a_dash_is_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arena").touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "arena")])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert terminal.find_program() == "arena"  # on the path, that is its name
    monkeypatch.chdir(tmp_path)
    assert terminal.near(Path("-lg", "my cup")) == "'./-lg/my cup'"
    assert terminal.near(tmp_path / "-lg") == "./-lg"


def test_a_printed_command_can_be_pasted_whatever_the_folders_are_called(tmp_path: Path) -> None:
    league, results = tmp_path / "my cup (2)", Path("my cup (2)", "results", "cup")
    fails = "def decide(view): return 1 // 0\n"
    config = make(league, CONFIG, {"ann": source("first"), "bob": fails, "cid": source("first")})
    for words in (
        ("init", "my cup (3)"), ("tournament", config), ("faults", results),
        ("logs", results, "bob"), ("watch", results), ("games", results, "--bot", "ann", "--lost"),
        ("rerun", results, "ann"),
    ):  # fmt: skip
        if words[0] == "rerun":
            (league / "bots" / "ann.py").write_text("def decide(view): return view.legal[-1]\n")
        done = main(*words, cwd=tmp_path)
        printed = re.findall(r"(?:arena|cd) .*my.*", (done.stdout + done.stderr).decode())
        assert printed, words
        for line in printed:
            assert "my" not in shlex.split(line.replace("`", "")), line
