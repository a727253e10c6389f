"""Reads bots' syntax trees where it can do no harm: copied, and loaded as a bot behind the walls.

The code of bots lies beside it, a folder each, and is parsed, never run. It prints a line for each
bot, and one for each statement at the top of its files: the digest of its tree, that of the tree
without its numbers, and its parts. Left out are comments, docstrings, layout, annotations and
imports. A name of the bot's own is numbered, in the order of the statement, or stands for what the
one statement at the top says that binds it.
"""

import ast
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games

MOST_LINES = 2_000  # of a bot; one with more is not compared
INTERFACE = {"decide", "decide_many", "Bot", "end"}
LEFT_OUT = {"annotation", "returns", "type_comment", "ctx", "kind", "simple", "type_params"}
VIEWS = {field for name in games.names() for field in games.load(name).View._fields}
sys.setrecursionlimit(20_000)  # an `elif` lies within the one before

Parts = Iterator[str]


def bind(statement: ast.AST) -> list[str]:
    """Find the names that a statement of a module or a class binds, in its order."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name] if name not in INTERFACE else []
        case ast.Assign(targets=targets):
            every = [node for target in targets for node in ast.walk(target)]
            return [node.id for node in every if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


class Reader:
    """Reads the trees of a bot, with its numbers or without."""

    def __init__(self, trees: dict[str, ast.Module], numbers: bool) -> None:
        self.numbers, self.me = numbers, ""  # what the method calls its object
        self.names: set[str] = set()
        self.arguments: set[str] = set()
        self.fields: set[str] = set()
        self.imported: dict[str, str] = {}
        self.meant: dict[str, str] = {}
        for node in (node for tree in trees.values() for node in ast.walk(tree)):
            match node:
                case ast.Import(names=names):
                    self.imported |= {one.asname or one.name: one.name for one in names}
                case ast.ImportFrom(module=module, names=names) if module not in trees:
                    self.imported |= {
                        one.asname or one.name: f"{module}.{one.name}" for one in names
                    }
                case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                    self.names.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    self.names.add(name)
                case ast.arg(arg=name):
                    self.arguments.add(name)
                case ast.FunctionDef() | ast.ClassDef():
                    self.names.update(bind(node))
            if isinstance(node, ast.ClassDef):
                self.fields |= {name for part in node.body for name in bind(part)} - VIEWS
        self.names |= self.arguments
        tops = [statement for tree in trees.values() for statement in tree.body]
        bound = Counter(name for statement in tops for name in bind(statement))
        self.meant = {
            name: f"{at} of {self.digest(statement)[0]}"
            for statement in tops for at, name in enumerate(bind(statement)) if bound[name] == 1
        }  # fmt: skip
        self.digests = [self.digest(statement) for statement in tops]

    def digest(self, statement: ast.AST) -> tuple[str, int]:
        """The digest of a statement, and its parts."""
        parts = [*self.flatten([statement], {})]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16], len(parts)

    def flatten(self, node: Any, seen: dict[str, int], of: Any = None) -> Parts:
        """Yield the parts of a tree, which is `of` another."""
        match node:
            case list():
                for item in node:
                    if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)):
                        yield from self.flatten(item, seen, of)
                yield "]"
            case ast.Import() | ast.ImportFrom() | ast.AnnAssign(value=None):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from self.flatten(ast.Assign([target], value), seen)
            case ast.ClassDef(body=body, name=name):
                yield self.show(name, node, seen)
                yield from self.flatten([*node.bases, *node.decorator_list], seen)
                for parts in sorted([*self.flatten([part], {}, node)] for part in body):
                    yield from parts
            case ast.Constant(value=int() | float()) if not self.numbers:
                yield "number"
            case ast.Constant(value=value):
                yield repr(value)
            case ast.AST():
                if isinstance(node, ast.FunctionDef) and isinstance(of, ast.ClassDef):
                    self.me = next((one.arg for one in node.args.args), "")
                yield type(node).__name__
                for field, value in ast.iter_fields(node):
                    if field not in LEFT_OUT:
                        yield from self.flatten(value, seen, node)
            case str():
                yield self.show(node, of, seen)
            case _:
                yield repr(node)

    def show(self, name: str, of: ast.AST, seen: dict[str, int]) -> str:
        """A name as a part of what it is of."""
        if isinstance(of, ast.Attribute):
            of_me = isinstance(of.value, ast.Name) and of.value.id == self.me
            known, name = of_me or name in self.fields, f".{name}"
        elif isinstance(of, ast.keyword):
            known = name in self.arguments
        else:
            known = name in self.names
            if isinstance(of, ast.Name) and name in self.imported:
                return self.imported[name]
        if not known or name.startswith("__"):
            return repr(name)
        return self.meant.get(name) or str(seen.setdefault(name, len(seen)))


def read(folder: Path) -> list[str]:
    """Yield a line for each statement at the top of a bot's files."""
    trees: dict[str, ast.Module] = {}
    for file in sorted(folder.iterdir()):
        try:
            trees[file.name.partition("-")[2]] = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # it does not load either
    exact, alike = (Reader(trees, numbers).digests for numbers in (True, False))
    lines = [
        f"{digest} {shape} {parts}"
        for (digest, parts), (shape, _) in zip(exact, alike, strict=True)
        if parts > 1
    ]
    return lines if len(lines) <= MOST_LINES else []


for folder in sorted(
    Path(__file__).with_name("subjects").iterdir(), key=lambda path: int(path.name)
):
    try:
        lines = read(folder)
    except (RecursionError, MemoryError):
        lines = []
    print(f"subject {folder.name}", *lines, sep="\n")
print("subject end")


def decide(view: Any) -> Any:
    """Never asked."""
    return view.legal[0]
