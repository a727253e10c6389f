"""Where the tests find what they compare with, and tables in pages that they keep."""

from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPECTED = ROOT / "tests" / "expected"
EXAMPLES = ROOT / "tests" / "playthroughs" / "example-records.jsonl"
HOSTILE = ROOT / "tests" / "hostile"
BOTS = ROOT / "tests" / "bots"  # well-meaning, most of them


def source(name: str) -> str:
    """Return the text of one of the tests' own bots."""
    return (BOTS / f"{name}.py").read_text()


def with_rows(page: Path, head: str, rows: Sequence[str]) -> str:
    """Return a page's text with these as the rows of the table that has this head."""
    before, head, after = page.read_text("utf-8").partition(f"{head}\n")
    rule, *lines = after.split("\n")
    rest = dropwhile(lambda line: line.startswith("|"), lines)
    return before + head + "\n".join([rule, *rows, *rest])
