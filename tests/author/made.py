"""Bots that tests of several modules ask, and games with situations that can be made up."""

from pathlib import Path
from typing import Any

import games
from tests.games.cases import cases

CASES = [case for case in cases() if games.make_view(case.game, case.options, {}) is not None]
POOLS = (("diciassette", 3), ("no_thanks", 3), ("sixteen", 2), ("sixteen", 4))
OF_EACH_KIND = {
    "decide": "from random import choice\n\ndef decide(view):\n    return choice(view.legal)\n",
    "Bot": "class Bot:\n    def __init__(self, game): self.game = game\n"
    "    def decide(self, view):\n        assert view.options is self.game.options\n"
    "        return self.game.rng.choice(view.legal)\n",
    "decide_many": "def decide_many(views, rngs):\n"
    "    return [rng.choice(view.legal) for view, rng in zip(views, rngs)]\n",
}
MARKS = """\
try:
    open({mark!r}, "w").close()
except OSError:
    pass

def decide(view):
    return view.legal[0]
"""


def bot(folder: Path, source: str, name: str = "ann") -> Path:
    path = folder / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return path


def first(view: Any) -> str:
    return str(view.legal[0])


def last(view: Any) -> str:
    return str(view.legal[-1])


def run_tests(text: str) -> None:
    space: dict[str, Any] = {}
    exec(text, space)
    for name, test in [*space.items()]:
        if name.startswith("test_"):
            test()
