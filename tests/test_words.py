"""Words inside the code: names that name the thing, and docstrings that begin with it.

`tests/test_said.py` has the words that users read.
"""

import ast
import re
from collections.abc import Iterator

from tests.places import ROOT

QUESTIONS = {"What", "How", "Where", "Whether", "Why", "Which"}
NAMELESS = {"each", "own", "found", "said", "made", "kept", "whose"}
"""Names that stand for anything: `problems`, `override` or `answer` say more."""

IRREGULAR = set(
    "cut dealt drawn found given heard kept left lost made met said sent shown told won".split()
)
PARTICIPLES = {
    "arena/cli/progress.py: looked": "a report of what has happened",
    "arena/cli/progress.py: played": "a report of what has happened",
    "arena/progress.py: looked": "a report of what has happened",
    "arena/progress.py: played": "a report of what has happened",
    "arena/runner/run.py: cut": "the verb",
    "arena/sandbox/wire.py: cut": "the verb",
    "arena/values.py: rounded": "`round` is Python's",
    "games/kit/state.py: shuffled": "as `sorted`: `random.shuffle` changes its list",
}
"""Public functions that are called as a participle is, and the reason."""

FILES = sorted([*ROOT.glob("arena/**/*.py"), *ROOT.glob("games/**/*.py")])


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the names that a module gives, but for fields, which are JSON's or a template's."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    annotated = (part for node in classes for part in node.body if isinstance(part, ast.AnnAssign))
    fields = {part.target for part in annotated}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) if node not in fields:
                yield node.lineno, name


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield docstrings, and the strings that stand after a constant as its docstring."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def participles(tree: ast.AST) -> Iterator[str]:
    """Yield public functions and methods called `checked`, but for properties."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name, decorator_list=decorators):
                is_property = any(getattr(one, "id", "") == "property" for one in decorators)
                if not is_property and (name in IRREGULAR or re.fullmatch("[a-z]+(?<!se)ed", name)):
                    yield name


def test_names_name_the_thing_and_docstrings_begin_with_it() -> None:
    wrong, public = [], set()
    for file in FILES:
        tree, place = ast.parse(file.read_text("utf-8")), file.relative_to(ROOT)
        nameless = [(line, name) for line, name in names(tree) if name.strip("_") in NAMELESS]
        asking = [(line, text) for line, text in texts(tree) if text.split()[0] in QUESTIONS]
        wrong += [(str(place), *found) for found in nameless + asking]
        public |= {f"{place}: {name}" for name in participles(tree)}
    assert wrong == []
    assert public == PARTICIPLES.keys()


def test_what_says_nothing_is_seen() -> None:
    tree = ast.parse(
        'X = 1\n"""Where x is."""\n\n\ndef told(own):\n    for each in own: pass\n\n\n'
        "class Row:\n    found: int\n\n    @property\n    def failed(self): pass\n"
    )
    assert {name for _, name in names(tree)} & NAMELESS == {"own", "each"}
    assert [text for _, text in texts(tree)] == ["Where x is."]
    assert [*participles(tree)] == ["told"]
