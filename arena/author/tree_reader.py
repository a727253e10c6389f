"""Reads a bot's syntax trees where it can do no harm: copied, and loaded as a bot behind the walls.

The files of bots lie beside it, a folder each, and are parsed, never run. It prints a line for each
bot, and one for each statement at the top of its files: the digest of its tree, and its parts. Left
out are comments, docstrings, layout, annotations and imports; names of the bot's own are numbered
in the order of the statement.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_LINES = 2_000
INTERFACE = {"decide", "decide_many", "Bot", "end", "self"}
LEFT_OUT = {"annotation", "returns", "type_comment", "ctx", "kind", "simple", "type_params"}


def find_names(tree: ast.AST) -> tuple[set[str], set[str]]:
    """Find the names that a module gives, and those of attributes and methods; but for those of the
    interface.
    """
    names: set[str] = set()
    attributes: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                attributes.add(name)
        if isinstance(node, ast.ClassDef):
            attributes |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    return names - INTERFACE, attributes - INTERFACE


def flatten(
    node: Any, names: tuple[set[str], set[str]], seen: dict[str, int], place: Any = None
) -> Iterator[str]:
    """Yield the parts of a tree, its own names as numbers; `place` is what a part is of."""
    if isinstance(node, list):
        for item in node:
            is_text = isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
            if not is_text:
                yield from flatten(item, names, seen, place)
        yield "]"
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield from flatten(ast.Assign([node.target], node.value), names, seen)
    elif isinstance(node, ast.AST):
        yield type(node).__name__
        for field, value in ast.iter_fields(node):
            if field not in LEFT_OUT:
                yield from flatten(value, names, seen, node)
    elif (
        isinstance(node, str)
        and not isinstance(place, ast.Constant)
        and node in names[isinstance(place, ast.Attribute)]
    ):
        yield str(seen.setdefault(node, len(seen)))
    else:
        yield repr(node)


def read(path: Path) -> Iterator[str]:
    """Yield a line for each statement at the top of a file."""
    tree = ast.parse(path.read_bytes())
    names = find_names(tree)
    for statement in tree.body:
        parts = [*flatten([statement], names, {})]
        if len(parts) > 1 and not isinstance(statement, ast.Import | ast.ImportFrom):
            digest = hashlib.sha256(" ".join(parts).encode()).hexdigest()
            yield f"{digest[:16]} {len(parts)}"


for folder in sorted(
    Path(__file__).with_name("subjects").iterdir(), key=lambda path: int(path.name)
):
    lines: list[str] = []
    for file in sorted(folder.rglob("*.py")):
        try:
            lines += read(file)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # it does not load either
    print(f"subject {folder.name}", *lines[:MOST_LINES], sep="\n")
print("subject end")


def decide(view: Any) -> Any:
    """Never asked."""
    return view.legal[0]
