"""Where the tests find what they compare with."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPECTED = ROOT / "tests" / "expected"
EXAMPLES = ROOT / "tests" / "playthroughs" / "example-records.jsonl"
HOSTILE = ROOT / "tests" / "hostile"
