"""Plays many variants of one bot side by side: copied, and loaded as a bot behind the walls.

The bot's code lies beside it as text, with the values of each variant: they replace the first of
each three in `TUNE` before the code is run, so that what it computes at the start follows. The
number of a game's table says which variant plays there. Without variants it prints what `TUNE`
says, and where each value stands, or why it cannot be read.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import TextIOBase
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

HERE = Path(__file__).parent
CODE = (HERE / "_arena_subject.txt").read_bytes()
VARIANTS = json.loads((HERE / "_arena_variants.json").read_bytes())
KINDS = ("decide", "decide_many", "Bot")


def find_numbers(tree: ast.Module) -> Iterator[tuple[str, ast.Tuple]]:
    """Yield the names in the literal `TUNE`, each with its value, low and high. Raises ValueError
    where it is not of that form.
    """
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="TUNE")], value=table)
                | ast.AnnAssign(target=ast.Name(id="TUNE"), value=table)
            ):
                rows: list[Any] = [(node, table)]
                if isinstance(table, ast.Dict):
                    rows = [*zip(table.keys, table.values, strict=True)]
                for row in rows:
                    match row:
                        case ast.Constant(value=str(name)), ast.Tuple(elts=[_, _, _]) as numbers:
                            yield name, numbers
                        case key, _:
                            line = getattr(key or table, "lineno", 1)
                            raise ValueError(f'line {line}: write {{"name": (value, low, high)}}')


def run(values: dict[str, float]) -> dict[str, Any]:
    """Run the code with these values, and modules beside it that it imports; what it defines."""
    tree = ast.parse(CODE)
    for name, row in find_numbers(tree):
        row.elts[0] = ast.copy_location(ast.Constant(values[name]), row.elts[0])
    before, module = {**sys.modules}, ModuleType("bot")
    vars(module).update(__file__=__file__, __package__=__package__, __spec__=__spec__)
    sys.modules["bot"] = module
    exec(compile(tree, __file__, "exec"), vars(module))
    for name in {*sys.modules} - {*before}:  # the next variant's are others
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(HERE)):
            del sys.modules[name]
            vars(sys.modules.get(__package__ or "", module)).pop(name.rpartition(".")[2], None)
    return vars(module)


class Variant:
    """The bot of a game: the variant of the game's table."""

    def __new__(cls, game: Any) -> Any:
        """Make that variant's own."""
        return given[game._table % len(given)](game)

    def decide(self, view: Any) -> object:
        """Never asked."""
        return view.legal[0]


def decide_one(view: Any) -> object:
    """Ask the variant of the view's table."""
    return given[view.table % len(given)](view)


def decide_all(views: Sequence[Any], rngs: Sequence[Any]) -> list[object]:
    """Ask each variant for the views of its tables."""
    answers: list[object] = [None] * len(views)
    for number, variant in enumerate(given):
        places = [at for at, view in enumerate(views) if view.table % len(given) == number]
        if places:
            decisions = variant([views[at] for at in places], [rngs[at] for at in places])
            for at, decision in zip(places, decisions, strict=True):
                answers[at] = decision
    return answers


def load(values: dict[str, float]) -> Callable[..., Any]:
    """Give the bot of these values; one that fails where they make it fail while it loads."""
    try:
        module = run(values)
    except Exception as error:
        failure = error

        def fail(*_: object) -> NoReturn:
            raise failure

        return fail
    bot: Callable[..., Any] = next(module[kind] for kind in KINDS if kind in module)
    return bot


def read(row: ast.Tuple) -> list[object]:
    """The three numbers, and where the first of them stands. Raises ValueError."""
    three: list[object] = []
    with suppress(ValueError):
        three += ast.literal_eval(row)
    if not all(type(one) in (int, float) for one in three) or not three:
        raise ValueError(f"line {row.lineno}: found what is no number; write it out")
    spot = row.elts[0]
    return [*three, spot.lineno, spot.col_offset, spot.end_lineno, spot.end_col_offset]


class Nowhere(TextIOBase):
    """Takes what variants print."""

    def write(self, text: str) -> int:
        """Drop it."""
        return len(text)


if VARIANTS:
    sys.stdout = sys.stderr = Nowhere()
    kind = next(kind for kind in KINDS if kind in run(VARIANTS[0]))
    given = [load(values) for values in VARIANTS]
    globals()[kind] = {"decide": decide_one, "decide_many": decide_all, "Bot": Variant}[kind]
else:
    decide = decide_one
    try:
        for name, row in find_numbers(ast.parse(CODE)):
            print("TUNE", json.dumps([name, *read(row)]))
    except SyntaxError as error:
        print("TUNE", json.dumps([f"line {error.lineno}: {error.msg}"]))
    except ValueError as error:
        print("TUNE", json.dumps([str(error)]))
