"""A bot's folder is a package: however its modules import each other, there is one of each."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.testing import NoDecision, decide, play, view_of

pytestmark = pytest.mark.usefixtures("kept_zygote")

VIEW = view_of("sixteen", hand=["B0", "G2", "O4", "R6"])

LOADERS: dict[str, Callable[[Path], object]] = {
    "sandbox": lambda path: decide(path, VIEW, confined=True),
    "decide": lambda path: decide(path, VIEW, confined=False),
    "play": lambda path: play("sixteen", [path, path]),
}
ENDING = "\ndef decide(view):\n    return view.legal[0]\n"
ONE_OF_EACH = {
    "both ways": {
        "bot.py": "import helper\nfrom . import helper as own\nfrom .helper import f\n"
        "assert own is helper and f is helper.f",
        "helper.py": "def f(): pass",
    },
    "below": {
        "bot.py": "from .sub.mod import x\nimport sub.mod\nfrom . import sub as own\n"
        "from sub import mod\nassert own is sub and sub.mod is mod and mod.x is x",
        "sub/__init__.py": "",
        "sub/mod.py": "from .. import helper\nfrom . import other\nfrom .other import X as x\n"
        "import helper as plain\nassert plain is helper",
        "sub/other.py": "from ..helper import LIST as X",
        "helper.py": "LIST = []",
    },
    "below, in a folder without __init__.py": {
        "bot.py": "import sub.mod\nfrom .sub.mod import x\nfrom .sub.deep.down import y\n"
        "import sub.deep.down\n"
        "assert sub.mod.x is x and sub.deep.down.y is y\nfrom . import sub as own\n"
        "assert own is sub",
        "sub/mod.py": "from ..helper import LIST as x",
        "sub/deep/down.py": "from ...helper import LIST as y",
        "helper.py": "LIST = []",
    },
    "in a circle": {
        "bot.py": "from . import one\nimport one as plain\nassert plain is one",
        "one.py": "from . import two, zeta\nX = 1\ndef f(): return two.f()",
        "zeta.py": "",
        "two.py": "import one\nfrom . import one as own\nassert own is one\ndef f(): return one.X",
    },
    "the bot itself": {
        "bot.py": "X = []\nfrom .helper import X as y\nassert X is y",
        "helper.py": "from .bot import X\nfrom . import bot as own\nimport bot\nassert bot is own",
    },
    "a name of Python's": {
        "bot.py": "import random\nfrom . import random as own\nfrom .json import tools\n"
        "import json, pickle\n"
        "assert random.random and json.loads and not hasattr(own, 'choices')\n"
        "assert type(pickle.loads(pickle.dumps(own.Thing()))) is own.Thing\n"
        "assert type(pickle.loads(pickle.dumps(tools.Thing()))) is tools.Thing",
        "random.py": "class Thing: pass",
        "json/__init__.py": "",
        "json/tools.py": "from . import more\nclass Thing: pass",
        "json/more.py": "",
    },
    "a module that fails is not half there": {
        "bot.py": "for _ in 1, 2:\n    try:\n        import helper\n    except ValueError:\n"
        "        pass\n    else:\n        raise AssertionError\n    try:\n"
        "        from .helper import X\n    except ValueError:\n        pass\n    else:\n"
        "        raise AssertionError",
        "helper.py": "X = 1\nraise ValueError",
    },
    "a folder of data, named like a library": {
        "bot.py": "import importlib.resources, sqlite3\nassert sqlite3.connect\n"
        "for name in 'data', __package__ + '.data':\n"
        "    assert importlib.resources.files(name).joinpath('x.txt').read_text().strip() == '1'\n"
        "here = importlib.resources.files(__package__)\n"
        "assert here.joinpath('x.txt').read_text().strip() == '2'",
        "sqlite3/x.txt": "",
        "data/x.txt": "1",
        "x.txt": "2",
    },
}
"""By what is tried, a folder's files; `bot.py` looks at what it got."""


@pytest.fixture(params=LOADERS)
def load(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    return LOADERS[request.param]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + (ENDING if name == "bot.py" else "\n"))
    return folder


@pytest.mark.parametrize("files", ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_there_is_one_of_each_module(
    files: dict[str, str], load: Callable[[Path], object], tmp_path: Path
) -> None:
    modules, path, finders = {*sys.modules}, sys.path[:], sys.meta_path[:]
    load(write(tmp_path / "kim", files))
    assert (sys.path, sys.meta_path) == (path, finders)
    names = {"bot", "this_bot", "helper", "sub", "one", "two", "zeta", "data"}
    assert not {name for name in {*sys.modules} - modules if name.split(".")[0] in names}


def test_two_bots_have_a_module_each(load: Callable[[Path], object], tmp_path: Path) -> None:
    for number in 1, 2:
        text = f"from .sub.helper import X\nassert X == {number}"
        load(write(tmp_path / f"{number}", {"bot.py": text, "sub/helper.py": f"X = {number}"}))


def test_a_bot_of_one_file_is_no_package(load: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("")
    single = tmp_path / "ann.py"
    alone = "import sys\nassert not __package__ and 'this_bot' not in sys.modules"
    single.write_text(alone + ENDING)
    load(single)
    single.write_text("from . import helper" + ENDING)
    with pytest.raises((NoDecision, ImportError), match="no known parent package"):
        load(single)


def test_a_traceback_has_the_bot_s_own_lines_alone(tmp_path: Path) -> None:
    """As one without relative imports has: none of the machinery that finds its modules."""
    files = {"bot.py": "from . import helper", "helper.py": "import other", "other.py": "1 / 0"}
    kim = write(tmp_path / "kim", files)
    with pytest.raises(NoDecision) as confined:
        decide(kim, VIEW, confined=True)
    lines = re.findall(r'(?m)^  File "(.*)",', str(confined.value))
    assert lines == ["bot.py", "helper.py", "other.py"]
    with pytest.raises(ZeroDivisionError) as raised:
        decide(kim, VIEW, confined=False)
    files_of = [entry.path for entry in raised.traceback][-3:]
    assert files_of == [kim / "bot.py", kim / "helper.py", kim / "other.py"]
