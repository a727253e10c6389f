"""Long records are built by keyword: nothing tells a reader which of seven values is which."""

import ast
from collections.abc import Collection
from pathlib import Path

from tests.architecture import sources
from tests.places import ROOT

MOST_FIELDS = 6  # of a class that may be built in any way
MOST_IN_A_ROW = 4  # values without a keyword, of a class with more fields

HOT = {("arena.store.scan", "StoredGame"): "built for each stored game: keywords take 0.6 us of 10"}
"""Classes that are built by position all the same, with the reason."""


def name_of(file: Path) -> str:
    """A module's dotted name: `arena.store.scan`, `games.sixteen`."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def count_fields(node: ast.ClassDef) -> int:
    """The number of fields of a named tuple, a struct or a dataclass; 0 of another class."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    decorators = " ".join(map(ast.unparse, node.decorator_list))
    if not bases & {"NamedTuple", "Struct"} and "dataclass" not in decorators:
        return 0
    annotations = [line.annotation for line in node.body if isinstance(line, ast.AnnAssign)]
    return sum("ClassVar" not in ast.unparse(annotation) for annotation in annotations)


def find_names(file: Path, tree: ast.Module, long: Collection[tuple[str, str]]) -> set[str]:
    """The names of long classes in a file: its own, imported ones, and those of its modules."""
    names = {name for home, name in long if home == name_of(file)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                known, home = alias.asname or alias.name, f"{node.module}.{alias.name}"
                names |= {known} if (node.module, alias.name) in long else set()
                names |= {f"{known}.{name}" for module, name in long if module == home}
    return names


def test_long_records_are_built_by_keyword() -> None:
    trees = {file: ast.parse(file.read_text()) for file in sources("arena") + sources("games")}
    long = {
        (name_of(file), node.name)
        for file, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and count_fields(node) > MOST_FIELDS
    }
    wrong = []
    for file, tree in trees.items():
        names = find_names(file, tree, long - HOT.keys())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                in_a_row = [value for value in node.args if not isinstance(value, ast.Starred)]
                if len(in_a_row) > MOST_IN_A_ROW:
                    wrong.append(f"{file}:{node.lineno}: {ast.unparse(node.func)}")
    assert wrong == []
    assert HOT.keys() <= long
