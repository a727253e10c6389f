"""A first bot: what `arena new` writes, and `arena init` into a new league.

The texts lie in `templates/bots/`: a kind's own part, what all kinds have in common, and the test.
"""

import sys
from pathlib import Path
from typing import Literal

from arena.author.together import put
from arena.errors import UsageError
from arena.hints import either
from arena.league.bots import BOTS, ENTRY_FILE, NAME, NAME_RULE, NO_BOT, right_name

Kind = Literal["decide", "class", "numpy", "folder"]

TEMPLATES = Path(__file__).parent / "templates" / "bots"
DATA = "shares.csv"  # of the folder
INSTALLED = {"arena", "games", "numpy"}  # that bots may import, beside the standard library


def write(league: Path, name: str, kind: Kind) -> list[Path]:
    """Write a bot and its test into the `bots/` of a league's folder; return their paths.

    Raises UsageError for a name that no bot may have, and where something is in the way.
    """
    wrong = problem(name)
    if wrong:
        raise UsageError(f"{name}: {wrong}")
    bots = league / BOTS
    for taken in (f"{name}.py", name, test_of(name)):
        if (bots / taken).exists():
            raise UsageError(f"{bots / taken}: is there already; take another name, or remove it")
    put(bots, files(name, kind))
    return [bots / (name if kind == "folder" else f"{name}.py"), bots / test_of(name)]


def files(name: str, kind: Kind) -> dict[str, bytes]:
    """Return the files of a new bot and its test, by path in `bots/`."""
    path = name if kind == "folder" else f"{name}.py"
    bot = _text(f"{kind}.py.in") + _text("rest.py.in")
    test = _text("test.py.in").replace("@NAME@", name).replace("@FILE@", path)
    tests = {test_of(name): test.encode()}
    if kind != "folder":
        return {path: bot.encode(), **tests}
    data = (TEMPLATES / DATA).read_bytes()
    return {f"{path}/{ENTRY_FILE}": bot.encode(), f"{path}/{DATA}": data, **tests}


def test_of(name: str) -> str:
    """Return the name of a bot's test, which is no bot by its name."""
    return f"test_{name}.py"


def problem(name: str) -> str | None:
    """Return why a new bot may not be called so, with a name that it may have; None if it may."""
    if name.startswith(NO_BOT):
        return f"no bot's name starts with {either(NO_BOT)}; take {right_name(name)!r}"
    if not NAME.fullmatch(name):
        return f"{NAME_RULE}; take {right_name(name)!r}"
    if name in sys.stdlib_module_names | INSTALLED:
        return f"an `import {name}` of the bots beside it would find it; take '{name[:28]}_bot'"
    return None


def _text(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
