"""What is not said: words over which readers of help, messages, pages and READMEs stumble.

Docstrings and comments of code are not checked: they are for those who read it. The help, which is
made of docstrings, is checked as `tests/expected/help.txt` keeps it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.places import EXPECTED, ROOT

NOT_SAID = {  # a pattern, and what to say instead
    r"nobody|no one|anybody|somebody": "a player, a user, any bot, all players",
    r"of which|of whom|whoever|whomever": "a sentence of its own",
    r"who compares|who organises|who wants": "to compare, the organiser, if you want",
    r"it was there when": "when time ran out",
    r"beside": "next to, in addition to, with",
    r"(?:is|are|was|be) told(?! apart)": "says, prints, lists",
    r"behind (?:\w+'s |the |its )?walls|(?:has no|without) walls|shut in": "in the sandbox",
    r"(?:is|are) there already": "exists already",
    r"anew": "again, over",
    r"otherwise than": "differently from",
    r"not happen any more": "no longer occurs",
    r"as it should be": "OK",
}
READ = {".html", ".md", ".in", ".toml", ".yml", ".js"}  # of templates; not their styles
PAGES = [
    *(page for page in ROOT.glob("*.md") if page.name != "CHANGELOG.md"),
    *(ROOT / folder / "README.md" for folder in ("bots", "tournaments", "results")),
    *ROOT.glob("games/**/*.md"), *ROOT.glob("arena/*/README.md"), *ROOT.glob("tests/*/README.md"),
    ROOT / "action.yml", ROOT / "Makefile", EXPECTED / "help.txt",
    *(path for path in ROOT.glob("arena/*/templates/**/*") if path.suffix in READ),
]  # fmt: skip


def said_by(module: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are not docstrings, each with its line."""
    tree = ast.parse(module.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in silent:
                yield node.lineno, text


def found(path: Path) -> list[str]:
    """What a file says that is not said: where, the words, and what to say instead."""
    if path.suffix == ".py":
        said = list(said_by(path))
    else:
        said = [*enumerate(path.read_text("utf-8").splitlines(), 1)]
    return [
        f"{path.name}:{line}: {match[0]!r}: say {better!r}"
        for line, text in said
        for pattern, better in NOT_SAID.items()
        for match in re.finditer(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
    ]


def test_no_page_or_message_says_what_is_not_said() -> None:
    modules = sorted([*ROOT.glob("arena/**/*.py"), *ROOT.glob("games/**/*.py")])
    assert [
        f"{file.parent.name}/{words}" for file in PAGES + modules for words in found(file)
    ] == []


def test_what_is_not_said_is_found_in_strings_and_not_in_docstrings(tmp_path: Path) -> None:
    module, page = tmp_path / "m.py", tmp_path / "m.md"
    module.write_text('"""Nobody."""\nX = f"{1} of which"\n\n\ndef f():\n    """Beside."""\n')
    page.write_text("They are told apart.\nNobody is told so.\n")
    assert found(module) == ["m.py:2: 'of which': say 'a sentence of its own'"]
    assert [words.split(": ")[1] for words in found(page)] == ["'Nobody'", "'is told'"]
