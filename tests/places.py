"""Where the tests find what they compare with."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPECTED = ROOT / "tests" / "expected"
EXAMPLES = ROOT / "tests" / "playthroughs" / "example-records.jsonl"
HOSTILE = ROOT / "tests" / "hostile"
BOTS = ROOT / "tests" / "bots"  # well-meaning, most of them


def source(name: str) -> str:
    """Return the text of one of the tests' own bots."""
    return (BOTS / f"{name}.py").read_text()
