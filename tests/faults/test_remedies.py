"""What first bots get wrong, and the words that help: those of `tests/first_bots/`."""

import shutil
import sys
from pathlib import Path

import pytest

import games
from arena.faults.kinds import FaultKind
from arena.faults.remedies import RENAMED, remedy
from arena.model import Place, Reason
from arena.testing import NoDecision, decide, view_of
from tests.leagues import main
from tests.places import ROOT
from tests.wrong_bots import MISTAKES, WrongBot, write_among

OF_EACH_KIND = {first.fault: first for first in MISTAKES}
"""All others are held by `arena check`, in `tests/author/test_check.py`."""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of one for each kind of fault, and of one who fills tables."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "bots").mkdir()
    (folder / "others").mkdir()
    shutil.copy(ROOT / "bots" / "first_legal.py", folder / "bots")
    shutil.copy(ROOT / "bots" / "random_choice.py", folder / "others")
    for first in OF_EACH_KIND.values():
        write_among(folder / "bots", first)
    return folder


@pytest.mark.whole
@pytest.mark.parametrize("first", OF_EACH_KIND.values(), ids=OF_EACH_KIND)
def test_a_match_of_a_first_bot_ends_with_what_to_do(
    first: WrongBot, league: Path, tmp_path: Path
) -> None:
    done = main(
        "match", first.name, "first_legal", "--game", "sixteen", "--game", "no_thanks",
        "--with", "others/*", "--games", 2, "--seed", 16,
        "--results", tmp_path / "results", "-q", cwd=league, environment={"COLUMNS": "120"},
    )  # fmt: skip
    shown, said = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, said
    if first.fault == "play on":
        assert said == ""
        return
    assert f"{first.name}: " in said
    assert first.note in said
    assert first.fault != "load" or f"{first.name} cannot be loaded" in shown
    assert f"{first.name} is better" not in shown


