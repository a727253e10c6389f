"""A first bot: what `arena new` writes, and `arena init` into a new league.

The texts lie in `templates/bots/`: the part of each kind, the part common to all kinds, and the
test.
"""

import sys
from keyword import iskeyword
from pathlib import Path
from typing import Literal

from arena.errors import UsageError
from arena.league.bots import BOTS, ENTRY_FILE, NAME, NAME_RULE, NO_BOT, suggest_name
from arena.system import write_tree
from arena.words import either

Kind = Literal["decide", "class", "numpy", "folder"]

TEMPLATES = Path(__file__).parent / "templates" / "bots"
DATA = "shares.csv"  # in a bot's folder
IMPORTED = sys.stdlib_module_names | {"arena", "games", "numpy"}  # imported by bots


def write(league: Path, name: str, kind: Kind) -> list[Path]:
    """Write a bot and its test into the `bots/` of a league's folder; return both paths.

    Raises UsageError for a name that no bot may have, and where such a file exists already.
    """
    wrong = problem(name)
    if wrong:
        raise UsageError(f"{name}: {wrong}")
    bots = league / BOTS
    for file in (f"{name}.py", name, test_of(name)):
        if (bots / file).exists():
            raise UsageError(f"{bots / file}: is there already; take another name, or remove it")
    write_tree(bots, files(name, kind))
    return [bots / (name if kind == "folder" else f"{name}.py"), bots / test_of(name)]


def files(name: str, kind: Kind) -> dict[str, bytes]:
    """The files of a new bot and its test, by path in `bots/`."""
    path = name if kind == "folder" else f"{name}.py"
    bot = _text(f"{kind}.py.in") + _text("rest.py.in")
    test = _text("test.py.in").replace("@NAME@", name).replace("@FILE@", path)
    tests = {test_of(name): test.encode()}
    if kind != "folder":
        return {path: bot.encode(), **tests}
    data = (TEMPLATES / DATA).read_bytes()
    return {f"{path}/{ENTRY_FILE}": bot.encode(), f"{path}/{DATA}": data, **tests}


def test_of(name: str) -> str:
    """The file name of a bot's test; no bot's name may start with `test_`."""
    return f"test_{name}.py"


def problem(name: str) -> str | None:
    """Why a new bot may not have this name, with a name that it may have; None if it may."""
    why = ""
    if name.startswith(NO_BOT):
        why = f"no bot's name starts with {either(NO_BOT)}"
    elif not NAME.fullmatch(name):
        why = NAME_RULE
    elif not name.isidentifier() or iskeyword(name):
        why = "Python cannot import a file of that name"
    elif name in IMPORTED:
        why = f"an `import {name}` of the bots beside it would find it"
    return f"{why}; take {_free_name(name)!r}" if why else None


def _free_name(name: str) -> str:
    """The nearest name that a new bot may have."""
    right = suggest_name(name.replace("-", "_"))
    if right[0].isdigit():
        right = f"bot_{right[:28]}"
    return f"{right[:28]}_bot" if iskeyword(right) or right in IMPORTED else right


def _text(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