@pytest.mark.whole
@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("My First Bot.py", "rename it to my_first_bot.py"),
        ("main_py/main.py", "rename main.py to bot.py"),
    ],
)
def test_a_match_of_a_file_that_is_no_bot_says_what_to_rename(
    file: str, told: str, league: Path, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("def decide(view):\n    return view.legal[0]\n")
    given = path if path.parent == tmp_path else path.parent
    done = main("match", given, "first_legal", "--game", "sixteen", cwd=league)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


MESSY: dict[str, tuple[str | bytes, str]] = {
    "log file": ("import logging\nlogging.basicConfig(filename='bot.log')", "cannot write files"),
    "thread": ("import threading\nthreading.Thread(target=print).start()", "cannot start threads"),
    "input": ("while True:\n    line = input()", "arena calls decide(view)"),
    "pickled": ("import pickle\npickle.loads(b'c__main__\\nNet\\n)R.')", "move Net into a module"),
    "asyncio": ("import asyncio\nasync def f(): pass\nasyncio.run(f())", "without async and await"),
    "UTF-16 without a mark": ("import math".encode("utf-16-le"), "save the file as UTF-8"),
    "Latin-1": ("x = 'é'".encode("latin-1"), "save the file as UTF-8"),
    "notebook": ("%matplotlib inline", "line 1: remove this line of a notebook"),
    "chat": ("```python", "line 1: remove ```"),
    "quotes": ("x = \u201cyes\u201d", "retype this character"),
    "newer": ("lazy import json", "looks like Python 3.15, but arena runs Python 3."),
    "renamed": (
        "import games\ngames.load('sixteen').state_from",
        "games.sixteen.state_from is now games.sixteen.determinize",
    ),
    "renamed import": ("from games import told", "games.told is now games.summarize"),
    "a module by now": (
        "from games import sixteen\nsixteen.cards(sixteen.Options())", "cards(...) is now pack(...)"
    ),
    "no game's name": ("from games import tolled", "is the name misspelled"),
    "newer library": ("from itertools import later", "newer than this Python 3."),
    "elsewhere": ("open('/etc/passwd')", "can read only its own folder"),
    "key": ("import os\nKEY = os.environ['KEY']", "a bot gets no os.environ"),
    "core": ("import os\nos.sched_setaffinity(0, {0})", "the sandbox refuses this"),
    "relative": ("from .helper import best", "a folder: bots/ann/bot.py and bots/ann/helper.py"),
    "above": ("from ..common import x", "cannot see files outside its folder"),
}  # fmt: skip
"""By the mistake, what a bot begins with, and a part of what is said."""
if sys.version_info < (3, 12):
    MESSY |= {
        text: (text, "looks like Python 3.12, but arena runs Python 3.11; use older syntax")
        for text in ("type X = int", "def f[T](x): pass", "class A[T]: pass", "x = f'{1['a']}'")
    }


@pytest.mark.usefixtures("kept_zygote")
@pytest.mark.parametrize("mistake", MESSY)
def test_what_else_goes_wrong_is_answered_with_what_to_do(mistake: str, tmp_path: Path) -> None:
    start, told = MESSY[mistake]
    bot = tmp_path / "ann.py"
    ending = "\ndef decide(view):\n    return view.legal[0]\n"
    bot.write_bytes((start.encode() if isinstance(start, str) else start) + ending.encode())
    view = view_of("sixteen", hand=["B0", "G2", "O4", "R6"])
    with pytest.raises(NoDecision) as raised:
        decide(bot, view, confined=True)
    assert told in str(raised.value).rpartition("remedy: ")[2]


OF_FOLDERS = {
    "from .hlper import f": "bots/kim has no hlper.py; is it misspelled?",
    "import kim.helper": "the bot's folder is the package: import its modules without `kim.`",
    "from . import SIZE": "the bot's folder has no module SIZE; its __init__.py is not run",
    "from ..common import f": "a bot cannot see files outside its folder; move them into it",
}


@pytest.mark.usefixtures("kept_zygote")
@pytest.mark.parametrize("start", OF_FOLDERS)
def test_a_folder_s_imports_are_set_right(start: str, tmp_path: Path) -> None:
    folder = tmp_path / "kim"
    folder.mkdir()
    (folder / "helper.py").write_text("def f(): pass\n")
    (folder / "__init__.py").write_text("SIZE = 3\n")
    (folder / "bot.py").write_text(f"{start}\n\ndef decide(view):\n    return view.legal[0]\n")
    with pytest.raises(NoDecision) as raised:
        decide(folder, view_of("sixteen", hand=["B0", "G2", "O4", "R6"]), confined=True)
    assert str(raised.value).rpartition("remedy: ")[2] == OF_FOLDERS[start]


def refused(code: str, what: str, error: str = "PermissionError", kind: FaultKind = "load") -> str:
    return remedy(Reason(kind, what, error=error, places=(Place("bot.py", 1, "", code),)))


def test_an_import_at_the_top_is_not_to_be_moved_there() -> None:
    path = "[Errno 13] Permission denied: '/home/ann/.local/lib/python3.11/site-packages/numpy/ma'"
    assert "install it in the environment that arena runs in" in refused("import numpy.ma", path)
    late = refused("import numpy.ma", path, kind="error")
    assert late == "move the import to the top of the file: no import works during play"
    missing = "libfast.so: failed to map segment from shared object"
    assert "set TMPDIR to another" in refused("import fast", missing, "ImportError")
    apart = "libmine.so.1: cannot open shared object file: No such file or directory"
    assert "libmine.so.1 is missing, or bots cannot" in refused("import fast", apart, "OSError")


@pytest.mark.parametrize("name", ["tkinter", "_ctypes", "winreg"])
def test_a_part_of_python_that_is_missing_is_not_taken_for_a_slip(name: str) -> None:
    told = refused(f"import {name}", f"No module named '{name}'", "ModuleNotFoundError")
    assert told.startswith(f"{name} is missing from this Python 3.")


@pytest.mark.parametrize("name", ["asyncore", "distutils", "imp", "nntplib", "spwd"])
def test_a_part_that_python_had_once_is_not_taken_for_a_slip(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdlib_module_names", sys.stdlib_module_names - {name})
    told = refused(f"import {name}", f"No module named '{name}'", "ModuleNotFoundError")
    assert told.startswith(f"{name} is not installed where arena runs")


def test_a_name_like_one_of_python_is_a_slip() -> None:
    what = "No module named 'math.sqrt'; 'math' is not a package"
    assert refused("import math.sqrt", what, "ModuleNotFoundError") == "did you mean 'math'?"


def test_what_takes_long_once_belongs_where_there_is_time() -> None:
    told = refused("t += i", "over the time limit: 100 ms a decision", "", "time")
    assert "an endless loop or a sleep?" in told
    assert "at the top of the file, where the limit is load_ms" in told


def test_a_process_that_was_lost_while_loading_is_tried_again() -> None:
    assert "run again" in remedy(Reason("load", "killed by SIGKILL", how="memory"))
    assert remedy(Reason("crash", "killed by SIGSEGV")) == ""


@pytest.mark.parametrize("old", RENAMED)
def test_a_renamed_name_is_there_under_its_new_one(old: str) -> None:
    modules = [games.load(name) for name in games.names()]
    states = [module.State for module in modules]
    assert any(hasattr(place, RENAMED[old]) for place in (games, *modules, *states))
    assert not any(hasattr(place, old) for place in (games, *modules, *states))
